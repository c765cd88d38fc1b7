package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.ACTIVE;
import static io.tickmark.transport.shm.ShmLayout.CHANGES_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.JOINING;
import static io.tickmark.transport.shm.ShmLayout.LEAVING;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Claim;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The connecting side: a subscription, and its return ring. Waits for a writer that has not started
 * yet, and follows one that was restarted. Single-threaded.
 */
final class ShmConnector implements Subscription {
    private static final long RETRY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ShmAddress address;
    private final NanoClock clock;
    private final Back back = new Back();
    private ShmSession session;
    private long lostBefore;
    private long lastTryNs;
    private boolean closed;

    ShmConnector(final ShmAddress address, final NanoClock clock) {
        this.address = address;
        this.clock = clock;
        lastTryNs = clock.nanoTime();
        session = ShmSession.join(address, clock).orElse(null);
    }

    Publication back() {
        return back;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        final ShmSession current = session;
        if (current == null) {
            rejoin();
            return 0;
        }
        final int handed = current.read(handler, limit);
        if (handed == 0 && !closed && current.isOver()) {
            leave();
        }
        return handed;
    }

    @Override
    public boolean wakesOnArrival() {
        return Bell.isAvailable();
    }

    @Override
    public void await(final long timeoutNs) {
        if (session == null || !session.isAdmitted()) {
            Subscription.super.await(timeoutNs);
        } else {
            session.await(timeoutNs);
        }
    }

    private void rejoin() {
        if (closed || clock.nanoTime() - lastTryNs < RETRY_INTERVAL_NS) {
            return;
        }
        lastTryNs = clock.nanoTime();
        try {
            session = ShmSession.join(address, clock).orElse(null);
        } catch (final UserError e) {
            // Reported only when opening; while this side waits for a restart, the readers that
            // hold the slots may leave
            // again.
            session = null;
        }
    }

    private void leave() {
        if (session != null) {
            lostBefore += session.lost();
            session.leave();
            session = null;
        }
    }

    @Override
    public boolean isConnected() {
        return session != null && session.isAdmitted() && !session.isWriterGone();
    }

    @Override
    public long lost() {
        return lostBefore + (session == null ? 0 : session.lost());
    }

    @Override
    public ChannelUri channel() {
        return address.channel();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", address.path().toString());
        if (session != null) {
            facts.put("epoch", session.epoch());
            facts.put("damaged", session.isDamaged());
        }
        return facts;
    }

    @Override
    public void close() {
        closed = true;
        leave();
    }

    /** The return path to the binding side. */
    private final class Back implements Publication, Claim.Completion {
        private ShmSession claimed;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            final long room = room(length);
            if (room < 0) {
                return room;
            }
            session.back().copy((int) room, buffer, offset, length);
            return session.commit();
        }

        @Override
        public long tryClaim(final int length, final Claim claim) {
            final long room = room(length);
            if (room < 0) {
                return room;
            }
            claimed = session;
            claim.wrap(claimed.back().ring(), (int) room, length, this);
            return claimed.back().tail();
        }

        private long room(final int length) {
            if (closed) {
                return CLOSED;
            }
            if (session == null) {
                rejoin();
                return NOT_CONNECTED;
            }
            return length > session.maxPayloadBytes() ? TOO_LONG : session.room(length);
        }

        @Override
        public void commit() {
            claimed.commit();
        }

        @Override
        public void abort() {
            claimed.back().abort();
        }

        @Override
        public int doWork() {
            if (session == null) {
                rejoin();
            } else {
                session.lookAfterWriter();
            }
            return 0;
        }

        @Override
        public int subscriberCount() {
            return isConnected() ? 1 : 0;
        }

        @Override
        public ChannelUri channel() {
            return address.channel();
        }

        @Override
        public void close() {
            ShmConnector.this.close();
        }
    }

    /**
     * A reader's stay in one file: from joining until the writer or the reader leaves. Holds one
     * slot and, where the file has them, that slot's return ring. Single-threaded.
     */
    private static final class ShmSession implements RingWriter.Readers {
        private final ShmFile file;
        private final AtomicBuffer header;
        private final int slot;
        private final Heartbeat heartbeat;
        private final RingWriter back;
        private final Bell bell;
        private final Bell backBell;
        private final BooleanSupplier isDrained = this::isDrained;
        private RecordReader reader;
        private boolean writerGone;
        private boolean left;

        private ShmSession(final ShmFile file, final int index, final NanoClock clock)
                throws IOException {
            this.file = file;
            this.header = file.header();
            this.slot = ShmLayout.slot(index);
            this.heartbeat = new Heartbeat(clock, header, slot + ShmLayout.HEARTBEAT);
            bell = new Bell(header, ShmLayout.BELL_OFFSET);
            backBell = new Bell(header, ShmLayout.BACK_BELL_OFFSET);
            if (file.has(ShmLayout.FLAG_RETURNS)) {
                file.clearReturnRing(index);
                back = new RingWriter(file.returnRing(index), this, ShmLayout.RECORD_ALIGNMENT);
            } else {
                back = null;
            }
            header.putLong(slot + ShmLayout.RETURN_POSITION, 0);
            header.putIntRelease(slot + ShmLayout.STATE, JOINING);
            header.getAndAddLong(CHANGES_OFFSET, 1);
        }

        /**
         * Joins the file of a channel.
         *
         * @return empty while the file has no writer
         * @throws UserError if the file is something else, is not readable or has no slot left
         */
        static Optional<ShmSession> join(final ShmAddress address, final NanoClock clock) {
            try {
                final ShmFile file = ShmFile.open(address);
                if (!file.isOpen() || !file.writer().isAlive()) {
                    file.close();
                    return Optional.empty();
                }
                return Optional.of(new ShmSession(file, takeSlot(file, address), clock));
            } catch (final NoSuchFileException e) {
                return Optional.empty();
            } catch (final IOException e) {
                throw UserError.environment(
                        "--channel "
                                + address.channel()
                                + ": "
                                + address.path()
                                + " cannot be used ("
                                + e.getMessage()
                                + "); see which user owns it and whether there is room.",
                        e);
            }
        }

        private static int takeSlot(final ShmFile file, final ShmAddress address) {
            final ProcessIdentity self = ProcessIdentity.current();
            for (int i = 0; i < ShmLayout.SLOTS; i++) {
                final int slot = ShmLayout.slot(i);
                if (file.header().compareAndSetLong(slot + ShmLayout.PROCESS, 0, self.id())) {
                    file.header().putLong(slot + ShmLayout.PROCESS_START, self.startTicks());
                    return i;
                }
            }
            file.close();
            throw UserError.environment(
                    "--channel "
                            + address.channel()
                            + ": "
                            + ShmLayout.SLOTS
                            + " readers are connected already; use fewer subscribers.");
        }

        int read(final MessageHandler handler, final int limit) {
            if (!isAdmitted()) {
                lookAfterWriter();
                return 0;
            }
            final long before = reader.position();
            final int handed = reader.read(handler, limit);
            if (left) {
                // Closed by the handler: the slot may belong to another reader by now.
                return handed;
            }
            if (reader.position() != before) {
                header.putLongRelease(slot + ShmLayout.POSITION, reader.position());
                heartbeat.beat();
            } else {
                lookAfterWriter();
            }
            return handed;
        }

        /** Whether the writer has admitted this reader. */
        boolean isAdmitted() {
            if (reader != null) {
                return true;
            }
            if (header.getIntVolatile(slot + ShmLayout.STATE) != ACTIVE) {
                return false;
            }
            final long position = header.getLong(slot + ShmLayout.POSITION);
            reader =
                    file.has(ShmLayout.FLAG_LOSSY)
                            ? new RecordReader.Lossy(
                                    header,
                                    file.ring(),
                                    position,
                                    header.getLong(slot + ShmLayout.MESSAGES_BEFORE))
                            : new RecordReader.InPlace(file.ring(), position);
            return true;
        }

        /**
         * Called when idle: publishes that this side is alive, and checks periodically whether the
         * writer is.
         */
        void lookAfterWriter() {
            final boolean look = heartbeat.beat();
            if (!file.isOpen()
                    || look
                            && heartbeat.isOld(ShmLayout.WRITER_HEARTBEAT_OFFSET)
                            && !file.writer().isAlive()) {
                writerGone = true;
            }
        }

        boolean isWriterGone() {
            return writerGone || reader != null && reader.isDamaged();
        }

        /** Whether the writer is gone and everything that it wrote was read. */
        boolean isOver() {
            return isWriterGone() && (reader == null || reader.isDrained());
        }

        /** Offset of room in the return ring, or a code of {@link Publication}. */
        long room(final int length) {
            if (isWriterGone() || !isAdmitted() || back == null) {
                lookAfterWriter();
                return Publication.NOT_CONNECTED;
            }
            final int at = back.claim(length);
            if (at == RingWriter.NO_ROOM) {
                lookAfterWriter();
                return Publication.BACK_PRESSURED;
            }
            return at;
        }

        RingWriter back() {
            return back;
        }

        /** Publishes the record claimed in the return ring. */
        long commit() {
            final long position = back.commit();
            backBell.ring();
            return position;
        }

        /** Sleeps until a message comes, or the time is over; once admitted. */
        void await(final long timeoutNs) {
            bell.await(timeoutNs, isDrained);
            heartbeat.slept();
        }

        private boolean isDrained() {
            return reader.isDrained();
        }

        int maxPayloadBytes() {
            return ShmLayout.maxPayloadBytes(file.capacityBytes());
        }

        long lost() {
            return reader == null ? 0 : reader.lost();
        }

        long epoch() {
            return header.getLong(ShmLayout.EPOCH_OFFSET);
        }

        boolean isDamaged() {
            return reader != null && reader.isDamaged();
        }

        @Override
        public long slowest(final long tail) {
            return header.getLongVolatile(slot + ShmLayout.RETURN_POSITION);
        }

        @Override
        public void beforeWriting(final long position) {
            // The binding side is waited for: it needs no warning.
        }

        void leave() {
            left = true;
            if (reader != null) {
                reader.stop();
            }
            header.putIntRelease(slot + ShmLayout.STATE, LEAVING);
            header.getAndAddLong(CHANGES_OFFSET, 1);
            file.close();
        }
    }
}

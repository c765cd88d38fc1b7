package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Reads a topic live, beside the archives that record it, and what it missed from a member's disk:
 * it reads the files until it reaches the live stream, which waits meanwhile. Single-threaded;
 * allocates nothing while live.
 */
final class ArchiveSubscription implements DurableSubscription {
    private static final String CHANNEL = "aeron:ipc";

    private final ChannelUri channel;
    private final StoreFiles files;
    private final int streamId;
    private final Aeron aeron;
    private final Subscription live;
    private final AcknowledgedOrdinal acknowledged;
    private final ControlledFragmentHandler fragments = this::onFragment;
    private final Consumer<Image> reading = this::read;
    private MessageHandler handler = (buffer, offset, length) -> {};
    private RecordedStream missed;
    private long next;
    private long ordinal = -1;
    private int session;
    private boolean isInSession;
    private int handed;
    private int mostFragments;
    private boolean isHeldBack;
    private boolean isClosed;

    private ArchiveSubscription(
            final ChannelUri channel,
            final StoreFiles files,
            final int streamId,
            final Aeron aeron,
            final Subscription live,
            final long fromOrdinal) {
        this.channel = channel;
        this.files = files;
        this.streamId = streamId;
        this.aeron = aeron;
        this.live = live;
        acknowledged = new AcknowledgedOrdinal(files.acknowledged(streamId));
        next =
                files.parameters().deletion() == Deletion.KEPT
                        ? fromOrdinal
                        : Math.max(
                                fromOrdinal,
                                AcknowledgedOrdinal.read(files.acknowledged(streamId)) + 1);
        missed = onDisk();
    }

    static ArchiveSubscription open(
            final ChannelUri channel,
            final StoreFiles files,
            final Topic topic,
            final long fromOrdinal) {
        final Aeron aeron = ArchiveClients.lease(files.aeronDir());
        try {
            final int streamId = StoreFiles.streamId(topic);
            return new ArchiveSubscription(
                    channel,
                    files,
                    streamId,
                    aeron,
                    aeron.addSubscription(CHANNEL, streamId),
                    fromOrdinal);
        } catch (final RuntimeException e) {
            ArchiveClients.release(files.aeronDir(), aeron);
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": the store's driver accepts no subscription; restart the store.",
                    e);
        }
    }

    /** From the member that has the most. */
    private RecordedStream onDisk() {
        int best = 1;
        long most = -1;
        for (int member = 1; member <= files.parameters().members(); member++) {
            final long last =
                    RecordedStream.lastOrdinal(
                            files.member(member), streamId, files.parameters().member().crc());
            if (last > most) {
                most = last;
                best = member;
            }
        }
        return RecordedStream.of(
                files.member(best), streamId, files.parameters().member().crc(), next);
    }

    @Override
    public int poll(final MessageHandler newHandler, final int limit) {
        if (isClosed) {
            return 0;
        }
        handler = newHandler;
        handed = 0;
        if (missed != null) {
            readMissed(limit);
        } else {
            readLive(limit);
        }
        return handed;
    }

    private void readMissed(final int limit) {
        while (handed < limit) {
            if (!missed.advance()) {
                missed = null; // the live stream continues from there, or shows what is still
                // missing
                return;
            }
            hand(missed.ordinal(), missed.buffer(), missed.messageOffset(), missed.messageLength());
        }
    }

    private void hand(
            final long newOrdinal, final DirectBuffer buffer, final int offset, final int length) {
        ordinal = newOrdinal;
        next = newOrdinal + 1;
        handed++;
        handler.onMessage(buffer, offset, length);
    }

    /**
     * One publication after the other: an earlier one is read to its end before the next. Images
     * may disappear while they are examined, so they are not accessed by index.
     */
    private void readLive(final int limit) {
        mostFragments = limit;
        isHeldBack = false;
        live.forEachImage(reading);
    }

    private void read(final Image image) {
        if (isHeldBack || handed > 0 || missed != null) {
            return;
        }
        image.controlledPoll(fragments, mostFragments);
        isHeldBack = handed == 0 && !image.isEndOfStream() && isCurrent(image);
    }

    private boolean isCurrent(final Image image) {
        return isInSession && image.sessionId() == session && !image.isClosed();
    }

    private ControlledFragmentHandler.Action onFragment(
            final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final long found = header.reservedValue();
        if (found > next) {
            missed = onDisk();
            return ControlledFragmentHandler.Action.ABORT;
        }
        // Lower ordinals were already read from disk, unless a later publication resends them
        // because they were not stable.
        if (found < next && (!isInSession || header.sessionId() == session)) {
            return ControlledFragmentHandler.Action.CONTINUE;
        }
        session = header.sessionId();
        isInSession = true;
        hand(found, buffer, offset, length);
        return ControlledFragmentHandler.Action.CONTINUE;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        if (files.parameters().deletion() == Deletion.ACKNOWLEDGED) {
            acknowledged.acknowledge(upTo);
        }
    }

    @Override
    public boolean isConnected() {
        return !isClosed && !aeron.isClosed();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of("reads", "live, and what was missed from disk");
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            live.close();
            ArchiveClients.release(files.aeronDir(), aeron);
        }
    }
}

package io.tickmark.engines.aeron;

import io.aeron.AeronCounters;
import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.tickmark.engines.aeron.Drivers.DriverLease;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Claim;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Publication;
import io.tickmark.transport.WirePath;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * An exclusive publication. Messages longer than a datagram's payload are sent in fragments; see
 * {@link ClaimRoom} for claims.
 *
 * <p>With a driver that has no thread, {@link #offer} leaves the message in the term and {@link
 * #flush} or {@link #doWork} puts it on the wire, as does an offer that is refused.
 *
 * <p>On the connecting side of an exchange it is not connected before that side receives from the
 * other one: the two directions are streams that are connected independently, and the peer answers
 * a hello at once.
 */
final class AeronPublication implements Publication {
    private static final int SESSION_ID_OFFSET = CountersReader.KEY_OFFSET + Long.BYTES;
    private static final int STREAM_ID_OFFSET = SESSION_ID_OFFSET + Integer.BYTES;

    private final AeronChannel asked;
    private final ChannelUri channel;
    private final DriverLease lease;
    private final DutyCycle duty;
    private final IdleTurns turns;
    private final ExclusivePublication publication;
    private final ClaimRoom claims;
    private final int maxMessageLength;
    private final int senderPositionId;
    private final int receiversId;
    private final int destinationsId;
    private final Optional<SocketBuffer> buffer;
    private final Map<String, Long> repairsAtOpening;
    private final long errorsAtOpening;
    private final BooleanSupplier canBeAnswered;
    private boolean answered;
    private int gathered;
    private boolean closed;

    AeronPublication(
            final AeronChannel asked,
            final ChannelUri channel,
            final DriverLease lease,
            final ExclusivePublication publication,
            final BooleanSupplier canBeAnswered) {
        this.canBeAnswered = canBeAnswered;
        this.asked = asked;
        this.channel = channel;
        this.lease = lease;
        this.duty = lease.session().duty();
        this.turns = new IdleTurns(duty, asked.kind() == ChannelKind.IPC);
        this.publication = publication;
        maxMessageLength = publication.maxMessageLength();
        claims = new ClaimRoom(publication);
        senderPositionId =
                turns.bringMessages()
                        ? counter(AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID)
                        : CountersReader.NULL_COUNTER_ID;
        receiversId = counter(AeronCounters.FLOW_CONTROL_RECEIVERS_COUNTER_TYPE_ID);
        destinationsId = counter(AeronCounters.MDC_DESTINATIONS_COUNTER_TYPE_ID);
        buffer = SocketBuffer.of(SocketBuffer.Way.OUT, asked, lease.session());
        repairsAtOpening = lease.session().repairs(Direction.OUT);
        errorsAtOpening = lease.session().errorCount();
    }

    private int counter(final int type) {
        return lease.session()
                .counters()
                .findByTypeIdAndRegistrationId(type, publication.registrationId());
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        final long refusal = refusal(length);
        if (refusal < 0) {
            return refusal;
        }
        return taken(publication.offer(buffer, offset, length));
    }

    @Override
    public int offerAll(
            final DirectBuffer buffer, final int offset, final int length, final int count) {
        final long refusal = refusal(length);
        if (refusal < 0) {
            return (int) refusal;
        }
        if (length > claims.longestInTerm()) {
            return Publication.super.offerAll(buffer, offset, length, count);
        }
        for (int taken = 0; taken < count; taken++) {
            final long position = claims.put(buffer, offset + taken * length, length);
            if (position < 0) {
                gathered += taken;
                return taken > 0 ? taken : (int) taken(position);
            }
        }
        gathered += count;
        return count;
    }

    @Override
    public long tryClaim(final int length, final Claim claim) {
        final long refusal = refusal(length);
        if (refusal < 0) {
            return refusal;
        }
        return taken(claims.tryClaim(length, claim));
    }

    private long refusal(final int length) {
        if (length > maxMessageLength) {
            return closed ? CLOSED : TOO_LONG;
        }
        if (!answered) {
            answered = canBeAnswered.getAsBoolean();
            return answered ? 0 : taken(publication.isClosed() ? CLOSED : NOT_CONNECTED);
        }
        return 0;
    }

    private long taken(final long position) {
        if (position >= 0) {
            gathered++;
            return position;
        }
        if (!closed) {
            duty.turn(); // the limit moves in it
        }
        // Aeron's other codes equal ours; past its last position a stream has ended.
        return position == ExclusivePublication.MAX_POSITION_EXCEEDED ? CLOSED : position;
    }

    /** Sends as far as the receivers' windows allow; the driver sends the rest by itself. */
    @Override
    public int flush() {
        final int messages = gathered;
        gathered = 0;
        if (messages > 0 && senderPositionId != CountersReader.NULL_COUNTER_ID && !closed) {
            driveSender();
        }
        return messages;
    }

    private void driveSender() {
        final CountersReader counters = lease.session().counters();
        final long target = publication.position();
        long sent = counters.getCounterValue(senderPositionId);
        long before = Long.MIN_VALUE;
        while (sent < target && sent > before && duty.turn() != DutyCycle.TAKEN) {
            before = sent;
            sent = counters.getCounterValue(senderPositionId);
        }
    }

    @Override
    public int doWork() {
        return closed ? 0 : turns.take();
    }

    @Override
    public int subscriberCount() {
        if (closed || publication.isClosed()) {
            return 0;
        }
        if (asked.kind() == ChannelKind.IPC) {
            return readers();
        }
        if (receiversId != CountersReader.NULL_COUNTER_ID) {
            // The flow control of a group counts drivers, each for any number of subscriptions.
            return UNKNOWN_COUNT;
        }
        return publication.isConnected() ? 1 : 0;
    }

    /** Subscriptions that read this publication's log, by the positions they hold. */
    private int readers() {
        final CountersReader counters = lease.session().counters();
        int found = 0;
        for (int id = 0; id <= counters.maxCounterId(); id++) {
            final int state = counters.getCounterState(id);
            if (state == CountersReader.RECORD_UNUSED) {
                break;
            }
            if (state == CountersReader.RECORD_ALLOCATED && isReader(counters, id)) {
                found++;
            }
        }
        return found;
    }

    private boolean isReader(final CountersReader counters, final int id) {
        final int record = CountersReader.metaDataOffset(id);
        return counters.getCounterTypeId(id) == AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID
                && counters.metaDataBuffer().getInt(record + SESSION_ID_OFFSET)
                        == publication.sessionId()
                && counters.metaDataBuffer().getInt(record + STREAM_ID_OFFSET)
                        == publication.streamId();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    /** A group's interface is that of its route; the sender's own may be another. */
    @Override
    public Optional<WirePath> wirePath() {
        if (asked.kind() == ChannelKind.IPC) {
            return Optional.empty();
        }
        final int mtuBytes = publication.maxPayloadLength() + DataHeaderFlyweight.HEADER_LENGTH;
        return asked.link()
                .map(link ->
                        new WirePath(
                                link,
                                asked.isIpv6(),
                                WirePath.Form.ENGINE,
                                DataHeaderFlyweight.HEADER_LENGTH,
                                FrameDescriptor.FRAME_ALIGNMENT,
                                mtuBytes,
                                copies()));
    }

    /** Datagrams on the network for each message datagram: one for each unicast receiver. */
    private int copies() {
        return switch (asked.kind()) {
            case IPC, UNICAST, MULTICAST -> 1;
            case MANUAL -> asked.own().destinations().size();
            case ENDPOINT, DYNAMIC -> Math.max(1, destinations());
        };
    }

    /**
     * Receivers that report to a control address, 0 where they are not counted: the socket's
     * counter belongs to the first topic that was opened on it, the flow control has one for each.
     */
    private int destinations() {
        final int id =
                destinationsId == CountersReader.NULL_COUNTER_ID ? receiversId : destinationsId;
        return closed || id == CountersReader.NULL_COUNTER_ID
                ? 0
                : (int) lease.session().counters().getCounterValue(id);
    }

    @Override
    public Optional<String> engineErrors() {
        return EngineErrors.together(
                buffer.flatMap(SocketBuffer::caution),
                lease.session().errorsSince(errorsAtOpening));
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts =
                new TreeMap<>(lease.session().facts(Direction.OUT, repairsAtOpening));
        facts.put("termBytes", publication.termBufferLength());
        facts.put("mtuBytes", publication.maxPayloadLength() + DataHeaderFlyweight.HEADER_LENGTH);
        facts.put("claimedInTermBytes", claims.longestInTerm());
        facts.put("publicationChannel", publication.channel());
        facts.put("streamId", publication.streamId());
        buffer.ifPresent(its -> its.addTo(facts));
        if (receiversId != CountersReader.NULL_COUNTER_ID && !publication.isClosed()) {
            facts.put("receivers", lease.session().counters().getCounterValue(receiversId));
        }
        return facts;
    }

    @Override
    public void close() {
        if (!closed) {
            flush();
            closed = true;
            lease.session().close(publication);
            lease.release();
        }
    }

    /**
     * Claims of one publication. A message that fits one datagram ({@code mtu} less 32 bytes) is
     * claimed in the term itself; Aeron grants no more than that. Longer messages get room beside
     * the term and are copied in fragments when committed, which is granted only while the window
     * has room for it, so that the commit cannot be refused unless the receivers disconnect.
     * Single-threaded.
     */
    private static final class ClaimRoom implements Claim.Completion {
        /**
         * A message that does not fit the rest of a term is refused once, while the term rotates.
         */
        private static final int MOST_OFFERS = 3;

        private static final int FRAME_ALIGNMENT = 32;

        private final ExclusivePublication publication;
        private final int longestInTerm;
        private final BufferClaim inTerm = new BufferClaim();
        private final UnsafeBuffer beside = new UnsafeBuffer(new byte[0]);
        private int lengthBeside;

        ClaimRoom(final ExclusivePublication publication) {
            this.publication = publication;
            this.longestInTerm = publication.maxPayloadLength();
        }

        /** Longest message that is claimed in the term. */
        int longestInTerm() {
            return longestInTerm;
        }

        /** A position, or one of Aeron's codes. */
        long tryClaim(final int length, final Claim claim) {
            if (length > longestInTerm) {
                return tryClaimBeside(length, claim);
            }
            final long position = publication.tryClaim(length, inTerm);
            if (position >= 0) {
                lengthBeside = 0;
                claim.wrap(inTerm.buffer(), inTerm.offset(), length, this);
            }
            return position;
        }

        /** Claims in the term, copies and commits; a position, or one of Aeron's codes. */
        long put(final DirectBuffer message, final int offset, final int length) {
            final long position = publication.tryClaim(length, inTerm);
            if (position >= 0) {
                inTerm.buffer().putBytes(inTerm.offset(), message, offset, length);
                inTerm.commit();
            }
            return position;
        }

        private long tryClaimBeside(final int length, final Claim claim) {
            if (publication.isClosed()) {
                return Publication.CLOSED;
            }
            // Twice: once for itself, and at most once for the rest of a term that is too short for
            // it.
            if (publication.availableWindow() < 2L * framedLength(length)) {
                return publication.isConnected()
                        ? Publication.BACK_PRESSURED
                        : Publication.NOT_CONNECTED;
            }
            if (beside.capacity() < length) {
                beside.wrap(new byte[BitUtil.findNextPositivePowerOfTwo(length)]);
            }
            lengthBeside = length;
            claim.wrap(beside, 0, length, this);
            return publication.position() + length;
        }

        private long framedLength(final int length) {
            final int fragments = (length + longestInTerm - 1) / longestInTerm;
            final long headers = (long) fragments * DataHeaderFlyweight.HEADER_LENGTH;
            return BitUtil.align(length + headers, FRAME_ALIGNMENT);
        }

        @Override
        public void commit() {
            if (lengthBeside == 0) {
                inTerm.commit();
                return;
            }
            int offers = 0;
            while (publication.offer(beside, 0, lengthBeside) == ExclusivePublication.ADMIN_ACTION
                    && ++offers < MOST_OFFERS) {
                Thread.onSpinWait();
            }
            lengthBeside = 0;
        }

        @Override
        public void abort() {
            if (lengthBeside == 0) {
                inTerm.abort();
            }
            lengthBeside = 0;
        }
    }
}

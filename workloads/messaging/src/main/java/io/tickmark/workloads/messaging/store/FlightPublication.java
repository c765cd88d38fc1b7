package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.control.TopicNames;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One topic of a stored stream as the sending loop sees it: a publication that refuses while too
 * much is in flight, times each message until it is stable, and, when its store is lost, reopens it
 * and resends what was not stable. Once it has ended with a reason, it is not reopened.
 * Single-threaded; allocates only when a store is lost.
 */
final class FlightPublication implements Publication {
    /** Stable messages are looked up once in this many messages. */
    private static final int LOOK_MASK = 31;

    /** Interval of attempts to reopen a lost store, as opening takes time. */
    private static final long REOPEN_EVERY_NS = 100_000_000;

    private static final int MOST_REASONS = 3;

    /** Why it is reopened where the engine reports nothing. */
    private static final String BROKEN = "its connection broke";

    private final Supplier<DurablePublication> opener;
    private final OutgoingMessage message;
    private final int payloadBytes;
    private final int topic;
    private final int mostMessages;
    private final NanoClock clock;
    private final LatencyRecorder stableTimes;
    private final InFlight flight;
    private final WaitGrowth waits = new WaitGrowth();
    private final AcknowledgedFiles.AcknowledgedCell acknowledged;
    private final UnsafeBuffer control = new UnsafeBuffer(new byte[TopicNames.MAX_LENGTH]);
    private int controlLength;
    private final List<String> earlierErrors = new ArrayList<>();
    private Map<String, Object> earlierFacts = Map.of();
    private DurablePublication publication;
    private FlightCounts counts = new FlightCounts();
    private boolean isWaiting;
    private boolean isLost;
    private boolean isInPlace;
    private boolean isGivenUp;
    private String end = "";
    private long resendFrom = Long.MAX_VALUE;
    private long reopenNs;
    private long progressNs;
    private int looks;
    private String trouble = "";
    private String notOpened = "";
    private final List<String> reasons = new ArrayList<>();
    private long forOtherReasons;

    FlightPublication(
            final Supplier<DurablePublication> opener,
            final OutgoingMessage message,
            final int payloadBytes,
            final int topic,
            final FlightSettings limits,
            final FlightTools tools) {
        this.opener = opener;
        this.message = message;
        this.payloadBytes = payloadBytes;
        this.topic = topic;
        mostMessages =
                limits.flightBytes() == 0
                        ? limits.flightSize()
                        : Math.clamp(limits.flightBytes() / payloadBytes, 1, limits.flightSize());
        clock = tools.clock();
        stableTimes = tools.stableTimes();
        acknowledged = tools.acknowledged(topic);
        flight = new InFlight(mostMessages);
        publication = opener.get();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (!mayOffer()) {
            return end.isEmpty() ? BACK_PRESSURED : CLOSED;
        }
        final long ordinal = publication.offer(buffer, offset, length);
        if (ordinal < 0) {
            return refused(ordinal);
        }
        taken(ordinal, buffer, offset, length);
        return ordinal;
    }

    @Override
    public int offerAll(
            final DirectBuffer buffer, final int offset, final int length, final int count) {
        if (!mayOffer()) {
            return (int) (end.isEmpty() ? BACK_PRESSURED : CLOSED);
        }
        final long first = publication.nextOrdinal();
        final int most = Math.min(count, mostMessages - flight.size());
        final int sent = publication.offerAll(buffer, offset, length, most);
        if (sent < 0) {
            return (int) refused(sent);
        }
        for (int i = 0; i < sent; i++) {
            taken(first + i, buffer, offset + i * length, length);
        }
        return sent;
    }

    private boolean mayOffer() {
        if ((++looks & LOOK_MASK) == 0) {
            settle();
        }
        if (flight.size() >= mostMessages) {
            settle();
            if (flight.size() >= mostMessages) {
                counts.waited(!isWaiting);
                isWaiting = true;
                return false;
            }
        }
        return !isLost && end.isEmpty() && resendFrom == Long.MAX_VALUE;
    }

    private void taken(
            final long ordinal, final DirectBuffer buffer, final int offset, final int length) {
        isWaiting = false;
        if (flight.size() == 0) {
            progressNs = clock.nanoTime();
        }
        if ((Stamp.flags(buffer, offset) & ~Stamp.WARM_UP) != 0) {
            controlLength = Math.min(length, TopicNames.MAX_LENGTH);
            control.putBytes(0, buffer, offset, controlLength);
        }
        flight.add(ordinal, buffer, offset);
        counts.inFlight(flight.size());
    }

    /** A lost store returns, or the sending loop ends for lack of progress. */
    private long refused(final long code) {
        if (code == NOT_CONNECTED) {
            lose();
            return BACK_PRESSURED;
        }
        if (code == CLOSED || code == TOO_LONG) {
            final String failure = publication.failure();
            end = failure.isEmpty() ? why(code) : failure;
        }
        return code;
    }

    private static String why(final long code) {
        return code == TOO_LONG
                ? "it accepts no messages of this length; send shorter ones"
                : "the engine closed the publication";
    }

    private void lose() {
        isLost = true;
        // Positions that are unreliable stay so until there are new ones.
        final boolean hasPlaces = isInPlace || resendFrom == Long.MAX_VALUE;
        isInPlace = hasPlaces && publication.failure().isEmpty();
        final long nowNs = clock.nanoTime();
        // One that is opened again, and refuses again at once, is not helped by haste.
        final boolean isAgain = !trouble.isEmpty() || !notOpened.isEmpty();
        reopenNs = isAgain ? nowNs + REOPEN_EVERY_NS : nowNs;
        if (flight.size() == 0) {
            progressNs = nowNs;
        }
    }

    /** Removes the messages that have become stable. */
    private int settle() {
        if (flight.size() == 0 || isLost) {
            return 0;
        }
        final long stable = publication.stablePosition();
        if (flight.oldestOrdinal() > stable) {
            return 0;
        }
        return settle(stable);
    }

    private int settle(final long stable) {
        final long nowNs = clock.nanoTime();
        int settled = 0;
        // Ordinals of the messages to resend are those of the previous store.
        while (flight.size() > 0
                && flight.first() < resendFrom
                && flight.oldestOrdinal() <= stable) {
            final long number = flight.first();
            if (flight.step(number) >= 0 && (flight.flags(number) & ~Stamp.WARM_UP) == 0) {
                acknowledge(number, nowNs);
            }
            flight.removeOldest();
            settled++;
        }
        if (settled > 0) {
            trouble = "";
            notOpened = "";
            counts.gap(nowNs - progressNs);
            progressNs = nowNs;
        }
        return settled;
    }

    private void acknowledge(final long number, final long nowNs) {
        if (flight.flags(number) == 0) {
            final long waitNs = nowNs - flight.intendedNs(number);
            stableTimes.recordDelivery(flight.intendedNs(number), nowNs, topic - 1);
            waits.add(flight.intendedNs(number), waitNs);
        }
        counts.acknowledge();
        acknowledged.stable((flight.sequence(number) & 0xffff_ffffL) + 1);
    }

    @Override
    public int doWork() {
        if (isLost) {
            return reopen() ? 1 : 0;
        }
        int work = publication.doWork() + settle();
        if (work == 0 && publication.isLost()) {
            lose();
            return 0;
        }
        if (work == 0 && end.isEmpty()) {
            end = publication.failure();
        }
        if (!end.isEmpty()) {
            return 0;
        }
        if (resendFrom != Long.MAX_VALUE) {
            work += resend();
        }
        return work;
    }

    private boolean reopen() {
        final long nowNs = clock.nanoTime();
        if (isGivenUp || nowNs - reopenNs < 0) {
            return false;
        }
        trouble = reported();
        publication.close();
        try {
            final DurablePublication opened = opener.get();
            publication.engineErrors().ifPresent(earlierErrors::add);
            earlierFacts = facts();
            publication = opened;
        } catch (final UserError e) {
            notOpened = e.getMessage();
            reopenNs = clock.nanoTime() + REOPEN_EVERY_NS;
            return false;
        }
        isLost = false;
        // What the opener said meanwhile asks the user for what has happened by now.
        final String why = trouble.isEmpty() ? BROKEN : trouble;
        if (!reasons.contains(why)) {
            if (reasons.size() < MOST_REASONS) {
                reasons.add(why);
            } else {
                forOtherReasons++;
            }
        }
        if (isInPlace) {
            // The store may have kept more than it could report.
            resendFrom = Long.MAX_VALUE;
            settle(publication.stablePosition());
        }
        resendFrom = flight.size() == 0 ? Long.MAX_VALUE : flight.first();
        if (flight.size() == 0) {
            counts.gap(
                    clock.nanoTime()
                            - progressNs); // messages that were due meanwhile were never in flight
        }
        counts.reopened();
        return true;
    }

    private int resend() {
        int sent = 0;
        while (resendFrom < flight.end()) {
            final long ordinal = offerAgain(resendFrom);
            if (ordinal < 0) {
                refused(ordinal);
                return sent;
            }
            flight.ordinal(resendFrom++, ordinal);
            counts.resent();
            sent++;
        }
        resendFrom = Long.MAX_VALUE;
        return sent;
    }

    private long offerAgain(final long number) {
        if ((flight.flags(number) & ~Stamp.WARM_UP) != 0) {
            return publication.offer(control, 0, controlLength);
        }
        message.prepare(
                message.buffer(),
                payloadBytes,
                flight.intendedNs(number),
                flight.sequence(number),
                flight.flags(number),
                flight.step(number),
                topic);
        message.stampSent(message.buffer(), payloadBytes, clock.nanoTime());
        return publication.offer(message.buffer(), 0, payloadBytes);
    }

    /**
     * Waits until everything that was sent is stable; false when the time is over, or it has ended.
     */
    boolean drain(final Deadline deadline) {
        publication.flush();
        while (flight.size() > 0) {
            if (!end.isEmpty() || deadline.isOver()) {
                return false;
            }
            if (doWork() == 0) {
                Thread.onSpinWait();
            }
        }
        return true;
    }

    /** Makes a lost store stay lost: its publisher ends, and a last attempt could take long. */
    void giveUp() {
        isGivenUp = true;
    }

    /** What was counted since the last call; messages that are not stable yet are included. */
    FlightCounts takeCounts() {
        if (isLost || flight.size() > 0) {
            counts.gap(clock.nanoTime() - progressNs);
        }
        final FlightCounts taken = counts;
        counts = new FlightCounts();
        return taken;
    }

    /**
     * The engine's reason for accepting no message, or else why it could not be reopened; empty
     * where it reports neither. That of an earlier publication is kept until a message is stable: a
     * store that is full may be opened again, and accept messages that it refuses later.
     */
    String trouble() {
        final String said = reported();
        return said.isEmpty() ? notOpened : said;
    }

    private String reported() {
        final String now = publication.trouble();
        return now.isEmpty() ? trouble : now;
    }

    /** Why it has ended for good; empty while it has not. */
    String end() {
        return end;
    }

    /** Why it was reopened; the first distinct reasons. */
    List<String> reasons() {
        return reasons;
    }

    /** How often it was reopened for reasons that are not among them. */
    long forOtherReasons() {
        return forOtherReasons;
    }

    int inFlight() {
        return flight.size();
    }

    /** How much longer a message took to become stable at the end than at the beginning. */
    long fellBehindNs() {
        return waits.ns();
    }

    @Override
    public int batch() {
        return publication.batch();
    }

    @Override
    public int flush() {
        return isLost ? 0 : publication.flush();
    }

    @Override
    public int subscriberCount() {
        return publication.subscriberCount();
    }

    @Override
    public ChannelUri channel() {
        return publication.channel();
    }

    /** Including those of reopened publications. */
    @Override
    public Optional<String> engineErrors() {
        return Stream.concat(earlierErrors.stream(), publication.engineErrors().stream())
                .reduce((left, right) -> left + " " + right);
    }

    /** With the counts of reopened publications. */
    @Override
    public Map<String, Object> facts() {
        return EngineFacts.sum(List.of(publication.facts(), earlierFacts), this::isCount);
    }

    @Override
    public boolean isCount(final String fact) {
        return publication.isCount(fact);
    }

    @Override
    public void close() {
        publication.close();
    }

    /**
     * Messages that were sent and are not stable yet, oldest first: what is needed to time them,
     * and to create them again. Single-threaded, allocates nothing after construction.
     */
    private static final class InFlight {
        private final int mask;
        private final long[] ordinals;
        private final long[] intendedNs;
        private final int[] sequences;
        private final byte[] flags;
        private final int[] steps;
        private long head;
        private long tail;

        InFlight(final int mostMessages) {
            final int capacity = BitUtil.findNextPositivePowerOfTwo(mostMessages + 1);
            mask = capacity - 1;
            ordinals = new long[capacity];
            intendedNs = new long[capacity];
            sequences = new int[capacity];
            flags = new byte[capacity];
            steps = new int[capacity];
        }

        /** Adds the message sent last; there must be room. */
        void add(final long ordinal, final DirectBuffer buffer, final int offset) {
            final int at = (int) tail++ & mask;
            ordinals[at] = ordinal;
            intendedNs[at] = Stamp.intendedNs(buffer, offset);
            sequences[at] = Stamp.sequence(buffer, offset);
            flags[at] = (byte) Stamp.flags(buffer, offset);
            steps[at] = (byte) Stamp.step(buffer, offset);
        }

        int size() {
            return (int) (tail - head);
        }

        long oldestOrdinal() {
            return ordinals[(int) head & mask];
        }

        /** Sequence number of the oldest; the others follow it. */
        long first() {
            return head;
        }

        long end() {
            return tail;
        }

        void removeOldest() {
            head++;
        }

        void ordinal(final long number, final long ordinal) {
            ordinals[(int) number & mask] = ordinal;
        }

        long intendedNs(final long number) {
            return intendedNs[(int) number & mask];
        }

        int sequence(final long number) {
            return sequences[(int) number & mask];
        }

        int flags(final long number) {
            return flags[(int) number & mask];
        }

        int step(final long number) {
            return steps[(int) number & mask];
        }
    }

    /** Counts of a publication of a stored stream in a step. Single-threaded. */
    static final class FlightCounts {
        private long acknowledged;
        private long wouldBlock;
        private long maxInFlight;
        private long maxGapNs;
        private long resent;
        private long reopened;

        void acknowledge() {
            acknowledged++;
        }

        /** A message cannot be sent; it counts once, however often it is tried. */
        void waited(final boolean isFirst) {
            wouldBlock += isFirst ? 1 : 0;
        }

        void inFlight(final long messages) {
            maxInFlight = Math.max(maxInFlight, messages);
        }

        void gap(final long ns) {
            maxGapNs = Math.max(maxGapNs, ns);
        }

        void resent() {
            resent++;
        }

        void reopened() {
            reopened++;
        }

        long timesReopened() {
            return reopened;
        }

        /** Adds these to those of other topics. */
        void addTo(final Map<String, Long> counts) {
            Counts.merge(counts, Counts.ACKNOWLEDGED, acknowledged);
            Counts.merge(counts, Counts.WOULD_BLOCK, wouldBlock);
            Counts.merge(counts, Counts.MAX_FLIGHT_SIZE, maxInFlight);
            Counts.merge(counts, Counts.MAX_STABLE_GAP_NS, maxGapNs);
            Counts.merge(counts, Counts.RESENT, resent);
        }
    }

    /**
     * What the publications of a stored stream share.
     *
     * @param clock of the role
     * @param stableTimes of all topics
     * @param files in which each topic records what is stable, by its store; empty without one
     */
    record FlightTools(
            NanoClock clock, LatencyRecorder stableTimes, Optional<AcknowledgedFiles> files) {
        AcknowledgedFiles.AcknowledgedCell acknowledged(final int topic) {
            return files.map(all -> all.cell(topic)).orElse(messages -> {});
        }
    }
}

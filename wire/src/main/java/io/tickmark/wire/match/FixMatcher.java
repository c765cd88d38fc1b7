package io.tickmark.wire.match;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.wire.fix.FixFields;
import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.FixFramer.Garbled;
import io.tickmark.wire.match.FixStream.FixHandler;
import io.tickmark.wire.match.FixStream.KeptBytes;
import io.tickmark.wire.tcp.ByteStream;
import io.tickmark.wire.tcp.TcpFlow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/**
 * Matches FIX messages that come out with those that went in. A message is there when its last byte
 * is; each copy counts from there to its own last byte. Single thread; allocates only for new
 * connections.
 */
public final class FixMatcher implements FixHandler {
    /** Most messages that wait for copies. */
    static final int MAX_OUTSTANDING = 1 << 20;

    /** Most copies that wait for their message; what comes beyond has no latency. */
    static final int MAX_EARLY = 1 << 18;

    /** Most sessions that are listed one by one. */
    static final int MAX_SESSIONS = 4096;

    private static final int SENDER = 49;
    private static final int TARGET = 56;

    private final FixRules rules;
    private final Timeline timeline;
    private final FixFramer framer;
    private final TypeFilter types;
    private final MessageKey key;
    private final Outstanding outstanding;
    private final FixCounts counts = new FixCounts();
    private final KeptBytes kept = new KeptBytes();
    private final List<CapturedSession> sessions = new ArrayList<>();
    private final BooleanSupplier isWaiting;
    private final Map<Long, List<EarlyCopy>> early = new LinkedHashMap<>();
    private int earlyCopies;
    private final FixFields fields = new FixFields();
    private final WireLatency eachCopy;
    private final WireLatency firstCopy;
    private final WireLatency lastCopy;
    private final Counter inTotal;
    private final Counter outTotal;
    private long unlisted;
    private long unlistedOut;
    private long lastNs = Long.MIN_VALUE;
    private Optional<StepRecording> recorded = Optional.empty();

    /** A copy that was read before its message, which follows a gap of its connection. */
    private record EarlyCopy(CapturedSession session, long timeNs) {}

    /**
     * A matcher that has seen nothing.
     *
     * @param rules what to look for
     * @param timeline where it is recorded
     * @param isWaiting whether a message that went in may still come to this, later than its copies
     */
    public FixMatcher(
            final FixRules rules, final Timeline timeline, final BooleanSupplier isWaiting) {
        this.isWaiting = isWaiting;
        this.rules = rules;
        this.timeline = timeline;
        framer = new FixFramer(rules.maxMessageBytes());
        types = new TypeFilter(rules.types());
        key = new MessageKey(rules.identity());
        outstanding = new Outstanding(MAX_OUTSTANDING, rules.matchWindowNs(), this::forgotten);
        eachCopy = timeline.latency(WireFigures.EACH_COPY_NS);
        firstCopy = timeline.latency(WireFigures.FIRST_COPY_NS);
        lastCopy = timeline.latency(WireFigures.LAST_COPY_NS);
        inTotal = timeline.counter(WireFigures.IN);
        outTotal = timeline.counter(WireFigures.OUT);
    }

    /**
     * Takes the bytes of a connection, where its ports are those of the gateway.
     *
     * @param flow that was not seen before
     * @return the stream, empty for another connection
     */
    public Optional<ByteStream> open(final TcpFlow flow) {
        return Optional.ofNullable(rules.side(flow.sourcePort(), flow.destinationPort()))
                .map(side -> new FixStream(flow, side, framer, this, kept));
    }

    @Override
    public void onMessage(
            final FixStream stream,
            final DirectBuffer buffer,
            final FixFramer at,
            final long timeNs) {
        final FixSide side = stream.side();
        counts.perSide.get(side)[0]++;
        if (stream.session() == null) {
            stream.session(newSession(stream, buffer, at));
        }
        final long type = TypeFilter.typeAt(buffer, at.bodyBegin() + 3);
        if (TypeFilter.isOfSession(type)) {
            counts.sessionMessages++;
        } else if (side == FixSide.IN || side == FixSide.OUT) {
            onOfApplication(stream, buffer, at, type, timeNs);
        }
    }

    private void onOfApplication(
            final FixStream stream,
            final DirectBuffer buffer,
            final FixFramer at,
            final long type,
            final long timeNs) {
        if (!types.isWanted(type)) {
            counts.otherTypes++;
            return;
        }
        if (!timeline.isOf(this)) {
            counts.ignored++;
            return;
        }
        final long id = key.of(buffer, at.bodyBegin(), at.bodyEnd());
        lastNs = Math.max(lastNs, timeNs);
        if (!timeline.isInStep()) {
            timeline.beginStep(0, "", timeNs);
        }
        if (!key.isWanted()) {
            counts.otherIdentities++;
            return;
        }
        if (key.isSentAgain()) {
            counts.possibleDuplicates.get(stream.side())[0]++;
            return;
        }
        stream.session().onMessage();
        if (key.isByBody()) {
            counts.byBody++;
        }
        if (stream.side() == FixSide.IN) {
            onIn(id, timeNs);
        } else {
            onOut(stream.session(), id, timeNs);
        }
    }

    private void onIn(final long id, final long timeNs) {
        counts.in++;
        counts.firstInNs = Math.min(counts.firstInNs, timeNs);
        counts.lastInNs = Math.max(counts.lastInNs, timeNs);
        inTotal.increment();
        if (!outstanding.add(id, timeNs)) {
            counts.ambiguous++;
        }
        if (!early.isEmpty()) {
            onLate(id, timeNs);
        }
    }

    /** A message that went in is read only now: its copies waited for it. */
    private void onLate(final long id, final long timeNs) {
        final List<EarlyCopy> copies = early.remove(id);
        if (copies == null) {
            return;
        }
        earlyCopies -= copies.size();
        final int slot = outstanding.find(id);
        for (final EarlyCopy copy : copies) {
            if (copy.timeNs() < timeNs) {
                unmatched(copy.session());
            } else {
                onCopy(copy.session(), slot, copy.timeNs());
            }
        }
    }

    private void unmatched(final CapturedSession session) {
        counts.outUnmatched++;
        session.onUnmatched();
    }

    private void endEarly() {
        early.values().forEach(copies -> copies.forEach(copy -> unmatched(copy.session())));
        early.clear();
        earlyCopies = 0;
    }

    private void onOut(final CapturedSession session, final long id, final long timeNs) {
        counts.out++;
        counts.firstOutNs = Math.min(counts.firstOutNs, timeNs);
        counts.lastOutNs = Math.max(counts.lastOutNs, timeNs);
        outTotal.increment();
        if (earlyCopies > 0 && !isWaiting.getAsBoolean()) {
            endEarly(); // nothing is read any more that came before
        }
        final int slot = outstanding.find(id);
        if (slot < 0 && earlyCopies < MAX_EARLY && isWaiting.getAsBoolean()) {
            early.computeIfAbsent(id, key -> new ArrayList<>(1))
                    .add(new EarlyCopy(session, timeNs));
            earlyCopies++;
        } else {
            onCopy(session, slot, timeNs);
        }
    }

    private void onCopy(final CapturedSession session, final int slot, final long timeNs) {
        if (slot < 0 || timeNs - outstanding.timeNs(slot) > rules.matchWindowNs()) {
            unmatched(session);
            return;
        }
        counts.matched++;
        final long latencyNs = timeNs - outstanding.timeNs(slot);
        final boolean isFirst = outstanding.copied(slot, timeNs) == 1;
        if (counts.matched <= rules.skip()) {
            counts.skipped++;
            return;
        }
        eachCopy.record(latencyNs);
        session.record(latencyNs);
        if (isFirst) {
            outstanding.count(slot);
            firstCopy.record(latencyNs);
        }
    }

    private void forgotten(final int copies, final long lastLatencyNs, final boolean isCounted) {
        if (copies == 0) {
            counts.inUnmatched++;
            return;
        }
        counts.inMatched++;
        counts.minCopies = Math.min(counts.minCopies, copies);
        counts.maxCopies = Math.max(counts.maxCopies, copies);
        if (isCounted) {
            lastCopy.record(lastLatencyNs);
        }
    }

    private CapturedSession newSession(
            final FixStream stream, final DirectBuffer buffer, final FixFramer at) {
        String sender = "";
        String target = "";
        fields.wrap(buffer, at.bodyBegin(), at.bodyEnd());
        while (fields.next() && (sender.isEmpty() || target.isEmpty())) {
            if (fields.tag() == SENDER) {
                sender = value(buffer);
            } else if (fields.tag() == TARGET) {
                target = value(buffer);
            }
        }
        final CapturedSession session =
                new CapturedSession(
                        stream.side(), stream.flow(), sender, target, rules.matchWindowNs());
        if (sessions.size() < MAX_SESSIONS) {
            sessions.add(session);
            session.listed();
        } else {
            unlisted++;
            unlistedOut += stream.side() == FixSide.OUT ? 1 : 0;
        }
        return session;
    }

    private String value(final DirectBuffer buffer) {
        final int longest = Math.min(fields.valueLength(), 64);
        return buffer.getStringWithoutLengthAscii(fields.valueBegin(), longest)
                .replaceAll("[^!-~]", "?");
    }

    @Override
    public void onGarbled(final FixStream stream, final Garbled reason, final long position) {
        counts.garbled++;
        if (counts.firstGarbled.isEmpty()) {
            counts.firstGarbled =
                    "in the packet at byte %d, %s to %s, a message %s"
                            .formatted(
                                    position,
                                    stream.flow().source(),
                                    stream.flow().destination(),
                                    reason.predicate());
        }
    }

    @Override
    public void onCut(final FixStream stream) {
        counts.cut++;
    }

    /** Says what became of the messages that still wait; at the end of the capture. */
    public void finish() {
        endEarly();
        outstanding.finish();
        if (timeline.isOf(this) && timeline.isInStep()) {
            recorded = Optional.of(timeline.endStep(lastNs));
        }
    }

    /**
     * The latencies, once it is finished.
     *
     * @return empty where no message of the application was seen
     */
    public Optional<StepRecording> recorded() {
        return recorded;
    }

    /**
     * What was counted.
     *
     * @return the counts, live
     */
    public FixCounts counts() {
        return counts;
    }

    /**
     * Sessions, one for each direction, in the order of their first message.
     *
     * @return at most 4096
     */
    public List<CapturedSession> sessions() {
        return List.copyOf(sessions);
    }

    /**
     * Sessions beyond those that are listed.
     *
     * @return the count
     */
    public long unlistedSessions() {
        return unlisted;
    }

    /**
     * Of these, those from the gateway's port for consumers, whose latencies are not kept.
     *
     * @return the count
     */
    public long unlistedOutSessions() {
        return unlistedOut;
    }

    /** Tells messages of the session from those of the application. Allocates nothing. */
    private static final class TypeFilter {
        private static final int MAX_TYPE_BYTES = Long.BYTES - 1;

        private final long[] wanted;

        TypeFilter(final List<String> types) {
            wanted = types.stream().mapToLong(TypeFilter::packed).toArray();
        }

        private static long packed(final String type) {
            long packed = 0;
            for (final byte each : type.getBytes(StandardCharsets.US_ASCII)) {
                packed = packed << Byte.SIZE | each & 0xff;
            }
            return packed;
        }

        /** The type whose value begins here, packed; 0 where it is too long to be one. */
        static long typeAt(final DirectBuffer buffer, final int offset) {
            long packed = 0;
            for (int i = 0; i <= MAX_TYPE_BYTES; i++) {
                final byte each = buffer.getByte(offset + i);
                if (each == FixFramer.SOH) {
                    return packed;
                }
                packed = packed << Byte.SIZE | each & 0xff;
            }
            return 0;
        }

        /** Heartbeat, test request, resend request, reject, sequence reset, logout, logon. */
        static boolean isOfSession(final long type) {
            return type >= '0' && type <= '5' || type == 'A';
        }

        boolean isWanted(final long type) {
            if (wanted.length == 0) {
                return true;
            }
            for (final long each : wanted) {
                if (each == type) {
                    return true;
                }
            }
            return false;
        }
    }
}

package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.workloads.fix.message.StampFields;
import io.tickmark.workloads.fix.message.StampTags.Phase;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.SessionHandler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;

/**
 * The message handling of the consumers of one thread: times a message, and checks whether its
 * number is the next one of its producer. Single-threaded; allocates nothing once all producers are
 * known.
 */
final class Received implements SessionHandler {
    /** The warm-up begins anew this often. */
    private static final long WARM_UP_PART_NS = 200_000_000;

    private final RoleContext context;
    private final NanoClock clock;
    private final PhaseLatencies measured;
    private final PhaseLatencies unread;
    private final Runnable beginStep;
    private final ReceivedCounts counts;
    private final StampFields fields = new StampFields();
    private final byte[] host = HostId.text().getBytes(StandardCharsets.US_ASCII);
    private final ProducerSequences[] numbers;

    /** Number of answers to its request that each session still awaits. */
    private final int[] answers;

    private MessageLog ofMeasurement = MessageLog.off();
    private int stalled;

    /** Whose messages are being taken. */
    private int phase = Phase.WARM_UP.ordinal();

    private MessageIntake intake;
    private long beganNs;
    private long warmUpsBefore;
    private long warmUntilNs = Long.MIN_VALUE;
    private boolean isForeignHost;

    /** Of those whose messages were timed; known where planned faults are watched. */
    private int producers;

    private long lastNs;
    private String ended = "";

    /** Where the latencies of a phase go. */
    private record PhaseLatencies(LatencyRecorder response, LatencyRecorder service) {
        static PhaseLatencies of(final Recording recording, final int thread) {
            final String suffix = LoopCounts.suffix(thread);
            return new PhaseLatencies(
                    recording.latency(Latencies.RESPONSE_NS + suffix),
                    recording.latency(Latencies.SERVICE_NS + suffix));
        }
    }

    /** {@code thread} is the number among the role's, from 1: each has its own recorders. */
    Received(
            final RoleContext context,
            final int thread,
            final int sessions,
            final ReceivedCounts counts,
            final Runnable beginStep) {
        this.context = context;
        clock = context.clock();
        measured = PhaseLatencies.of(context.recording(), thread);
        unread = PhaseLatencies.of(RoleRecording.inMemory(clock), thread);
        this.beginStep = beginStep;
        this.counts = counts;
        answers = new int[sessions];
        numbers = ProducerSequences.of(sessions);
        intake = ofWarmUp();
    }

    /**
     * Takes the messages of a phase. Those of the warm-up have others, which nobody reads, one
     * after the other: so the code that begins with a first message, and that takes all others, has
     * been compiled when the measurement begins.
     */
    private static final class MessageIntake {
        private final ProducerSequences[] numbers;
        private final MessageLog messages;
        private final PhaseLatencies latencies;
        private final Counter received;
        private final Counter duplicated;

        /** So many sessions, the first ones, do not count. */
        private final int stalled;

        private long firstNs = Long.MAX_VALUE;
        private long lastMeasuredNs;

        MessageIntake(
                final ProducerSequences[] numbers,
                final MessageLog messages,
                final PhaseLatencies latencies,
                final Counter received,
                final Counter duplicated,
                final int stalled) {
            this.numbers = numbers;
            this.messages = messages;
            this.latencies = latencies;
            this.received = received;
            this.duplicated = duplicated;
            this.stalled = stalled;
        }
    }

    private MessageIntake ofWarmUp() {
        return new MessageIntake(
                ProducerSequences.of(numbers.length),
                ofMeasurement.unread(),
                unread,
                counts.warmUps(),
                ReceivedCounts.COLUMNS.zero().duplicated(),
                0);
    }

    @Override
    public void onActive(final FixSession session) {
        // the role waits for all of them
    }

    @Override
    public Handled onMessage(final FixSession session, final InboundMessage message) {
        final long nowNs = clock.nanoTime();
        lastNs = nowNs;
        if (isAnswer((Integer) session.attachment()) || !fields.wrap(message)) {
            counts.foreign().increment();
            return Handled.TAKEN;
        }
        final int ofMessage = fields.phase();
        if (!fields.isMarked()) {
            counts.unmarked().increment(); // only marked ones are numbered for us
        } else if (ofMessage == phase) {
            take((Integer) session.attachment(), nowNs, message.length());
        } else if (ofMessage == Phase.MEASURED.ordinal()) {
            begin();
            take((Integer) session.attachment(), nowNs, message.length());
        } else if (ofMessage == Phase.WARM_UP.ordinal()) {
            counts.warmUps().increment(); // a producer may warm up for longer than another
        } else if (ofMessage == Phase.END.ordinal()) {
            end((Integer) session.attachment());
        }
        return Handled.TAKEN;
    }

    private void end(final int session) {
        final int producer = fields.producer();
        numbers[session].end(producer, fields.fanOutNumber(), fields.intendedNs());
        if (numbers[session].hasLast(producer)) {
            measured.response().ended(stream(measured.response(), session));
        }
    }

    /**
     * A message that a gateway kept for a symbol may have been received from a producer long ago.
     */
    private boolean isAnswer(final int session) {
        if (answers[session] == 0) {
            return false;
        }
        answers[session]--;
        return true;
    }

    /**
     * The next {@code ofEachSession} messages of each session answer its request, and are not
     * measured; 0 ends the wait.
     */
    void awaitAnswers(final int ofEachSession) {
        Arrays.fill(answers, ofEachSession);
    }

    boolean isAwaitingAnswers() {
        return Arrays.stream(answers).anyMatch(left -> left > 0);
    }

    private void take(final int session, final long nowNs, final int length) {
        if (session < intake.stalled) {
            return; // read before it stopped; its messages are not expected
        }
        if (nowNs < intake.firstNs) { // also the first of each part of the warm-up
            intake.firstNs = nowNs;
            counts.messageBytes().set(length);
        }
        final long intendedNs = fields.intendedNs();
        if (!intake.numbers[session].take(fields.producer(), fields.fanOutNumber(), intendedNs)) {
            intake.duplicated.increment();
            return;
        }
        intake.received.increment();
        intake.lastMeasuredNs = nowNs;
        time(session, nowNs, intendedNs);
    }

    /** The times of measured messages go here; to be called before the first one arrives. */
    void logTo(final MessageLog log) {
        ofMeasurement = log;
        intake = ofWarmUp();
    }

    /** A pause of the producers before this time is not the one between warm-up and measurement. */
    void warmsUpUntil(final long timeNs) {
        warmUntilNs = timeNs;
    }

    /** The first {@code sessions} stop reading, and do not count. */
    void stalled(final int sessions) {
        stalled = sessions;
    }

    private void begin() {
        phase = Phase.MEASURED.ordinal();
        intake =
                new MessageIntake(
                        numbers,
                        ofMeasurement,
                        measured,
                        counts.received(),
                        counts.duplicated(),
                        stalled);
        beginStep.run();
    }

    /**
     * To be called now and then. Between warm-up and measurement nothing arrives: the step begins
     * there, where it delays no message.
     */
    void pass(final long nowNs, final long quietNs) {
        if (isMeasuring()) {
            return;
        }
        if (counts.warmUps().get() > 0 && nowNs > warmUntilNs && nowNs - lastNs > quietNs) {
            begin();
        } else if (nowNs - beganNs > WARM_UP_PART_NS && counts.warmUps().get() != warmUpsBefore) {
            beganNs = nowNs;
            warmUpsBefore = counts.warmUps().get();
            intake = ofWarmUp();
        }
    }

    private void time(final int session, final long nowNs, final long intendedNs) {
        if (fields.isOfHost(host)) {
            final LatencyRecorder response = intake.latencies.response();
            response.recordDelivery(intendedNs, nowNs, stream(response, session));
            intake.latencies.service().record(nowNs - fields.sentNs());
            intake.messages.add(intendedNs, fields.sentNs(), nowNs);
        } else {
            isForeignHost = true;
        }
    }

    /** Each session must recover, with the messages of each producer. */
    private int stream(final LatencyRecorder response, final int session) {
        if (!response.keepsDeliveries()) {
            return 0;
        }
        final int producer = fields.producer();
        if (producer >= producers) {
            producers = producer + 1;
            response.ofStreams(producers * numbers.length);
        }
        return producer * numbers.length + session;
    }

    @Override
    public void onEnd(final FixSession session, final String reason) {
        final boolean isWanted =
                context.isStopped()
                        || session.attachment() instanceof final Integer number && number < stalled;
        if (!reason.isEmpty() && ended.isEmpty() && !isWanted) {
            ended = reason;
        }
    }

    /** What each session has received from the producers. */
    Stream<ProducerSequences> numbers() {
        return Arrays.stream(numbers);
    }

    boolean isMeasuring() {
        return phase == Phase.MEASURED.ordinal();
    }

    /** Any thread. */
    long receivedSoFar() {
        return counts.received().get();
    }

    /** Complete up to the last message received. */
    ReceivedCounts counts() {
        final boolean isAny = isMeasuring() && intake.firstNs != Long.MAX_VALUE;
        counts.durationNs().set(isAny ? intake.lastMeasuredNs - intake.firstNs : 0);
        return counts;
    }

    boolean isForeignHost() {
        return isForeignHost;
    }

    long lastNs() {
        return lastNs;
    }

    /**
     * Why a reading session ended without being logged out, before a stop; empty while none has.
     */
    String ended() {
        return ended;
    }

    /**
     * The counts of one thread of consumers, and where they are shown.
     *
     * @param received measured messages received
     * @param duplicated measured messages that came more than once
     * @param garbled messages that were not FIX
     * @param missed messages that the session found missing and requested again
     * @param warmUps messages of the warm-up
     * @param unmarked messages that were not marked to fan out, of a gateway that fans out all
     * @param foreign messages without our stamp
     * @param durationNs from the first measured message to the last
     */
    record ReceivedCounts(
            @Column(count = Counts.RECEIVED) Counter received,
            @Column(count = Counts.DUPLICATED) Counter duplicated,
            @Column(count = Counts.CORRUPTED) Counter garbled,
            @Column(count = "sequenceGaps") Counter missed,
            @Column(metric = "warmUpReceived") Counter warmUps,
            @Column(metric = "unmarkedReceived") Counter unmarked,
            @Column(metric = "foreignMessages") Counter foreign,
            @Column(isLargest = true) Counter durationNs,
            @Column(isLargest = true) Counter messageBytes) {
        static final Columns<ReceivedCounts> COLUMNS = Columns.of(ReceivedCounts.class);
    }
}

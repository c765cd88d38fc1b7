package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.fix.message.LoadFields;
import io.tickmark.workloads.fix.message.LoadTags.Phase;
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
    private final RoleContext context;
    private final NanoClock clock;
    private final Latency response;
    private final Latency service;
    private final Runnable beginStep;
    private final LoadFields fields = new LoadFields();
    private final byte[] host = HostId.text().getBytes(StandardCharsets.US_ASCII);
    private final ProducerNumbers[] numbers;

    /** What each session still awaits of the answers to its request. */
    private final int[] answers;

    private int stalled;
    private boolean isMeasuring;
    private boolean isWarm;
    private boolean isForeignHost;
    private volatile long received;
    private long receivedNow;
    private long warmUps;
    private long duplicated;
    private long foreign;
    private long unmarked;
    private long firstNs;
    private long lastNs;
    private int messageBytes;
    private String ended = "";

    /** The destination of a latency: a recorder, or a histogram of the thread. */
    interface Latency {
        void record(long ns);

        static Latency of(final LatencyRecorder recorder) {
            return recorder::record;
        }
    }

    Received(
            final RoleContext context,
            final int sessions,
            final Latency response,
            final Latency service,
            final Runnable beginStep) {
        this.context = context;
        clock = context.clock();
        this.response = response;
        this.service = service;
        this.beginStep = beginStep;
        answers = new int[sessions];
        numbers = new ProducerNumbers[sessions];
        Arrays.setAll(numbers, session -> new ProducerNumbers());
    }

    @Override
    public void onActive(final FixSession session) {
        // the role waits for all of them
    }

    @Override
    public Answer onMessage(final FixSession session, final InboundMessage message) {
        final long nowNs = clock.nanoTime();
        lastNs = nowNs;
        if (isAnswer((Integer) session.attachment()) || !fields.wrap(message)) {
            foreign++;
            return Answer.TAKEN;
        }
        final int phase = fields.phase();
        if (!fields.isMarked()) {
            unmarked++; // of a gateway that gives out all: only marked ones are numbered for us
        } else if (phase == Phase.MEASURED.ordinal()) {
            measured((Integer) session.attachment(), nowNs, message.length());
        } else if (phase == Phase.WARM_UP.ordinal()) {
            warmUps++;
            isWarm = true;
            if (!isMeasuring) { // a producer may warm up for longer than another
                time(nowNs, fields.intendedNs());
            }
        } else if (phase == Phase.END.ordinal()) {
            numbers[(Integer) session.attachment()].end(
                    fields.producer(), fields.fanOutNumber(), fields.intendedNs());
        }
        return Answer.TAKEN;
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
     * The next so many messages of each session answer its request, and are not measured; 0 once
     * they need not be awaited any more.
     */
    void awaitAnswers(final int ofEachSession) {
        Arrays.fill(answers, ofEachSession);
    }

    boolean isAwaitingAnswers() {
        return Arrays.stream(answers).anyMatch(left -> left > 0);
    }

    private void measured(final int session, final long nowNs, final int length) {
        if (!isMeasuring) {
            begin();
        }
        if (session < stalled) {
            return; // read before it stopped; its messages are not expected
        }
        if (firstNs == 0) {
            firstNs = nowNs;
            messageBytes = length;
        }
        final long intendedNs = fields.intendedNs();
        if (!numbers[session].take(fields.producer(), fields.fanOutNumber(), intendedNs)) {
            duplicated++;
            return;
        }
        received = ++receivedNow;
        time(nowNs, intendedNs);
    }

    /** The first so many sessions stop reading, and do not count. */
    void stalled(final int sessions) {
        stalled = sessions;
    }

    /** Recordings of the warm-up are discarded. */
    private void begin() {
        isMeasuring = true;
        beginStep.run();
    }

    /**
     * Between warm-up and measurement it is quiet: the step begins there, and delays no message.
     */
    void onQuiet(final long nowNs, final long quietNs) {
        if (isWarm && !isMeasuring && nowNs - lastNs > quietNs) {
            begin();
        }
    }

    private void time(final long nowNs, final long intendedNs) {
        if (fields.isOfHost(host)) {
            response.record(nowNs - intendedNs);
            service.record(nowNs - fields.sentNs());
        } else {
            isForeignHost = true;
        }
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
    Stream<ProducerNumbers> numbers() {
        return Arrays.stream(numbers);
    }

    boolean isMeasuring() {
        return isMeasuring;
    }

    long received() {
        return received;
    }

    long warmUps() {
        return warmUps;
    }

    long duplicated() {
        return duplicated;
    }

    long foreign() {
        return foreign;
    }

    long unmarked() {
        return unmarked;
    }

    boolean isForeignHost() {
        return isForeignHost;
    }

    long lastNs() {
        return lastNs;
    }

    long durationNs() {
        return firstNs == 0 ? 0 : lastNs - firstNs;
    }

    int messageBytes() {
        return messageBytes;
    }

    /**
     * Why a session ended that reads and was not logged out, before a stop; empty while none did.
     */
    String ended() {
        return ended;
    }
}

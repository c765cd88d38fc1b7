package io.tickmark.kernel.record;

import io.tickmark.kernel.record.RecordedFiles.ResourceSample;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.stall.StallRecording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;

/**
 * The recording of one role in one trial. Once a second a reporter's thread drains the recorders
 * into {@link RoleFiles#STATS} and {@link RoleFiles#HISTOGRAMS} and reports the role's progress to
 * its listener; without {@link #start()} no other thread runs, and the caller calls {@link
 * #report()} itself.
 *
 * <p>Files never end a measurement: the first error becomes a warning, and figures are kept in
 * memory.
 */
public final class RoleRecording implements Recording, AutoCloseable {
    private static final long REPORT_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOG_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long REHEARSAL_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long CORES_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long JOIN_MS = 10_000;

    private final RecordingOptions options;
    private final Recorders recorders;
    private final RecordedFiles files;
    private final StallRecording stalls;
    private volatile boolean isStopping;

    /** A thread was stalled for long, and it is not known yet whether a quota kept it. */
    private volatile boolean isTakenDue;

    private long takenFromNs = Long.MIN_VALUE;
    private final Object reporting = new Object();
    private Thread reporter;
    private Rehearsal rehearsal;
    private boolean isClosed;
    private long failures;
    private String firstFailure = "";

    /**
     * A recording; nothing runs and no file is created yet.
     *
     * @param options what it is created from
     * @throws io.tickmark.kernel.settings.UserError if the folder does not exist
     */
    public RoleRecording(final RecordingOptions options) {
        this.options = options;
        this.recorders = new Recorders(options.directory().isPresent());
        this.files = new RecordedFiles(recorders, options);
        this.stalls = new StallRecording(options.directory(), options.repeat(), options.clock());
    }

    /**
     * A recording without files, for roles that are tested alone.
     *
     * @param clock the clock of all latencies
     * @return a new recording
     */
    public static RoleRecording inMemory(final NanoClock clock) {
        return new RoleRecording(RecordingOptions.inMemory(clock));
    }

    /**
     * Keeps when messages arrive after planned faults, for all latencies; to be called before the
     * first is recorded.
     *
     * @param plannedNs times of the faults, on this recording's clock; none where nothing is to be
     *     kept
     */
    public void watchFaults(final long... plannedNs) {
        recorders.watchFaults(plannedNs);
    }

    /**
     * When messages arrived after the planned faults; to be called once nothing is recorded any
     * more.
     *
     * @return by latency, one for each fault in the order of {@link #watchFaults}; empty where none
     *     are planned, without latencies that are not of deliveries
     */
    public Map<String, List<Deliveries.AfterFault>> deliveries() {
        return recorders.deliveries();
    }

    /** Starts the reporter's thread; to be called once. */
    public void start() {
        synchronized (reporting) {
            if (reporter != null || isClosed) {
                throw new IllegalStateException("a recording is started once, before its close");
            }
            final Thread thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("reporter")
                            .unstarted(this::reportUntilClosed);
            stalls.afterLongStall(() -> {
                if (!isTakenDue) { // so that it is woken ten times a second at most
                    isTakenDue = true;
                    LockSupport.unpark(thread);
                }
            });
            reporter = thread;
            thread.start();
        }
    }

    private void reportUntilClosed() {
        long nextNs = options.clock().nanoTime() + REPORT_PERIOD_NS;
        reportProgress(); // so that the counts of a role that dies within a second are known
        while (!waitedForStop(nextNs)) {
            if (options.clock().nanoTime() - nextNs < 0) {
                files.drainLogs();
                lookBetween();
                continue;
            }
            report();
            nextNs = Math.max(nextNs, options.clock().nanoTime() - REPORT_PERIOD_NS);
            nextNs += REPORT_PERIOD_NS;
        }
    }

    private void lookBetween() {
        synchronized (reporting) {
            try {
                stalls.readCores();
                if (isTakenDue && options.clock().nanoTime() >= takenFromNs) {
                    isTakenDue = false;
                    takenFromNs = stalls.readTaken();
                }
                if (isRehearsing()) {
                    rehearsal = rehearsal == null ? new Rehearsal(options) : rehearsal;
                    rehearsal.goOn(recorders.hasLatencies());
                    stalls.rehearse();
                    stalls.write();
                } else {
                    rehearsal = null; // with its histograms
                }
            } catch (final RuntimeException e) {
                addTrouble(e);
            }
        }
    }

    /** Repeats until the first step, if there is one. */
    private boolean isRehearsing() {
        return !recorders.hasBegun() && options.directory().isPresent() && !Rehearsal.isOver();
    }

    private boolean waitedForStop(final long untilNs) {
        final long nowNs = options.clock().nanoTime();
        long pauseNs = Math.max(0, untilNs - nowNs);
        if (!recorders.logs().isEmpty()) {
            pauseNs = Math.min(pauseNs, LOG_PERIOD_NS);
        }
        if (isRehearsing()) {
            pauseNs = Math.min(pauseNs, REHEARSAL_PERIOD_NS);
        }
        if (stalls.looksAtCores()) {
            pauseNs = Math.min(pauseNs, CORES_PERIOD_NS);
        }
        if (isTakenDue) {
            pauseNs = nowNs >= takenFromNs ? 0 : Math.min(pauseNs, takenFromNs - nowNs);
        }
        if (!isStopping) {
            LockSupport.parkNanos(this, pauseNs);
        }
        return isStopping || Thread.currentThread().isInterrupted();
    }

    private void reportProgress() {
        synchronized (reporting) {
            try {
                options.listener().accept(progress());
            } catch (final RuntimeException e) {
                addTrouble(e);
            }
        }
    }

    private void addTrouble(final RuntimeException e) {
        // the figures matter more than the reporter: it continues, and reports how often it failed
        failures++;
        if (firstFailure.isEmpty()) {
            firstFailure = e.toString();
        }
    }

    /**
     * Does what the reporter's thread does once a second: drains, writes, notifies the listener.
     */
    public void report() {
        synchronized (reporting) {
            try {
                recorders.drain(options.clock().nanoTime());
                stalls.write();
                stalls.stalled().ifPresent(this::tell);
                files.write(ResourceSample.of(options.resources()));
                options.listener().accept(recorders.news(options.clock().nanoTime()));
            } catch (final RuntimeException e) {
                addTrouble(e);
            }
        }
    }

    private void tell(final StallRecording.Stalled stalled) {
        recorders.gauge(Counts.STALLED_NS).set(stalled.allNs());
        recorders.gauge(Counts.STALLED_WAITING_NS).set(stalled.waitingNs());
        recorders.gauge(Counts.STALLED_OFF_CORE_NS).set(stalled.offCoreNs());
        recorders.gauge(Counts.STALLED_ON_CORE_NS).set(stalled.onCoreNs());
    }

    @Override
    public LatencyRecorder latency(final String name) {
        return recorders.latency(checked(name));
    }

    @Override
    public Counter counter(final String name) {
        return recorders.counter(name);
    }

    @Override
    public Counter gauge(final String name) {
        return recorders.gauge(name);
    }

    @Override
    public LatencyLog latencyLog(final String name) {
        return recorders.log(checked(name));
    }

    private String checked(final String name) {
        return new HistogramTag(name, options.repeat(), 0).latency();
    }

    @Override
    public StallRecording stalls() {
        return stalls;
    }

    @Override
    public void beginStep(final int step, final String label) {
        recorders.begin(step, label, options.clock().nanoTime());
    }

    @Override
    public StepRecording endStep() {
        return recorders.end(options.clock().nanoTime());
    }

    /**
     * The role's current progress; any thread.
     *
     * @return counters and elapsed time
     */
    public Progress progress() {
        return recorders.progress(options.clock().nanoTime());
    }

    /**
     * Messages for the user about the files; complete after {@link #close()}.
     *
     * @return sentences, empty when there is no problem
     */
    public List<String> warnings() {
        synchronized (reporting) {
            final List<String> all = new ArrayList<>(files.warnings());
            if (failures > 0) {
                all.addFirst(
                        "The role failed to report its counts %s; the first time: %s."
                                .formatted(Plural.of(failures, "time"), firstFailure));
            }
            stalls.warning().ifPresent(all::add);
            return List.copyOf(all);
        }
    }

    /** Stops the reporter, writes the rest and closes the files; idempotent, does not throw. */
    @Override
    public void close() {
        isStopping = true;
        joinReporter();
        synchronized (reporting) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            report();
            files.close();
            stalls.close();
        }
    }

    private void joinReporter() {
        final Thread running;
        synchronized (reporting) {
            running = reporter;
        }
        if (running == null) {
            return;
        }
        LockSupport.unpark(running);
        try {
            running.join(JOIN_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What the reporter does once a second, done while the role warms up: otherwise its code would
     * be interpreted and compiled during the measurement, on the measured cores. Single-threaded.
     */
    private static final class Rehearsal {
        private static final int ROUNDS = 100;

        /** Needed once for each process. */
        private static final AtomicInteger DONE = new AtomicInteger();

        private static final int VALUES = 500;
        private static final long SHORTEST_NS = 1_000;
        private static final int BITS = 14;
        private static final ResourceSample RESOURCES = new ResourceSample(12.5, 1L << 27);

        private final RecordingOptions options;
        private final Recorders recorders = new Recorders(true);
        private final RecordedFiles files;
        private final LatencyRecorder response = recorders.latency(Latencies.RESPONSE_NS);
        private final LatencyRecorder service = recorders.latency(Latencies.SERVICE_NS);
        private final Counter sent = recorders.counter(Counts.SENT);
        private final Random random = new Random(1);

        Rehearsal(final RecordingOptions options) {
            this.options = options;
            files = RecordedFiles.discarding(recorders, options);
            recorders.begin(0, "rehearsal", options.clock().nanoTime());
        }

        static boolean isOver() {
            return DONE.get() >= ROUNDS;
        }

        /** A role without latencies writes none. */
        void goOn(final boolean withLatencies) {
            DONE.incrementAndGet();
            for (int i = 0; withLatencies && i < VALUES; i++) {
                // microseconds to milliseconds, as latencies are
                final long ns = SHORTEST_NS * (1 + (1L << random.nextInt(BITS)));
                response.record(ns + random.nextInt((int) ns));
                service.record(ns);
            }
            sent.add(VALUES);
            recorders.drain(options.clock().nanoTime());
            files.write(RESOURCES);
            options.listener().rehearse(recorders.news(options.clock().nanoTime()));
        }
    }
}

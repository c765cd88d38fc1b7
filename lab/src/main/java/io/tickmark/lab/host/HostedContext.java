package io.tickmark.lab.host;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.record.RecordingOptions;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.lab.protocol.ToRole.ThreadPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;

/** What a role gets from its host. */
final class HostedContext implements RoleContext {
    /**
     * The position of a role in its trial.
     *
     * @param index among the roles of its name
     * @param count of roles of its name
     * @param trialId 0 by hand
     * @param connectTimeoutNs for its peers
     * @param threads planned
     */
    record Place(
            int index, int count, int trialId, long connectTimeoutNs, List<ThreadPlan> threads) {}

    private final Place place;
    private final RecordingOptions options;
    private final Recording recording;
    private final Consumer<String> listener;
    private final List<String> warnings = new ArrayList<>();
    private final LongAccumulator beganNs = new LongAccumulator(Math::max, Long.MIN_VALUE);
    private volatile boolean isBrokenOff;
    private volatile boolean stopped;

    HostedContext(
            final Place place,
            final RecordingOptions options,
            final Recording recording,
            final Consumer<String> listener) {
        this.place = place;
        this.options = options;
        this.recording = recording;
        this.listener = listener;
    }

    /** Asks the role to end soon. */
    void stop(final boolean newIsBrokenOff) {
        isBrokenOff |= newIsBrokenOff;
        stopped = true;
    }

    /** When the last of its threads began; empty where none reported it. */
    OptionalLong beganNs() {
        final long last = beganNs.get();
        return last == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(last);
    }

    /** Sentences about what could not be done as planned. */
    List<String> warnings() {
        synchronized (warnings) {
            return List.copyOf(warnings);
        }
    }

    @Override
    public int index() {
        return place.index();
    }

    @Override
    public int count() {
        return place.count();
    }

    @Override
    public int trialId() {
        return place.trialId();
    }

    @Override
    public int repeat() {
        return options.repeat();
    }

    @Override
    public Optional<Path> directory() {
        return options.directory();
    }

    @Override
    public NanoClock clock() {
        return options.clock();
    }

    @Override
    public Recording recording() {
        return recording;
    }

    @Override
    public long connectTimeoutNs() {
        return place.connectTimeoutNs();
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public boolean isBrokenOff() {
        return isBrokenOff;
    }

    /** A thread that was not declared waits without spinning. */
    private ThreadPlan planOf(final String thread) {
        return place.threads().stream()
                .filter(plan -> plan.name().equals(thread))
                .findFirst()
                .orElse(new ThreadPlan(thread, IdleMode.PARK, "", -1));
    }

    /** Why a hot thread does not spin where nobody chose how it waits; otherwise empty. */
    String idleReason(final HotThread hotThread) {
        return planOf(hotThread.name()).idleReason();
    }

    @Override
    public IdleMode idleMode(final HotThread hotThread) {
        return planOf(hotThread.name()).idle();
    }

    @Override
    public Idle idleStrategy(final HotThread hotThread) {
        return IdleStrategies.of(idleMode(hotThread), clock());
    }

    @Override
    public void pin(final HotThread hotThread) {
        final ThreadPlan plan = planOf(hotThread.name());
        if (plan.core() >= 0) {
            Affinity.pin(plan.core()).ifPresent(this::warn);
        }
        if (plan.idle().sleeps()) {
            // otherwise each park of some microseconds would take 50 us longer
            ThreadPriority.timerSlack(1).ifPresent(this::warn);
        }
    }

    /** The role's own thread is the first that it declared. */
    void pinOwnThread(final List<HotThread> declared) {
        if (!declared.isEmpty()) {
            pin(declared.getFirst());
        }
    }

    /** A thread may be pinned by its host and by its role: a failure is reported once. */
    private void warn(final String sentence) {
        synchronized (warnings) {
            if (!warnings.contains(sentence)) {
                warnings.add(sentence);
            }
        }
    }

    @Override
    public void began() {
        beganNs.accumulate(clock().nanoTime());
    }

    @Override
    public void log(final String line) {
        listener.accept(line);
    }
}

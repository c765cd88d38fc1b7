package io.tickmark.workloads.messaging;

import io.tickmark.kernel.record.RecordingOptions;
import io.tickmark.kernel.record.ResourceSource;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.RoleContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The host of a role in a test: everything in memory where no folder is given, idle threads yield
 * because cores are shared.
 */
public final class TestContext implements RoleContext {
    private final int index;
    private final int count;
    private final NanoClock clock;
    private final RoleRecording recording;
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile long connectTimeoutNs = 30_000_000_000L;
    private volatile IdleMode idle = IdleMode.YIELD;
    private volatile String lastWords = "";
    private volatile boolean brokenOff;
    private volatile boolean stopped;

    private TestContext(final int index, final int count, final RecordingOptions options) {
        this.index = index;
        this.count = count;
        clock = options.clock();
        recording = new RoleRecording(options);
    }

    public TestContext(final int index, final int count, final NanoClock clock) {
        this(index, count, RecordingOptions.inMemory(clock));
    }

    public TestContext(final int index, final int count) {
        this(index, count, SystemNanoClock.INSTANCE);
    }

    /** A context whose recording writes its files to a folder, complete once it is closed. */
    public static TestContext writingTo(final Path folder) {
        return new TestContext(
                1,
                1,
                new RecordingOptions(
                        Optional.of(folder),
                        1,
                        SystemNanoClock.INSTANCE,
                        SystemEpochNanoClock.INSTANCE,
                        ResourceSource.NONE,
                        progress -> {}));
    }

    public TestContext waiting(final IdleMode mode) {
        idle = mode;
        return this;
    }

    public TestContext connectingFor(final long timeoutNs) {
        connectTimeoutNs = timeoutNs;
        return this;
    }

    /** Stops once its role prints a line with this beginning. */
    public void stopWhenTold(final String beginning) {
        lastWords = beginning;
    }

    public void stop() {
        stopped = true;
    }

    public void breakOff() {
        brokenOff = true;
        stop();
    }

    public List<String> told() {
        return told;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int trialId() {
        return 0;
    }

    @Override
    public NanoClock clock() {
        return clock;
    }

    @Override
    public RoleRecording recording() {
        return recording;
    }

    @Override
    public long connectTimeoutNs() {
        return connectTimeoutNs;
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public boolean isBrokenOff() {
        return brokenOff;
    }

    @Override
    public IdleMode idleMode(final HotThread hotThread) {
        return idle;
    }

    @Override
    public Idle idleStrategy(final HotThread hotThread) {
        return IdleStrategies.of(idle, clock());
    }

    @Override
    public void pin(final HotThread hotThread) {
        // Tests do not pin threads.
    }

    @Override
    public void log(final String line) {
        told.add(line);
        stopped |= !lastWords.isEmpty() && line.startsWith(lastWords);
    }
}

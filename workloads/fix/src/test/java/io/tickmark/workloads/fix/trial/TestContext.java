package io.tickmark.workloads.fix.trial;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.RoleContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The host of a role in a test: everything in memory, idle threads block because cores are shared,
 * unless they are to wait otherwise.
 */
public final class TestContext implements RoleContext {
    private static final long PATIENCE_NS = 30_000_000_000L;

    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final int index;
    private final int count;
    private final NanoClock clock;
    private final IdleMode idle;
    private volatile boolean isStopped;

    /** One of so many roles of its name, from 1. */
    public TestContext(final int index, final int count, final NanoClock clock) {
        this(index, count, clock, IdleMode.BLOCK);
    }

    /** The same, whose threads wait in that mode. */
    public TestContext(
            final int index, final int count, final NanoClock clock, final IdleMode idle) {
        this.index = index;
        this.count = count;
        this.clock = clock;
        this.idle = idle;
    }

    public void stop() {
        isStopped = true;
    }

    public List<String> lines() {
        return lines;
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
        return PATIENCE_NS;
    }

    @Override
    public boolean isStopped() {
        return isStopped;
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
        // tests leave threads where they are
    }

    @Override
    public void log(final String line) {
        lines.add(line);
    }
}

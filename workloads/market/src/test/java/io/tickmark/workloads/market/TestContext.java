package io.tickmark.workloads.market;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.RoleContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/** The host of a role in a test: latencies in memory, waits that leave the cores to others. */
public final class TestContext implements RoleContext {
    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Optional<Path> directory;
    private final long connectTimeoutNs;
    private final List<HotThread> hotThreads;
    private final LongAdder looksAtClock = new LongAdder();
    private volatile long skippedNs;
    private volatile boolean stopped;
    private volatile String broken = "";

    public TestContext(
            final Optional<Path> directory,
            final long connectTimeoutNs,
            final List<HotThread> hotThreads) {
        this.hotThreads = hotThreads;
        this.directory = directory;
        this.connectTimeoutNs = connectTimeoutNs;
    }

    public void stop() {
        stopped = true;
    }

    /**
     * From now on the clock of the role is ahead by so much: what would last too long for a test is
     * over. Call it once.
     */
    public void skip(final Duration time) {
        skippedNs = time.toNanos();
    }

    /** The thread of this name meets an error as soon as it runs. */
    public void breakThread(final String name) {
        broken = name;
    }

    /** How often the role has read the clock: a loop that does not wait does so in each pass. */
    public long looksAtClock() {
        return looksAtClock.sum();
    }

    public List<String> lines() {
        return lines;
    }

    @Override
    public Optional<Path> directory() {
        return directory;
    }

    @Override
    public int index() {
        return 1;
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public int trialId() {
        return 1; // as in a plan
    }

    @Override
    public NanoClock clock() {
        return () -> {
            looksAtClock.increment();
            return SystemNanoClock.INSTANCE.nanoTime() + skippedNs;
        };
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
    public IdleMode idleMode(final HotThread hotThread) {
        return hotThreads.stream()
                .filter(each -> each.name().equals(hotThread.name()))
                .map(HotThread::idle)
                .filter(each -> each != IdleMode.AUTO)
                .findFirst()
                .orElse(IdleMode.BLOCK);
    }

    @Override
    public Idle idleStrategy(final HotThread hotThread) {
        return IdleStrategies.of(idleMode(hotThread), clock());
    }

    @Override
    public void pin(final HotThread hotThread) {
        // Tests leave threads where they are.
        if (hotThread.name().equals(broken)) {
            throw new LinkageError("a class is missing");
        }
    }

    @Override
    public void log(final String line) {
        lines.add(line);
    }
}

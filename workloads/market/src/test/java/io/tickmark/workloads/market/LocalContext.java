package io.tickmark.workloads.market;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The host of a role of market data in a test: threads wait as they declare, or leave their cores
 * to others; the clock can skip time and counts its readers.
 */
public final class LocalContext extends TestContext {
    private final List<HotThread> hotThreads;
    private final LongAdder looksAtClock = new LongAdder();
    private volatile long skippedNs;
    private volatile String broken = "";
    private volatile boolean isByHand;

    public LocalContext(
            final Optional<Path> directory,
            final long connectTimeoutNs,
            final List<HotThread> hotThreads) {
        super(1, 1);
        directory.ifPresent(this::in);
        connectingFor(connectTimeoutNs);
        this.hotThreads = hotThreads;
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

    /** No plan has started the role. */
    public void byHand() {
        isByHand = true;
    }

    @Override
    public int trialId() {
        return isByHand ? 0 : 1;
    }

    @Override
    public NanoClock clock() {
        return () -> {
            looksAtClock.increment();
            return SystemNanoClock.INSTANCE.nanoTime() + skippedNs;
        };
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
    public void pin(final HotThread hotThread) {
        super.pin(hotThread);
        if (hotThread.name().equals(broken)) {
            throw new LinkageError("a class is missing");
        }
    }
}

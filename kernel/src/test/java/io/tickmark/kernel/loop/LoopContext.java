package io.tickmark.kernel.loop;

import io.tickmark.kernel.record.Recording;
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
import org.agrona.concurrent.SystemNanoClock;

/** The host of a role in a test: keeps the messages to the user. */
final class LoopContext implements RoleContext {
    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
    private final Optional<Path> directory;
    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<String> pinned = new CopyOnWriteArrayList<>();
    volatile boolean isStopped;

    LoopContext(final Optional<Path> directory) {
        this.directory = directory;
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
        return 1;
    }

    @Override
    public Optional<Path> directory() {
        return directory;
    }

    @Override
    public NanoClock clock() {
        return SystemNanoClock.INSTANCE;
    }

    @Override
    public Recording recording() {
        return recording;
    }

    @Override
    public long connectTimeoutNs() {
        return 1;
    }

    @Override
    public boolean isStopped() {
        return isStopped;
    }

    @Override
    public IdleMode idleMode(final HotThread hotThread) {
        return IdleMode.PARK;
    }

    @Override
    public Idle idleStrategy(final HotThread hotThread) {
        return IdleStrategies.of(IdleMode.PARK, clock());
    }

    @Override
    public void pin(final HotThread hotThread) {
        pinned.add(hotThread.name());
    }

    @Override
    public void log(final String line) {
        lines.add(line);
    }
}

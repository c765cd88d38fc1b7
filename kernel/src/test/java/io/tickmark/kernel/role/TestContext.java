package io.tickmark.kernel.role;

import io.tickmark.kernel.record.RecordingOptions;
import io.tickmark.kernel.record.ResourceSource;
import io.tickmark.kernel.record.RoleRecording;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The host of a role in a test of any module: it records in memory, keeps the role's lines, pins no
 * thread, and lets idle threads sleep, because cores are shared; on a clock of the test, which
 * their sleep does not move, they yield. A test that needs more extends it.
 */
public class TestContext implements RoleContext {
    private static final long PATIENCE_NS = 30_000_000_000L;

    private final int index;
    private final int count;
    private final NanoClock clock;
    private final RoleRecording recording;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> pinned = new CopyOnWriteArrayList<>();
    private int repeat = 1;
    private Optional<Path> directory = Optional.empty();
    private volatile long connectTimeoutNs = PATIENCE_NS;
    private volatile IdleMode idle;
    private volatile String lastWords = "";
    private volatile boolean brokenOff;
    private volatile boolean stopped;

    private TestContext(final int index, final int count, final RecordingOptions options) {
        this.index = index;
        this.count = count;
        clock = options.clock();
        idle = clock == SystemNanoClock.INSTANCE ? IdleMode.ADAPTIVE : IdleMode.YIELD;
        recording = new RoleRecording(options);
    }

    /** One of so many roles of its name, from 1. */
    public TestContext(final int index, final int count, final NanoClock clock) {
        this(index, count, RecordingOptions.inMemory(clock));
    }

    /** The same on the machine's clock. */
    public TestContext(final int index, final int count) {
        this(index, count, SystemNanoClock.INSTANCE);
    }

    /** A context whose recording writes its files to a folder, complete once it is closed. */
    public static TestContext recordingTo(final Path folder) {
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

    /** Gives the role a folder for its own files. */
    public TestContext in(final Path folder) {
        directory = Optional.of(folder);
        return this;
    }

    /** Makes it a later repeat of the trial. */
    public TestContext inRepeat(final int number) {
        repeat = number;
        return this;
    }

    /** Lets all threads wait in that mode. */
    public TestContext waiting(final IdleMode mode) {
        idle = mode;
        return this;
    }

    /** Limits how long the role looks for its peers. */
    public TestContext connectingFor(final long timeoutNs) {
        connectTimeoutNs = timeoutNs;
        return this;
    }

    /** Stops once the role prints a line with this beginning. */
    public void stopAtLine(final String beginning) {
        lastWords = beginning;
    }

    public void stop() {
        stopped = true;
    }

    public void breakOff() {
        brokenOff = true;
        stop();
    }

    /** What the role told its user. */
    public List<String> lines() {
        return lines;
    }

    /** Names of the threads that asked to be pinned, in that order. */
    public List<String> pinned() {
        return pinned;
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
    public int repeat() {
        return repeat;
    }

    @Override
    public Optional<Path> directory() {
        return directory;
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
        return IdleStrategies.of(idleMode(hotThread), clock());
    }

    @Override
    public void pin(final HotThread hotThread) {
        pinned.add(hotThread.name());
    }

    @Override
    public void log(final String line) {
        lines.add(line);
        stopped |= !lastWords.isEmpty() && line.startsWith(lastWords);
    }
}

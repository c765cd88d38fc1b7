package io.tickmark.kernel.loop;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The loops of one role, which begin and end together: a failure of one of them ends the test for
 * all. A role may extend it with what its loops share. Any thread.
 */
public class LoopGroup {
    /** Label of the step up to the steady state, which is step 0. */
    public static final String STARTUP = "startup";

    /** Number of the step of the steady state. */
    public static final int STEADY_STEP = 1;

    /** Label of the steady state, which is step {@link #STEADY_STEP}. */
    public static final String STEADY = "steady state";

    private final RoleContext context;
    private final String one;
    private final List<HotThread> threads;
    private final StallWatch.Part part;
    private final StallWatch[] watches;
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private volatile boolean ended;
    private volatile UserError badInput;
    private volatile StepRecording startup;

    /**
     * No loop runs yet.
     *
     * @param context of the role
     * @param one what messages call a loop, such as {@code connection}
     * @param threads as the role's factory declares them, one for each loop
     */
    public LoopGroup(final RoleContext context, final String one, final List<HotThread> threads) {
        this(context, one, threads, null);
    }

    /**
     * The same for loops whose threads are watched for stalls: each calls its {@link #watch}
     * wherever it reads the clock.
     *
     * @param context of the role
     * @param one what messages call a loop, such as {@code connection}
     * @param threads as the role's factory declares them, one for each loop
     * @param part what the threads do with messages; null where they are not watched
     */
    public LoopGroup(
            final RoleContext context,
            final String one,
            final List<HotThread> threads,
            final StallWatch.Part part) {
        this.context = context;
        this.one = one;
        this.threads = List.copyOf(threads);
        this.part = part;
        watches = new StallWatch[threads.size()];
    }

    /**
     * What the host passes to the role.
     *
     * @return the context
     */
    public final RoleContext context() {
        return context;
    }

    /**
     * What the thread of a loop waits with.
     *
     * @param number of the loop, from 1
     * @return a new one, for that thread only
     */
    public final Idle idle(final int number) {
        final Idle idle = context.idleStrategy(threads.get(number - 1));
        idle.watch(watch(number));
        return idle;
    }

    /**
     * The watch of a loop's thread. It watches while the loop runs; the sleeps of {@link #idle} are
     * reported to it. To be asked for by the role's thread, before the loops run.
     *
     * @param number of the loop, from 1
     * @return always the same
     */
    public final StallWatch watch(final int number) {
        if (watches[number - 1] == null) {
            final HotThread thread = threads.get(number - 1);
            watches[number - 1] =
                    part == null
                            ? StallWatch.off()
                            : context.recording()
                                    .stalls()
                                    .watch(
                                            thread.name(),
                                            part,
                                            context.idleMode(thread).notWatched());
        }
        return watches[number - 1];
    }

    /**
     * Runs each loop on its thread, pinned as planned, the first on the calling one; waits for all.
     *
     * @param loops to run, no more than there are threads
     */
    public final void run(final List<? extends Runnable> loops) {
        final List<Thread> others = new ArrayList<>();
        for (int i = 1; i < loops.size(); i++) {
            final int number = i + 1;
            final Runnable loop = loops.get(i);
            others.add(
                    Thread.ofPlatform()
                            .name(threads.get(i).name())
                            .start(() -> guarded(number, loop)));
        }
        guarded(1, loops.getFirst());
        try {
            for (final Thread other : others) {
                other.join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(final int number, final Runnable loop) {
        try {
            if (number > 1) {
                Affinity.unpin(); // it is started by the first one, whose core is not for it
            }
            context.pin(threads.get(number - 1));
            final StallWatch watch = watch(number);
            watch.begin();
            try {
                loop.run();
            } finally {
                watch.end();
            }
        } catch (final UserError e) {
            if (e.kind() == UserError.Kind.USAGE) {
                badInput = e;
            }
            fail(e.getMessage());
        } catch (final RuntimeException | Error e) {
            fail("The %s %d failed because of a defect: %s.".formatted(one, number, e));
        }
    }

    /** Begins to record the step up to the steady state. */
    public final void beginStartup() {
        context.recording().beginStep(0, STARTUP);
    }

    /** Whatever is recorded from now on belongs to the steady state; only the first call counts. */
    public final synchronized void beginSteady() {
        if (startup == null) {
            final StepRecording recorded = context.recording().endStep();
            context.recording().beginStep(STEADY_STEP, STEADY);
            startup = recorded;
        }
    }

    /**
     * Whether the steady state has begun.
     *
     * @return true from the first call of {@link #beginSteady} on
     */
    public final boolean isSteady() {
        return startup != null;
    }

    /**
     * What was recorded before the steady state.
     *
     * @return empty where that has not begun
     */
    public final Optional<StepRecording> startup() {
        return Optional.ofNullable(startup);
    }

    /**
     * Ends the test; the first reason is kept.
     *
     * @param sentence for the user
     */
    public final void fail(final String sentence) {
        failure.compareAndSet("", sentence);
        ended = true;
    }

    /** Ends the test. */
    public final void end() {
        ended = true;
    }

    /**
     * Whether loops are to end.
     *
     * @return true once the test is ended by one of them or by the host
     */
    public final boolean isOver() {
        return ended || context.isStopped();
    }

    /**
     * Why the test was ended.
     *
     * @return a sentence, empty where there was no failure
     */
    public final String failure() {
        return failure.get();
    }

    /**
     * Reports a user error instead of a failed test where a loop found that the user's input cannot
     * be used.
     *
     * @throws UserError that of the first loop
     */
    public final void requireGoodInput() {
        if (badInput != null) {
            throw badInput;
        }
    }
}

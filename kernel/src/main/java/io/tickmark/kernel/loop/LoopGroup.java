package io.tickmark.kernel.loop;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * The loops of one role, which begin and end together: a failure of one of them ends the test for
 * all. A role may extend it with what its loops share. Any thread.
 */
public class LoopGroup {
    private final RoleContext context;
    private final String one;
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private final List<String> warnings = new ArrayList<>();
    private volatile boolean ended;
    private volatile UserError badInput;

    /**
     * No loop runs yet.
     *
     * @param context of the role
     * @param one what messages call a loop, such as {@code connection}
     */
    public LoopGroup(final RoleContext context, final String one) {
        this.context = context;
        this.one = one;
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
     * Runs each loop on a thread, the first on the calling one, and waits for all.
     *
     * @param name of the threads, with the number appended
     * @param settle called by each thread with its number from 1 before its loop runs: pins it to
     *     its core; returns what was not possible
     * @param loops to run
     */
    public final void run(
            final String name,
            final IntFunction<List<String>> settle,
            final List<? extends Runnable> loops) {
        final List<Thread> others = new ArrayList<>();
        for (int i = 1; i < loops.size(); i++) {
            final int number = i + 1;
            final Runnable loop = loops.get(i);
            others.add(
                    Thread.ofPlatform()
                            .name(name + "-" + number)
                            .start(() -> guarded(number, settle, loop)));
        }
        guarded(1, settle, loops.getFirst());
        try {
            for (final Thread other : others) {
                other.join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(
            final int number, final IntFunction<List<String>> settle, final Runnable loop) {
        try {
            settle.apply(number).forEach(this::warn);
            loop.run();
        } catch (final UserError e) {
            if (e.kind() == UserError.Kind.USAGE) {
                badInput = e;
            }
            fail(e.getMessage());
        } catch (final RuntimeException | Error e) {
            fail("The %s %d failed by a defect: %s.".formatted(one, number, e));
        }
    }

    private void warn(final String sentence) {
        synchronized (warnings) {
            warnings.add(sentence);
        }
    }

    /**
     * What was not possible for the threads.
     *
     * @return sentences so far
     */
    public final List<String> warnings() {
        synchronized (warnings) {
            return List.copyOf(warnings);
        }
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

package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.agrona.CloseHelper;

/** Ends that a role closes one after the other. */
public final class Closing {
    /** In a role nothing is said meanwhile, and one that says nothing for 15 s counts as hung. */
    private static final Duration LONGEST =
            Duration.ofSeconds(14L * Integer.getInteger("tickmark.test.patience", 1));

    private Closing() {}

    /**
     * Closes them, all within the time after which a role counts as hung: on another thread, as
     * what hangs cannot always be interrupted.
     *
     * @param what for the message of a failure
     * @param ends of one role, such as those of its topics
     */
    public static void soon(final String what, final List<? extends AutoCloseable> ends) {
        final FutureTask<Void> closing = new FutureTask<>(() -> CloseHelper.closeAll(ends), null);
        Thread.ofPlatform().daemon().name("closing").start(closing);

        assertThat(closing).as("closing %s", what).succeedsWithin(LONGEST);
    }
}

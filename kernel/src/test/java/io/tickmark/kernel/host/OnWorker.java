package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs a part of a test on a separate thread, so that changes to the thread end with it. */
final class OnWorker {
    private OnWorker() {}

    static <T> T call(final Callable<T> work) throws Exception {
        final FutureTask<T> task = new FutureTask<>(work);
        final Thread thread = new Thread(task, "test-worker");
        thread.setDaemon(true);
        thread.start();
        final T result = task.get(60, TimeUnit.SECONDS);
        thread.join(60_000);
        assertThat(thread.isAlive()).isFalse();
        return result;
    }
}

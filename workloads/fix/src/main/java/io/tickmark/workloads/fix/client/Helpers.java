package io.tickmark.workloads.fix.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * Runs the parts of a role, the first on the calling thread, the others on threads of their own.
 */
final class Helpers {
    Helpers() {}

    /**
     * Runs all parts to their end.
     *
     * @param parts at least one
     * @param pin called on each further thread with its number, from 1
     */
    void run(final List<Runnable> parts, final IntConsumer pin) {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 1; i < parts.size(); i++) {
            final int number = i;
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("fix-client-" + (number + 1))
                            .start(() -> {
                                try {
                                    pin.accept(number);
                                    parts.get(number).run();
                                } catch (final RuntimeException | Error e) {
                                    failure.compareAndSet(null, e);
                                }
                            }));
        }
        parts.getFirst().run();
        threads.forEach(Helpers::join);
        switch (failure.get()) {
            case null -> {
                // all parts have come to their end
            }
            case final Error e -> throw e;
            case final RuntimeException e -> throw e;
            case final Throwable e -> throw new IllegalStateException(e);
        }
    }

    private static void join(final Thread thread) {
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

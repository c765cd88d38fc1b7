package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HelpersTest {
    @Test
    void shouldRunEachPartOnce() {
        final AtomicInteger runs = new AtomicInteger();
        final Runnable part = runs::incrementAndGet;
        new Helpers().run(List.of(part, part, part), thread -> {});

        assertThat(runs).hasValue(3);
    }

    /** A thread that died of an error was over without a word, and its sessions with it. */
    @Test
    void shouldFailAsItsPartsDo() {
        final Error error = new AssertionError("a fault");
        final RuntimeException exception = new IllegalStateException("another");
        for (final Throwable fault : new Throwable[] {error, exception}) {
            assertThatThrownBy(() ->
                            new Helpers().run(List.of(() -> {}, () -> fail(fault)), thread -> {}))
                    .isSameAs(fault);
        }
    }

    private static void fail(final Throwable fault) {
        switch (fault) {
            case final Error e -> throw e;
            case final RuntimeException e -> throw e;
            default -> throw new IllegalArgumentException(fault);
        }
    }
}

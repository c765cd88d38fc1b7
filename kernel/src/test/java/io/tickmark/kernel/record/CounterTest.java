package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CounterTest {
    private final Counter counter = new Counter("sent");

    @Test
    void shouldCount() {
        counter.increment();
        counter.add(41);
        assertThat(counter.get()).isEqualTo(42);

        counter.set(7);
        assertThat(counter.get()).isEqualTo(7);
        assertThat(counter.name()).isEqualTo("sent");
    }

    @Test
    void shouldShowEveryCountToAReaderInTheEnd() throws InterruptedException {
        final int count = 1_000_000;
        final Thread writer =
                new Thread(() -> {
                    for (int i = 0; i < count; i++) {
                        counter.increment();
                    }
                });
        writer.start();
        long last = 0;
        while (writer.isAlive()) {
            final long now = counter.get();
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
            writer.join(1);
        }

        assertThat(counter.get()).isEqualTo(count);
    }

    @Test
    void shouldLoseNothingThatSeveralThreadsAdd() throws InterruptedException {
        final int count = 100_000;
        final Thread other = new Thread(() -> addShared(count));
        other.start();
        addShared(count);
        other.join();

        assertThat(counter.get()).isEqualTo(2 * 3 * count);
    }

    private void addShared(final int times) {
        for (int i = 0; i < times; i++) {
            counter.addShared(3);
        }
    }
}

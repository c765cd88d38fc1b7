package io.tickmark.engines.zeromq;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ZeromqBusyThreadsTest {
    @Test
    void shouldCountAsManyThreadsAsTheChannelAsksFor() {
        assertThat(busyThreads("zeromq://127.0.0.1:0", ExchangeSide.CONNECT)).isEqualTo(1);
        assertThat(busyThreads("zeromq://127.0.0.1:0?ioThreads=3", ExchangeSide.BIND)).isEqualTo(3);
    }

    /** proc_pid_stat(5): the name in brackets is followed by the state; field 41 is the policy. */
    @Test
    @EnabledOnOs(OS.LINUX)
    @Timeout(60)
    void shouldNotLetThemInterruptWhoWakesThem() {
        try (Publication publication =
                new ZeromqTransport()
                        .publication(
                                ChannelUri.parse("zeromq://127.0.0.1:0?ioThreads=3"),
                                Topic.DEFAULT)) {
            Waiting.until(() -> policies().equals(List.of("3", "3", "3")));
            assertThat(publication.subscriberCount()).isZero();
        }
    }

    /** Of the threads that serve sockets; those of other tests have the same. */
    private static List<String> policies() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.map(thread -> readOrEmpty(thread.resolve("stat")))
                    .filter(stat -> stat.contains("(iothread-"))
                    .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" ")[38])
                    .limit(3)
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String readOrEmpty(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            return ""; // the thread has ended
        }
    }

    private static int busyThreads(final String channel, final ExchangeSide side) {
        return new ZeromqTransport().busyThreads(ChannelUri.parse(channel), side);
    }
}

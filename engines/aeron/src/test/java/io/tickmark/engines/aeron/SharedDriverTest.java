package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Waiting;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedDriverTest {
    /** Longer than the given ten seconds: a busy machine may delay any thread by half of them. */
    private static final Duration LONGER_THAN_LIVENESS = Duration.ofSeconds(12);

    @Test
    void shouldCarryIpcBetweenTwoProcessesOverTheDriverOfTheBindingSide() throws Exception {
        final Exchange bound = Pair.bind("aeron:ipc?term-length=64k");
        try (ChildProcess child = ChildProcess.start("echo", bound.channel().toString())) {
            final AtomicInteger echoes = new AtomicInteger();
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
            Waiting.until(
                    "echoes come back",
                    () -> {
                        bound.publication().offer(buffer, 0, 64);
                        bound.publication().doWork();
                        bound.subscription()
                                .poll((message, offset, length) -> echoes.incrementAndGet(), 10);
                        return echoes.get() >= 1000;
                    });
            assertThat(bound.publication().subscriberCount()).isEqualTo(1);
            assertThat(child.output().readLine())
                    .isEqualTo(bound.channel().parameters().get("aeronDir"));

            bound.close();

            assertThat(child.hasEnded()).as("the other process sees the end").isTrue();
        } finally {
            bound.close();
        }
    }

    @Test
    void shouldLetNobodyElseReadWhatIsSent() throws Exception {
        try (Exchange bound = Pair.bind("aeron:ipc?term-length=64k")) {
            final Path directory = Path.of(bound.channel().parameters().get("aeronDir"));

            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void shouldDeleteTheDirectoryOfAProcessThatEndsWithoutClosing() throws Exception {
        try (ChildProcess child = ChildProcess.start("host", "aeron:ipc?term-length=64k")) {
            final ChannelUri channel = ChannelUri.parse(child.output().readLine());

            assertThat(child.hasEnded()).isTrue();

            assertThat(new File(channel.parameters().get("aeronDir"))).doesNotExist();
        }
    }

    @Test
    void shouldDeleteTheDirectoryOfAProcessThatWasKilled() throws Exception {
        final File directory;
        try (ChildProcess child =
                ChildProcess.start("wait", "aeron:udp?endpoint=127.0.0.1:0|term-length=64k")) {
            directory = new File(child.output().readLine());
            assertThat(directory).exists();
            child.kill();
        }

        DriverDirectory.sweep();

        assertThat(directory).doesNotExist();
    }

    @Test
    void shouldDeleteTheDirectoryOfADriverThatNobodyUses() {
        final Exchange bound = Pair.bind("aeron:ipc?term-length=64k");
        final File directory = new File(bound.channel().parameters().get("aeronDir"));
        assertThat(directory).exists();

        bound.close();

        Waiting.until("the driver has lingered and ended", () -> !directory.exists());
    }

    @Test
    void shouldHaveOneDriverForAllTopicsOfOneProcess() {
        try (Exchange one = Pair.bind("aeron:ipc?term-length=64k");
                Exchange two = Pair.bind("aeron:ipc?term-length=64k");
                Exchange other = Pair.bind("aeron:ipc?term-length=64k|livenessTimeout=30s")) {
            assertThat(two.channel()).isEqualTo(one.channel());
            assertThat(other.channel()).isNotEqualTo(one.channel());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "aeron:udp?endpoint=127.0.0.1:0|threading=invoker, 2",
        "aeron:udp?endpoint=127.0.0.1:0|threading=shared, 1",
        "aeron:ipc?threading=invoker, 1"
    })
    void shouldHaveADriverForEachWayWhereItsTurnsAreTheCallers(
            final String channel, final int drivers) {
        try (Exchange bound = Pair.bind(channel + "|term-length=64k")) {
            assertThat(
                            Stream.of(bound.publication().facts(), bound.subscription().facts())
                                    .map(facts -> facts.get("driverDirectory"))
                                    .distinct())
                    .hasSize(drivers);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "|threading=shared"})
    void shouldKeepBothWaysAliveWhileNobodyCalls(final String threading) {
        final String channel = "aeron:udp?endpoint=127.0.0.1:0|term-length=64k|livenessTimeout=10s";
        try (Pair pair = new Pair(channel + threading, 1)) {
            pair.sendAndReceiveAll(10, 64);

            Pair.pass(LONGER_THAN_LIVENESS);

            pair.sendAndReceiveAll(10, 64);
            pair.reply();
        }
    }

    @Test
    void shouldKeepDriverAndClientsAliveWhileNobodyCalls() {
        try (Pair pair = new Pair("aeron:ipc?term-length=64k|livenessTimeout=10s", 1)) {
            pair.sendAndReceiveAll(10, 64);

            Pair.pass(LONGER_THAN_LIVENESS);

            pair.sendAndReceiveAll(10, 64);
            pair.reply();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aeron:ipc?term-length=64k",
                "aeron:udp?endpoint=127.0.0.1:0|term-length=64k",
                "aeron:udp?endpoint=224.0.1.1:0|interface=127.0.0.1|term-length=64k"
            })
    void shouldReachWhoeverHasBeenHeardWithTheFirstAnswer(final String channel) throws Exception {
        try (Exchange bound = Pair.bind(channel);
                ChildProcess child = ChildProcess.start("greet", bound.channel().toString())) {
            final AtomicInteger heard = new AtomicInteger();
            Waiting.until(
                    "the greeting is heard",
                    () -> {
                        bound.publication().doWork();
                        bound.subscription()
                                .poll((message, offset, length) -> heard.incrementAndGet(), 10);
                        return heard.get() > 0;
                    });

            assertThat(bound.publication().offer(new UnsafeBuffer(new byte[16]), 0, 16))
                    .isPositive();
            bound.publication().flush();

            // The binding side is not called any more: its keeper does the rest.
            assertThat(child.output().readLine()).isEqualTo("answered");
        }
    }
}

package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers on QuickFIX for C++ that disconnect and reconnect with their numbers. */
@Timeout(240)
class QuickFixConsumerTest {
    private static final Path SOURCE = Path.of("src/test/cpp/consumer.cpp").toAbsolutePath();

    @TempDir static Path build;
    private static Path program;

    @TempDir Path folder;

    /** The foreign program, and what it writes. */
    private static final class Foreign implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;

        Foreign(final int port, final Path folder) throws IOException {
            process =
                    new ProcessBuilder(
                                    program.toString(),
                                    Integer.toString(port),
                                    folder.toString(),
                                    "CONSUMER1")
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            out = process.inputReader();
        }

        /** Lines up to and including one with this end. */
        List<String> until(final String end) throws IOException {
            final List<String> lines = new ArrayList<>();
            String line = out.readLine();
            while (line != null && !line.endsWith(end)) {
                lines.add(line);
                line = out.readLine();
            }
            assertThat(line).as("behind " + lines).isNotNull();
            lines.add(line);
            return lines;
        }

        void logOut() throws Exception {
            process.outputWriter().close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    @BeforeAll
    static void compile() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/g++"))
                        && Files.isDirectory(Path.of("/usr/include/quickfix")),
                "a client on QuickFIX for C++ needs the packages libquickfix-dev and g++");
        program = build.resolve("consumer");
        final List<String> command =
                List.of(
                        "g++",
                        "-std=c++14",
                        "-w",
                        "-o",
                        program.toString(),
                        SOURCE.toString(),
                        "-lquickfix",
                        "-lpthread");
        final Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(command.toString()).isTrue();
        assertThat(process.exitValue()).as(command.toString()).isZero();
    }

    private static void produce(final RawClient producer, final int from, final int to)
            throws IOException {
        for (int i = from; i <= to; i++) {
            producer.say("W", "55=EURUSD|58=m" + i + "|268=0|");
        }
        producer.settle();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
    void shouldBeSentWhatItMissedWhileItWasLoggedOutOrDead(final String store) throws Exception {
        try (Trial trial =
                        new Trial(Map.of("fanOut", "all", "workers", 2))
                                .gateway(
                                        Map.of(
                                                "exitAtEnd",
                                                false,
                                                "store",
                                                store,
                                                "storeDir",
                                                folder.resolve("gateway").toString()))
                                .start();
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
            final int port = trial.port("fixConsumers");
            final Path numbers = folder.resolve("consumer");
            try (Foreign consumer = new Foreign(port, numbers)) {
                consumer.until("logged on");
                produce(producer, 1, 3);
                assertThat(consumer.until("m3")).containsExactly("2 N m1", "3 N m2", "4 N m3");
                consumer.logOut();
            }
            produce(producer, 4, 8);
            try (Foreign consumer = new Foreign(port, numbers)) {
                assertThat(consumer.until("m8"))
                        .containsSubsequence("6 Y m4", "7 Y m5", "8 Y m6", "9 Y m7", "10 Y m8");
            } // killed
            produce(producer, 9, 60);
            try (Foreign consumer = new Foreign(port, numbers)) {
                assertThat(consumer.until("m60").stream().filter(line -> line.contains(" m")))
                        .allMatch(line -> line.contains(" Y m"))
                        .extracting(line -> line.replaceFirst(".* Y ", ""))
                        .filteredOn(text -> !text.equals("m8")) // it was killed over it
                        .containsExactlyElementsOf(
                                java.util.stream.IntStream.rangeClosed(9, 60)
                                        .mapToObj(i -> "m" + i)
                                        .toList());
                produce(producer, 61, 61);
                assertThat(consumer.until("m61").getLast()).endsWith(" N m61");
            }
        }
    }
}

package io.tickmark.bench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BareEngineTest {
    private static final String QUEUES = "glob:**/bare-chronicle-*";

    @TempDir Path folder;

    /** Some gigabytes stayed in the folder for temporary files. */
    @Test
    void shouldLeaveNoQueuesWhenItIsAskedToEnd() throws Exception {
        final Process sender =
                new ProcessBuilder(sender()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader output = sender.inputReader()) {
            assertThat(output.lines().anyMatch(line -> line.startsWith(BareEngine.SERVER)))
                    .isTrue();
            assertThat(folder).isDirectoryContaining(QUEUES);

            sender.destroy();

            sender.waitFor();
            assertThat(folder).isDirectoryNotContaining(QUEUES);
        } finally {
            sender.destroyForcibly();
        }
    }

    /** It wrote as fast as the disk took it, however far behind its reader was. */
    @Test
    void shouldWriteNoFurtherAheadOfItsReaderThanOthers() throws Exception {
        final int count = 3 * BareEngine.MOST_UNDER_WAY;
        final AtomicInteger written = new AtomicInteger();
        final AtomicInteger read = new AtomicInteger();
        final AtomicInteger mostAhead = new AtomicInteger();
        try (BareDirect writing = BareDirect.bound("chronicle");
                BareDirect reading = BareDirect.of("chronicle", writing.at())) {
            final Thread writer =
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                for (int i = 0; i < count; i++) {
                                    send(writing, written::incrementAndGet);
                                }
                            });
            while (written.get() < BareEngine.MOST_UNDER_WAY) {
                Thread.sleep(1);
            }

            reading.subscribe(
                    "any",
                    payload -> {
                        mostAhead.accumulateAndGet(written.get() - read.get(), Math::max);
                        read.incrementAndGet();
                    });

            writer.join();
            while (read.get() < count) {
                Thread.sleep(1);
            }
            assertThat(mostAhead.get()).isLessThanOrEqualTo(BareEngine.MOST_UNDER_WAY);
        }
    }

    private static void send(final BareDirect writing, final Runnable taken) {
        try {
            writing.send("any", new byte[Long.BYTES], taken);
        } catch (final Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> sender() {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(
                List.of(
                        "-Djava.io.tmpdir=" + folder,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BareEngine.class.getName()));
        command.addAll(List.of("send", "chronicle", "100", "1", "0", "0", "-1"));
        return command;
    }
}

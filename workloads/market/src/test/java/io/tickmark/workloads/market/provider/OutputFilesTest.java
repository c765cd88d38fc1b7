package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files whose names and columns users of other tools know. */
class OutputFilesTest {
    private static final String CONSUMER_COLUMNS =
            "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec),"
                    + " Latency min (usec), Images, Update rate (msg/sec), Posting Latency updates,"
                    + " Posting Latency avg (usec), Posting Latency std dev (usec), Posting Latency max (usec),"
                    + " Posting Latency min (usec), GenMsgs sent, GenMsgs received, GenMsg Latencies sent,"
                    + " GenMsg latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec),"
                    + " GenMsg Latency max (usec), GenMsg Latency min (usec), CPU usage (%), Memory (MB)";

    private static final int MAIN_CORE = Affinity.allowedCores().getLast();

    @Test
    void shouldLeaveSummaryStatisticsAndLatenciesInTheKnownFormats(
            @TempDir final Path consumer, @TempDir final Path provider) throws Exception {
        final RunningRoles.StartedRole consuming = start(consumer, provider);
        assertThat(consuming.context().lines())
                .noneMatch(line -> line.contains("UpdRate:"))
                .contains("--- OVERALL SUMMARY ---");
        assertThat(consuming.result().metrics())
                .extractingByKey("loginRoundTripNs")
                .satisfies(longest -> assertThat((Long) longest).isPositive());
        final List<String> stats = Files.readAllLines(consumer.resolve("ConsStats1.csv"));
        assertThat(stats.getFirst()).isEqualTo(CONSUMER_COLUMNS);
        assertThat(stats).hasSizeGreaterThanOrEqualTo(3);
        assertThat(stats.get(1).split(", ")).hasSize(CONSUMER_COLUMNS.split(", ").length);
        assertThat(stats.get(1)).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, .*");
        assertThat(consumer.resolve("ConsStats2.csv")).exists();
        final List<String> latencies = Files.readAllLines(consumer.resolve("Lat1.csv"));
        assertThat(latencies.getFirst())
                .isEqualTo("Message type, Send time, Receive time, Latency (usec)");
        assertThat(latencies.get(1)).matches("Upd, \\d+, \\d+, \\d+");
        assertThat(Files.readString(consumer.resolve("ConsSummary.out")))
                .contains("--- TEST INPUTS ---", "Steady State Time: 7", "--- THREAD 2 SUMMARY ---")
                .contains(
                        "--- OVERALL SUMMARY ---",
                        "Startup State Statistics:",
                        "Latency avg (usec): ")
                .contains(
                        "Requests sent: 100", "Refreshes received: 100", "Memory Usage avg (MB): ");
        assertThat(Files.readString(provider.resolve("ProvStats1.csv")))
                .startsWith(
                        "UTC, Requests received, Images sent, Updates sent, Posts reflected, GenMsgs sent");
        assertThat(Files.readString(provider.resolve("IProvSummary.out")))
                .contains("Image requests received: 100", "CPU Usage max (%): ");
    }

    /** Waits until a thread that collects statistics is bound to the core. */
    private static void awaitStatisticsOn(final int core) throws Exception {
        final long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!isStatisticsOn(core)) {
            assertThat(System.nanoTime()).as("--main-thread").isLessThan(untilNs);
            Thread.sleep(5);
        }
    }

    private static boolean isStatisticsOn(final int core) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.anyMatch(thread -> {
                try {
                    return Files.readString(thread.resolve("comm")).strip().equals("statistics")
                            && Files.readAllLines(thread.resolve("status")).stream()
                                    .anyMatch(
                                            line -> line.matches("Cpus_allowed_list:\\s+" + core));
                } catch (final IOException e) {
                    return false; // it has ended
                }
            });
        }
    }

    private static RunningRoles.StartedRole start(final Path consumer, final Path provider)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(
                    new MarketProvider.Factory(),
                    Map.of(
                            "port",
                            0,
                            "updateRate",
                            2000,
                            "latencyUpdateRate",
                            100,
                            "endWithConsumers",
                            true),
                    Optional.of(provider));
            final RunningRoles.StartedRole consuming =
                    roles.start(
                            new MarketConsumer.Factory(),
                            Map.of(
                                    "noDisplayStats",
                                    true,
                                    "mainThread",
                                    MAIN_CORE,
                                    "itemCount",
                                    100,
                                    "steadyStateTime",
                                    "7500ms",
                                    "threads",
                                    "-1,-1",
                                    "writeStatsInterval",
                                    "1s",
                                    "latencyFile",
                                    "Lat"),
                            Optional.of(consumer));
            awaitStatisticsOn(MAIN_CORE);
            consuming.result();
            return consuming;
        }
    }
}

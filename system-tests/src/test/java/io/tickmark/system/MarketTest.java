package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Market data through the front door: by a plan, and by hand with the vendor's spellings. */
class MarketTest {
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: small-market
            description: A provider and a consumer.
            tests:
              - name: direct
                workload: market
                settings: {itemCount: 200, updateRate: 2000, latencyUpdateRate: all, steadyStateTime: 2s}
                roles:
                  - {role: market-provider, settings: {port: 0, endWithConsumers: true}}
                  - {role: market-consumer}
            """;

    @TempDir private Path folder;

    @Test
    void shouldMeasureStartupAndSteadyStateByAPlan() throws IOException {
        Files.writeString(folder.resolve("small.yaml"), PLAN);
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "run small.yaml --no-noise --out result").run();
        assertThat(outcome.out()).contains("startup", "steady state", "Passed.");
        assertThat(outcome.exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("result/result.json")))
                .contains("imageRetrievalNs", "imagesPerSecond", "\"responseNs\"", "\"serviceNs\"");
        final Path consumer = folder.resolve("result/roles/direct-market-consumer-1");
        assertThat(Files.readString(consumer.resolve("ConsStats1.csv"))).startsWith("UTC, ");
        assertThat(Files.readString(consumer.resolve("ConsSummary.out")))
                .contains("Requests sent: 200");
    }

    @Test
    void shouldRunEachSideByHandAsTheVendorsToolsAreRun() throws Exception {
        final int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Job provider =
                        start(
                                "market provider -p "
                                        + port
                                        + " -updateRate 2000 -runTime 60 --end-with-consumers");
                Job consumer =
                        start(
                                "market consumer -h 127.0.0.1 -p "
                                        + port
                                        + " -itemCount 200 -steadyStateTime 2 -writeStatsInterval 1 -statsFile MyStats"
                                        + " -postingRate 1000 -postingLatencyRate all")) {
            final Launch.Outcome received = consumer.await();
            assertThat(received.err())
                    .contains(
                            "UpdRate:",
                            "Latency(usec): Avg:",
                            "Image retrieval time for 200 images");
            assertThat(received.exitCode()).isZero();
            final Launch.Outcome sent = provider.await();
            assertThat(sent.err()).contains("Received 200 item requests");
            assertThat(sent.exitCode()).isZero();
        }
        assertThat(folder.resolve("MyStats1.csv")).exists();
    }

    @Test
    void shouldSayWhatIsWrongWithAnOption() {
        final Launch.Outcome rate =
                Launch.tickmark(folder, "market provider -updateRate 10 -tickRate 1000").run();
        assertThat(rate.exitCode()).isEqualTo(2);
        assertThat(rate.err()).contains("below the tick rate of 1000");
        final Launch.Outcome items =
                Launch.tickmark(folder, "market consumer -itemCount 400000").run();
        assertThat(items.exitCode()).isEqualTo(2);
        assertThat(items.err()).contains("350000 items");
    }

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }
}

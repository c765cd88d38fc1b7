package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Market data by hand, with the vendor's spellings. */
class MarketTest {
    @TempDir private Path folder;

    @Test
    void shouldRunEachSideByHandAsTheVendorsToolsAreRun() throws Exception {
        final int port = FreePort.tcp();
        try (Job provider =
                        start(
                                "market provider -p "
                                        + port
                                        + " -updateRate 2000 -runTime 300 -refreshBurstSize 5 -mainThread 0"
                                        + " -useUserDispatch 1 --end-with-consumers");
                Job consumer =
                        start(
                                "market consumer -h 127.0.0.1 -p "
                                        + port
                                        + " -itemCount 200 -steadyStateTime 10 -writeStatsInterval 1 -statsFile MyStats"
                                        + " -useServiceId 1 -postingRate 1000 -postingLatencyRate all")) {
            final Launch.Outcome received = consumer.await();
            assertThat(received.err())
                    .contains(
                            "UpdRate:",
                            "Latency(usec): Avg:",
                            "Image retrieval time for 200 images");
            // on a busy machine fewer posts than asked for are sent, and then it may not pass
            assertThat(received.out()).contains("Nothing was lost, duplicated or reordered");
            if (received.exitCode() != 0) {
                assertThat(received.exitCode()).as(received.out()).isEqualTo(1);
                assertThat(received.out()).contains("posts/s of the 1000/s asked for");
            }
            final Launch.Outcome sent = provider.await();
            assertThat(sent.err()).contains("Received 200 item requests");
            sent.passedOrWasSaturated();
        }
        assertThat(folder.resolve("MyStats1.csv")).content().startsWith("UTC, ");
        assertThat(folder.resolve("ConsSummary.out")).content().contains("Requests sent: 200");
        assertThat(folder.resolve("ProvStats1.csv")).content().startsWith("UTC, ");
        assertThat(folder.resolve("IProvSummary.out"))
                .content()
                .contains("Image requests received: 200");
    }

    @Test
    void shouldSayWhatIsWrongWithAnOption() {
        final Launch.Outcome rate =
                Launch.tickmark(folder, "market provider -updateRate 10 -tickRate 1000").run();
        assertThat(rate.exitCode()).isEqualTo(2);
        assertThat(rate.err()).contains("below the tick rate of 1000");
        final Launch.Outcome items = Launch.here("market consumer -itemCount 400000");
        assertThat(items.exitCode()).isEqualTo(2);
        assertThat(items.err()).contains("350000 items");
    }

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }
}

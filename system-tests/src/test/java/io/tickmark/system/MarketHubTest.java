package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hub, its certificates, and the transport alone, through the front door. */
class MarketHubTest {
    private static final Pattern ADDRESS =
            Pattern.compile("Listening for consumers over TLS on \\S+:(\\d+)\\.");

    @TempDir private Path folder;

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "market hub --tls-port 0|--tls-port needs --key-file",
                "market hub --providers nowhere|not a HOST:PORT",
                "market hub --api-threads 1|api-threads",
                "market provider --api-threads 1|pin those with --threads",
                "market provider --api ema -threads -1,-1|one thread for all consumers",
                "market consumer --api ema --connection websocket|does not go over WebSockets",
                "market certificate --out c.p12 --key-password abc|6 characters",
                "market provider -p 0 --connection encrypted|needs --key-file",
                "market provider -p 0 --connection encrypted --api ema|needs --key-file",
                "market consumer -msgFile nowhere.xml|there is no such file",
                "market transport --payload-bytes 5|payload-bytes",
            })
    void shouldSayWhatIsWrongInOneSentence(final String line, final String words) {
        // a provider begins its files where the user stands, or there
        final Launch.Outcome outcome =
                Launch.here(
                        line.startsWith("market provider")
                                ? line + " --out " + folder.resolve("result")
                                : line);
        assertThat(outcome.err()).contains(words);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldMeasureTheTransportAlone() {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "market transport --rate 5k --duration 5s --no-noise --out result")
                        .run();
        assertThat(outcome.out()).contains("transport").containsPattern("rate +50 % +99 %");
        outcome.isOneScreen().passedOrWasSaturated();
        assertThat(folder.resolve("result/result.json")).exists();
    }

    @Test
    void shouldServeAConsumerOverTlsWithACertificateThatItMade() throws Exception {
        final Launch.Outcome made =
                Launch.tickmark(
                                folder,
                                "market certificate --out test.p12 --key-password secret-word --hosts localhost,127.0.0.1")
                        .run();
        assertThat(made.exitCode()).isZero();
        assertThat(folder.resolve("test.p12")).isNotEmptyFile();
        try (Job hub =
                start(
                        "market hub -p 0 --publisher-port -1 --tls-port 0 --key-file test.p12"
                                + " --key-password secret-word --own-service DIRECT_FEED --own-items 20"
                                + " --end-with-consumers")) {
            hub.awaitErr("over TLS on");
            final Matcher address = ADDRESS.matcher(hub.err());
            assertThat(address.find()).isTrue();
            final Launch.Outcome consumer =
                    Launch.tickmark(
                                    folder,
                                    "market consumer -p "
                                            + address.group(1)
                                            + " --connection encrypted --key-file test.p12 --key-password secret-word"
                                            + " -itemCount 20 -snapshot")
                            .run();
            assertThat(consumer.err()).contains("Image retrieval time for 20 images");
            assertThat(consumer.exitCode()).isZero();
            assertThat(hub.await().exitCode()).isZero();
        }
    }

    @Test
    void shouldEndItsConsumerWhenTheHubIsKilledAndServeTheNextOneWhenItIsBack() throws Exception {
        final int provided = LoopbackAddress.freePort();
        final int served = LoopbackAddress.freePort();
        final String hubLine =
                "market hub -p %d --publisher-port -1 --providers 127.0.0.1:%d --reconnect-delay 100ms"
                        .formatted(served, provided);
        final String consumerLine =
                "market consumer -p %d -itemCount 20 -writeStatsInterval 1 -summaryFile Summary.out -steadyStateTime "
                        .formatted(served);
        try (Job provider =
                start("market provider -p " + provided + " -updateRate 1000 -runTime 600")) {
            provider.awaitErr("Provides DIRECT_FEED");
            try (Job hub = start(hubLine);
                    Job consumer = start(consumerLine + "60")) {
                consumer.awaitErr("Latency(usec): Avg:");
                for (final ProcessHandle process : hub.roles()) {
                    Job.signal("KILL", process.pid());
                }
                Job.signal("KILL", hub.pid());
                final Launch.Outcome lost = consumer.await();
                assertThat(lost.out() + lost.err()).contains("was lost while steady state");
                assertThat(lost.exitCode()).isEqualTo(1);
                assertThat(Files.readString(folder.resolve("Summary.out")))
                        .contains("Requests sent: 20");
            }
            try (Job hub = start(hubLine)) {
                hub.awaitErr("Listening for consumers");
                final Launch.Outcome next =
                        Launch.tickmark(folder, consumerLine + "60 -snapshot").run();
                assertThat(next.err()).contains("Image retrieval time for 20 images");
                assertThat(next.exitCode()).isZero();
            }
            assertThat(provider.isAlive()).isTrue();
        }
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenAPlanKillsTheHub() throws IOException {
        Files.writeString(
                folder.resolve("killed.yaml"),
                """
                schema: tickmark.plan/1
                name: killed-hub
                description: The hub is killed while the consumer measures.
                tests:
                  - name: killed
                    workload: market
                    settings: {itemCount: 50, updateRate: 1000, latencyUpdateRate: all, steadyStateTime: 120s}
                    roles:
                      - {role: market-provider, settings: {port: 0, endWithConsumers: true}}
                      - {role: market-hub, settings: {port: 0, publisherPort: -1, endWithConsumers: true}}
                      - {role: market-consumer}
                    faults:
                      - {role: market-hub, at: 30s, do: kill}
                """);
        final Launch.Outcome outcome =
                Launch.here(folder, "run killed.yaml --no-noise --no-history --out result");
        assertThat(outcome.out() + outcome.err()).contains("was lost while steady state");
        assertThat(outcome.exitCode()).isEqualTo(1);
        final Path consumer = folder.resolve("result/roles/killed-market-consumer-1");
        assertThat(Files.readString(consumer.resolve("ConsSummary.out")))
                .contains("Requests sent: 50");
        assertThat(folder.resolve("result/result.json")).isNotEmptyFile();
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hub, its certificates, and the transport alone, through the front door. */
class MarketHubTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "market hub --tls-port 0|--tls-port needs --key-file",
                "market hub --providers nowhere|no HOST:PORT",
                "market hub --api-threads 1|api-threads",
                "market provider --api-threads 1|bind those with --threads",
                "market provider --api ema -threads -1,-1|one thread for all consumers",
                "market consumer --api ema --connection encrypted|plain sockets only",
                "market certificate --out c.p12 --key-password abc|6 characters",
                "market transport --payload-bytes 5|payload-bytes",
            })
    void shouldSayWhatIsWrongInOneSentence(final String line, final String words) {
        final Launch.Outcome outcome = Launch.tickmark(folder, line).run();
        assertThat(outcome.err()).contains(words);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldMeasureTheTransportAlone() {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "market transport --rate 5k --duration 1s --no-noise --out result")
                        .run();
        assertThat(outcome.out()).contains("transport", "Passed.");
        assertThat(outcome.exitCode()).isZero();
        assertThat(folder.resolve("result/result.json")).exists();
    }
}

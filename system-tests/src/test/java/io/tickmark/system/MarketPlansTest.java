package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The four scenarios of market data as they are shipped, with fewer items and less time. */
class MarketPlansTest {
    @TempDir private Path folder;

    /** A machine that is busy may be late: what holds is that all of it comes. */
    private String small(final String name) throws IOException {
        try (InputStream plan =
                getClass().getResourceAsStream("/tickmark/plans/" + name + ".yaml")) {
            final String text = new String(plan.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(
                    folder.resolve(name + ".yaml"),
                    text.replaceAll("\\b(100000|50000|10000)\\b", "500")
                            .replaceAll("steadyStateTime: [0-9]+s", "steadyStateTime: 2s")
                            .replaceAll(
                                    "delaySteadyStateCalc: [0-9]+s", "delaySteadyStateCalc: 100ms")
                            .replace(
                                    "    workload: market\n",
                                    "    workload: market\n    criteria: {minRateHeldPart: 0}\n"));
        }
        return name + ".yaml";
    }

    @Test
    void shouldRunTheFourScenarios() throws IOException {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "run --no-noise --json %s %s %s %s"
                                        .formatted(
                                                small("market-direct"),
                                                small("market-through-hub"),
                                                small("market-non-interactive"),
                                                small("market-posting")))
                        .run();

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(result.text("verdict")).isEqualTo("pass");
        assertThat(result.trials())
                .extracting(trial -> trial.path("test").asString())
                .contains(
                        "direct",
                        "through-hub",
                        "non-interactive",
                        "with-updates",
                        "without-updates",
                        "no-provider");
        assertThat(result.trials())
                .allSatisfy(trial -> assertThat(trial.path("lost").asLong(-1)).isZero());
    }
}

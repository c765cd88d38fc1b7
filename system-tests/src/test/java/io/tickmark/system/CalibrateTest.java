package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The bench measures itself on the real clock. */
class CalibrateTest {
    /** So much that a busy machine cannot add to a delay; that it takes nothing away is exact. */
    private static final String ANY_DELAY = " --tolerance-ns 60000000000";

    private static final List<String> SCENARIOS =
            List.of("constant", "bimodal", "stall", "lost", "duplicated", "reordered");

    /** How many messages the scenario of each name has. */
    private static final Map<String, Long> PROGRAMMED =
            Map.of("lost", 100L, "duplicated", 100L, "reordered", 50L);

    @TempDir private Path folder;

    @Test
    void shouldCountExactlyAndMeasureNoDelayShorterThanItWas() {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "calibrate --json --noise 50ms" + ANY_DELAY).run();

        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(outcome.exitCode()).as(outcome.err() + result.root().path("reasons")).isZero();
        assertThat(result.text("verdict")).isEqualTo("pass");
        assertThat(result.trials())
                .extracting(row -> row.path("label").asString())
                .containsExactlyElementsOf(SCENARIOS);
        final JsonNode metrics = result.trials().getFirst().path("roles").path(0).path("metrics");
        for (final String scenario : SCENARIOS) {
            for (final String count : PROGRAMMED.keySet()) {
                final String figure = scenario + "." + count;
                assertThat(number(metrics, figure + ".measured"))
                        .as(figure)
                        .isEqualTo(number(metrics, figure + ".programmed"))
                        .isEqualTo(scenario.equals(count) ? PROGRAMMED.get(count) : 0);
            }
            for (final String percentile : List.of("p50", "p90", "p99")) {
                final String figure = scenario + "." + percentile;
                assertThat((double) number(metrics, figure + ".measuredNs"))
                        .as(figure)
                        .isGreaterThanOrEqualTo(0.99 * number(metrics, figure + ".programmedNs"));
            }
        }
    }

    private static long number(final JsonNode metrics, final String key) {
        assertThat(metrics.has(key)).as(key + " in " + metrics.propertyNames()).isTrue();
        return metrics.path(key).asLong();
    }
}

package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.bench.contest.NotMeasured;
import org.junit.jupiter.api.Test;

final class RecordingCostTest {
    private static final String RESULT =
            """
            [{"jmhVersion": "1.37", "benchmark": "a.B.other", "mode": "avgt",
              "primaryMetric": {"score": 1.0, "scoreError": "NaN", "scoreUnit": "ns/op", "rawData": [[1.0]]},
              "secondaryMetrics": {}},
             {"jmhVersion": "1.37", "benchmark": "a.B.record", "mode": "avgt",
              "primaryMetric": {"score": 31.5, "scoreError": "NaN", "scoreUnit": "ns/op", "rawData": [[31.5]]},
              "secondaryMetrics": {
                "gc.alloc.rate": {"score": 0.01, "scoreUnit": "MB/sec"},
                "gc.alloc.rate.norm": {"score": 1.6E-4, "scoreUnit": "B/op"}}}]
            """;

    @Test
    void shouldReadTimeAndAllocationOfABenchmark() {
        assertThat(RecordingCost.figures(RESULT, "a.B.record"))
                .containsEntry("ns", 31.5)
                .containsEntry("bytes", 1.6e-4);
    }

    @Test
    void shouldReadTheDottedNameOfOlderVersions() {
        final String dotted =
                RESULT.replace("\"gc.alloc.rate.norm\"", "\"\u00b7gc.alloc.rate.norm\"");

        assertThat(RecordingCost.figures(dotted, "a.B.record")).containsEntry("bytes", 1.6e-4);
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThatThrownBy(() -> RecordingCost.figures(RESULT, "a.B.none"))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("a.B.none");
        assertThatThrownBy(() -> RecordingCost.figures(RESULT, "a.B.other"))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("-prof gc");
        assertThatThrownBy(() -> RecordingCost.figures("", "a.B.record"))
                .isInstanceOf(NotMeasured.class);
    }

    @Test
    void shouldRefuseAnotherUnit() {
        assertThatThrownBy(
                        () -> RecordingCost.figures(RESULT.replace("ns/op", "us/op"), "a.B.record"))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("ns/op");
    }
}

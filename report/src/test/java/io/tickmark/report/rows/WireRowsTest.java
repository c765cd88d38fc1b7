package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.report.Trials;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WireRowsTest {
    private static SideTable figures(final Map<String, Object> link) {
        return figures(link, 0);
    }

    private static SideTable figures(final Map<String, Object> link, final long lostOnPurpose) {
        final TrialResult row =
                Trials.stream()
                        .sent(1_000)
                        .count(Counts.WIRE_BYTES, 766_000)
                        .count(Counts.WIRE_FRAMES, 1_000)
                        .count(Counts.LOST_ON_PURPOSE, lostOnPurpose)
                        .roles(new RoleSummary("stream-pub", 1, link, List.of()))
                        .row();
        return WireRows.of(Block.of(Trials.run(row))).orElseThrow();
    }

    @Test
    void shouldReportThePartOfTheLink() {
        final long durationNs = Trials.stream().row().durationNs();
        final double megabits = 766_000 * 8e3 / durationNs;

        final List<String> cells =
                figures(
                                Map.of(
                                        "link",
                                        "eth0",
                                        "linkBitsPerSecond",
                                        10_000_000_000L,
                                        "wireBytesAreLeast",
                                        true))
                        .rows()
                        .getFirst();

        assertThat(cells).contains(">= 766", ">= 1.00", "eth0 10,000");
        assertThat(cells.getLast()).startsWith(">= ").endsWith(" %");
        assertThat(Double.parseDouble(cells.getLast().replaceAll("[^0-9.]", "")))
                .isCloseTo(megabits / 100, org.assertj.core.data.Percentage.withPercentage(1));
    }

    @Test
    void shouldSayThatTheSpeedOfTheLoopbackIsUnknown() {
        final SideTable figures = figures(Map.of("link", "lo", "linkBitsPerSecond", "unknown"));

        assertThat(figures.title()).contains("the loopback has no link speed");
        assertThat(figures.rows().getFirst()).contains("766", "lo unknown", "unknown");
    }

    @Test
    void shouldDivideByTheMessagesThatWereNotLostOnPurpose() {
        final SideTable figures = figures(Map.of("link", "lo"), 200);

        assertThat(figures.rows().getFirst()).contains("958", "1.25");
    }

    @Test
    void shouldSayNothingWhereThereIsNoNetwork() {
        assertThat(WireRows.of(Block.of(Trials.run(Trials.stream().row())))).isEmpty();
    }
}

package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.history.HistoryPoint.Series;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownMachinesTest {
    private static final String DAY = "2026-01-01T00:00:00Z";

    @TempDir private Path folder;

    private Map<Series, List<HistoryPoint>> trends(final Ran... runs) {
        try (History history = History.open(folder.resolve("history.db").toString())) {
            for (final Ran run : runs) {
                history.enter(run.result(), Path.of("results/x"));
            }
            return history.trends(Ran.PLAN);
        }
    }

    private static Ran day(final int day, final double p50) {
        return Ran.at("2026-01-0%dT00:00:00Z".formatted(day), p50);
    }

    @Test
    void shouldKeepTheSeriesOfTwoMachinesApart() {
        final Map<Series, List<HistoryPoint>> trends =
                trends(
                        day(1, 100).on("lab-3", "Zen 5"),
                        day(2, 300).on("lab-4", "Zen 5"),
                        day(3, 101).on("lab-3", "Zen 5"),
                        day(4, 50).on("lab-3", "Zen 6"));

        assertThat(trends.keySet())
                .extracting(Series::machine)
                .containsExactly(
                        "lab-3 (Zen 5, 2 cores)",
                        "lab-3 (Zen 6, 2 cores)",
                        "lab-4 (Zen 5, 2 cores)");
        assertThat(trends.values().iterator().next())
                .extracting(HistoryPoint::value)
                .containsExactly(100.0, 101.0);
    }

    @Test
    void shouldKeepRunsOverHostsApartFromLocalOnes() {
        final Map<Series, List<HistoryPoint>> trends =
                trends(
                        day(1, 100),
                        day(2, 9_000).with("latency-sub", "h2", "Xeon"),
                        day(3, 5_000).with("latency-pub", "h2", "Xeon"),
                        day(4, 101));

        assertThat(trends.keySet())
                .extracting(Series::placement)
                .containsExactly(
                        "",
                        "latency-pub on h2 (Xeon, 8 cores)",
                        "latency-sub on h2 (Xeon, 8 cores)");
        assertThat(trends.values()).extracting(List::size).containsExactly(2, 1, 1);
    }

    @Test
    void shouldNameHostsWhoseRolesAreNotKnown() {
        final Ran run = Ran.at(DAY, 1).knowing("host h2", Map.of("cpu.model", "Xeon"));

        assertThat(KnownMachines.of(run.result()).placement()).isEqualTo("hosts h2 (Xeon)");
    }

    @Test
    void shouldNotTakeContainersThatNobodyNamedForAsManyMachines() {
        final Ran unnamed = Ran.at(DAY, 1).on("0f3a99c2b41e", "Zen 5");
        final Ran named = Ran.at(DAY, 1).on("runner-a", "Zen 5");
        final Map<String, Object> docker = Map.of("container", "docker");

        assertThat(KnownMachines.of(unnamed.result()).machine())
                .isEqualTo("0f3a99c2b41e (Zen 5, 2 cores)");
        assertThat(KnownMachines.of(unnamed.knowing("virtualisation", docker).result()).machine())
                .isEqualTo("docker (Zen 5, 2 cores)");
        assertThat(KnownMachines.of(named.knowing("virtualisation", docker).result()).machine())
                .isEqualTo("runner-a (Zen 5, 2 cores)");
        assertThat(
                        KnownMachines.of(
                                        named.knowing(
                                                        "virtualisation",
                                                        Map.of("container", "kubernetes"))
                                                .result())
                                .machine())
                .isEqualTo("kubernetes (Zen 5, 2 cores)");
    }

    @Test
    void shouldSayNothingOfAMachineThatIsNotKnown() {
        final Ran run =
                new Ran(
                        DAY,
                        1,
                        io.tickmark.kernel.result.Verdict.PASS,
                        Map.of(),
                        Map.of(),
                        0,
                        java.util.List.of(),
                        "");

        assertThat(KnownMachines.of(run.result())).isEqualTo(new KnownMachines("", ""));
    }
}

package io.tickmark.lab.compare;

import static io.tickmark.lab.compare.CompareSamples.latency;
import static io.tickmark.lab.compare.CompareSamples.noise;
import static io.tickmark.lab.compare.CompareSamples.side;
import static io.tickmark.lab.compare.CompareSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSamples.Repeat;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparerTest {
    private static Comparison compare(final Side first, final Side... others) {
        return new Comparer(CompareSettings.DEFAULT, "0.1.0").compare(first, List.of(others));
    }

    private static ComparedFigure figure(final Comparison comparison, final String name) {
        return comparison.rows().getFirst().figures().stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldTellALongerLatencyAsWorseAndAShorterOneAsBetter() {
        final Side a = side("A", 10_000, 10_050, 9_950, 10_020, 9_980);
        final Side b = side("B", 11_000, 11_050, 10_950, 11_020, 10_980);

        assertThat(figure(compare(a, b), "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.outcome()).isEqualTo(Outcome.WORSE);
                    assertThat(figure.effect()).isBetween(0.09, 0.11);
                    assertThat(figure.low()).isGreaterThan(0);
                });
        assertThat(figure(compare(b, a), "responseNs.p50").outcome()).isEqualTo(Outcome.BETTER);
    }

    @Test
    void shouldTellAHigherRateAsBetter() {
        final List<Repeat> slow =
                List.of(
                        new Repeat(latency(100_000), 1000, null),
                        new Repeat(latency(100_000), 1001, null));
        final List<Repeat> fast =
                List.of(
                        new Repeat(latency(100_000), 2000, null),
                        new Repeat(latency(100_000), 2002, null));

        assertThat(
                        figure(
                                        compare(
                                                side("A", "t", "shm:", slow),
                                                side("B", "t", "shm:", fast)),
                                        Samples.RATE)
                                .outcome())
                .isEqualTo(Outcome.BETTER);
    }

    @Test
    void shouldTellNoDifferenceOnlyWhereItIsShown() {
        final Side a = side("A", 10_000, 10_010, 9_990, 10_005, 9_995);

        assertThat(
                        figure(
                                        compare(
                                                a,
                                                side("B", 10_010, 10_020, 10_000, 10_015, 10_005)),
                                        "responseNs.p50")
                                .outcome())
                .isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(
                        figure(
                                compare(a, side("B", 10_000, 15_000, 7_000, 9_000, 12_000)),
                                "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.outcome()).isEqualTo(Outcome.TOO_NOISY);
                    assertThat(figure.reason()).contains("both");
                });
    }

    @Test
    void shouldCallATinyButCertainDifferenceNotWorthTelling() {
        final Side a = side("A", 10_000, 10_001, 9_999, 10_000, 10_000, 10_000);
        final Side b = side("B", 10_100, 10_101, 10_099, 10_100, 10_100, 10_100);

        assertThat(figure(compare(a, b), "responseNs.p50"))
                .satisfies(figure -> {
                    assertThat(figure.low()).isGreaterThan(0);
                    assertThat(figure.outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
                });
    }

    @Test
    void shouldSayThatOneRepeatIsNotEnough() {
        final Comparison comparison = compare(side("A", 10_000), side("B", 20_000));

        assertThat(comparison.count(Outcome.TOO_NOISY))
                .isEqualTo(comparison.rows().getFirst().figures().size());
        assertThat(comparison.notes()).anyMatch(note -> note.startsWith("A has one repeat"));
    }

    @Test
    void shouldLeaveOutPercentilesThatFewMessagesHave() {
        final List<Repeat> few =
                List.of(
                        new Repeat(latency(10_000, 500), 5000, null),
                        new Repeat(latency(10_000, 500), 5000, null));

        assertThat(
                        compare(side("A", "t", "shm:", few), side("B", "t", "shm:", few))
                                .rows()
                                .getFirst()
                                .figures())
                .extracting(ComparedFigure::name)
                .contains("responseNs.p90")
                .doesNotContain("responseNs.p99", "responseNs.p999");
    }

    @Test
    void shouldDoubtATailThatTheNoiseOfTheSlowerRunCanExplain() {
        final List<Repeat> quiet =
                List.of(10_000, 10_020, 9_980, 10_010).stream()
                        .map(p50 -> new Repeat(latency(p50), 5000, noise(0.0001, 5_000)))
                        .toList();
        final List<Repeat> noisy =
                List.of(12_000, 12_020, 11_980, 12_010).stream()
                        .map(p50 -> new Repeat(latency(p50), 5000, noise(0.002, 500_000)))
                        .toList();

        final Comparison comparison =
                compare(side("A", "t", "shm:", quiet), side("B", "t", "shm:", noisy));

        assertThat(figure(comparison, "responseNs.p999").outcome()).isEqualTo(Outcome.TOO_NOISY);
        assertThat(figure(comparison, "responseNs.p999").reason()).contains("0.20 % of its time");
        assertThat(figure(comparison, "responseNs.p99").outcome()).isEqualTo(Outcome.WORSE);
    }

    @Test
    void shouldCountCriteriaThatOnlyTheOtherRunBreaksAsWorse() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final Side a = side("A", "t", "shm:", List.of(repeat, repeat));
        final Side b =
                side(
                        "B",
                        List.of(
                                trial("t", "shm:", 1, repeat, Verdict.PASS),
                                trial("t", "shm:", 2, repeat, Verdict.FAIL)));

        assertThat(compare(a, b).rows().getFirst().broken()).containsExactly("Lost 1 of 2.");
        assertThat(compare(a, b).count(Outcome.WORSE)).isEqualTo(1);
        assertThat(compare(b, a).count(Outcome.WORSE)).isZero();
    }

    @Test
    void shouldPairTheOneChannelOfATestWithTheOtherAndNameWhatIsAlone() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);
        final Comparison comparison =
                compare(
                        side("A", "t", "shm:", List.of(repeat, repeat)),
                        side(
                                "B",
                                List.of(
                                        trial("t", "aeron:ipc", 1, repeat, Verdict.PASS),
                                        trial("u", "shm:", 1, repeat, Verdict.PASS),
                                        trial("v", "shm:", 1, repeat, Verdict.VOID))));

        assertThat(comparison.rows())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.otherChannel()).isEqualTo("aeron:ipc");
                    assertThat(row.differences()).contains("channel shm: against aeron:ipc");
                });
        assertThat(comparison.notes())
                .anyMatch(note -> note.startsWith("u on shm:, step 0 is in B alone"))
                .anyMatch(note -> note.contains("v on shm:, step 0 has no result in B"));
    }

    @Test
    void shouldRefuseRunsWithNothingInCommon() {
        final Repeat repeat = new Repeat(latency(10_000), 5000, null);

        assertThatThrownBy(() ->
                        compare(
                                side("A", "t", "shm:", List.of(repeat)),
                                side(
                                        "B",
                                        List.of(
                                                trial("u", "shm:", 1, repeat, Verdict.PASS),
                                                trial("v", "shm:", 1, repeat, Verdict.PASS)))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no row in common");
        assertThatThrownBy(() -> Side.read("A", Path.of("no-such-folder")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no-such-folder is not there");
    }
}

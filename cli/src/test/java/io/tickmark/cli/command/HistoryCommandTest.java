package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.output.Terminal;
import io.tickmark.history.History;
import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HistoryCommandTest {
    private static final String PLAN = "nightly";
    private static final int RUNS = 20;

    @TempDir private Path folder;

    private String place() {
        return folder.resolve("history.db").toString();
    }

    /** Ten runs with the one value of the figure, and ten with the other. */
    private String changes(final String figure, final double before, final double after) {
        return changes(figure, before, after, 0);
    }

    /** The latter leave out such a part of their messages. */
    private String changes(
            final String figure, final double before, final double after, final double leftOut) {
        return String.join(
                "\n",
                shown(figure, before, after, leftOut, "")
                        .lines()
                        .filter(line -> line.contains(" change ") || line.contains("not judged"))
                        .map(line -> line.replaceFirst("^.*  (?=change |not judged)", "").strip())
                        .toList());
    }

    private String shown(
            final String figure,
            final double before,
            final double after,
            final double leftOut,
            final String option) {
        try (History history = History.open(place())) {
            for (int i = 0; i < RUNS; i++) {
                final boolean isBefore = i < RUNS / 2;
                final Map<String, Aggregate.Spread> figures = new TreeMap<>();
                figures.put("undisturbedLeftOutPart.max", spread(isBefore ? 0 : leftOut));
                figures.put(figure, spread(isBefore ? before : after));
                history.enter(
                        new RunResult(
                                RunResult.SCHEMA,
                                "0.1.0",
                                Instant.ofEpochSecond(1_700_000_000L + 3600L * i).toString(),
                                PLAN,
                                Verdict.PASS,
                                List.of(),
                                List.of(),
                                List.of(new Aggregate("ping", "shm:", 0, 64, 3, figures)),
                                List.of(),
                                null,
                                Map.of("host", Map.of("name", "lab-3")),
                                null),
                        folder.resolve("run-" + i));
            }
        }
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream printing = new PrintStream(out, true, StandardCharsets.UTF_8);
        final List<String> words = new ArrayList<>(List.of("history", PLAN, "--history", place()));
        words.addAll(option.isEmpty() ? List.of("--figure", figure) : List.of(option));
        final int exitCode =
                new FrontDoor(new Terminal(printing, printing, 0, 0, false))
                        .run(words.toArray(String[]::new));
        final String text = out.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(text).isZero();
        return text;
    }

    private static Aggregate.Spread spread(final double value) {
        return new Aggregate.Spread(value, value, value);
    }

    /** It was "change -99.0 %". */
    @Test
    void shouldShowARiseFromZeroAsOne() {
        assertThat(changes("undisturbedLeftOutPart.max", 0, 0.01))
                .isEqualTo("change from 0 to 0.0100");
    }

    /** There was no change. */
    @Test
    void shouldShowThatAFirstMessageWasLost() {
        assertThat(changes("lost", 0, 1)).isEqualTo("change from 0 to 1.00");
    }

    @Test
    void shouldShowAFallToZeroAsOne() {
        assertThat(changes("lost", 1_000, 0)).isEqualTo("change from 1,000 to 0");
    }

    @Test
    void shouldShowOtherChangesInPercent() {
        assertThat(changes("roundTripNs.p99", 2_000, 2_400)).isEqualTo("change +20.0 %");
    }

    /** It was "change -50.0 %". */
    @Test
    void shouldNotCallItAChangeWhereUndisturbedFiguresAreOfOtherMessages() {
        assertThat(changes("undisturbedNs.p99", 2_000, 1_000, 0.09))
                .isEqualTo("not judged: 0.0 % of the messages left out before, 9.0 % after");
    }

    @Test
    void shouldCallItAChangeWhereAboutAsManyMessagesAreLeftOut() {
        assertThat(changes("undisturbedNs.p99", 2_000, 1_000, 0.04)).isEqualTo("change -50.0 %");
    }

    @Test
    void shouldJudgeLatenciesAsMeasuredWhateverIsLeftOutOfOthers() {
        assertThat(changes("roundTripNs.p99", 2_000, 1_000, 0.09)).isEqualTo("change -50.0 %");
    }

    /** For programs, which would take any place there for a change. */
    @Test
    void shouldSayApartInJsonWhatIsNotJudged() {
        final JsonNode all =
                new JsonMapper().readTree(shown("undisturbedNs.p99", 2_000, 1_000, 0.09, "--json"));

        assertThat(all.size()).isEqualTo(1);
        assertThat(all.at("/0/changesAt").size()).isZero();
        assertThat(all.at("/0/notJudgedAt/0").asInt()).isEqualTo(RUNS / 2);
    }
}

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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryCommandTest {
    private static final String PLAN = "nightly";
    private static final int RUNS = 20;

    @TempDir private Path folder;

    private String place() {
        return folder.resolve("history.db").toString();
    }

    /** Ten runs with the one value of the figure, and ten with the other. */
    private String changes(final String figure, final double before, final double after) {
        try (History history = History.open(place())) {
            for (int i = 0; i < RUNS; i++) {
                final double value = i < RUNS / 2 ? before : after;
                final Map<String, Aggregate.Spread> figures =
                        Map.of(figure, new Aggregate.Spread(value, value, value));
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
        final int exitCode =
                new FrontDoor(new Terminal(printing, printing, 0, 0, false))
                        .run("history", PLAN, "--figure", figure, "--history", place());
        final String text = out.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(text).isZero();
        return String.join(
                "\n",
                text.lines()
                        .filter(line -> line.contains(" change "))
                        .map(line -> line.substring(line.indexOf("change ")).strip())
                        .toList());
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
}

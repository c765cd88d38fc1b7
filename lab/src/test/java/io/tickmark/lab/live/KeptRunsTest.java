package io.tickmark.lab.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptRunsTest {
    @TempDir private Path results;

    private LiveFile run(final String folder, final long pid, final long sinceMs)
            throws IOException {
        final LiveFile file = new LiveFile(Files.createDirectories(results.resolve(folder)));
        file.write(new LiveLine.Run("my plan", "2026-11-20T12:00:00Z", 1, 5, pid, sinceMs));
        return file;
    }

    @Test
    void shouldTellRunsThatGoOnFromThoseThatEndedAndThoseBrokenOff() throws IOException {
        final ProcessHandle self = ProcessHandle.current();
        final long sinceMs = self.info().startInstant().map(Instant::toEpochMilli).orElseThrow();
        try (LiveFile _ = run("20261120-120000_running", self.pid(), sinceMs);
                LiveFile _ = run("20261120-110000_other-process", self.pid(), sinceMs - 5);
                LiveFile ended = run("20261120-100000_vs/a", self.pid(), sinceMs)) {
            ended.write(new LiveLine.End(3, "pass"));
        }
        Files.writeString(
                Files.createDirectory(results.resolve("20261120-090000_old"))
                        .resolve("result.json"),
                "{}");
        Files.createDirectory(results.resolve("20261120-080000_nothing"));

        final KeptRuns runs = new KeptRuns(results);
        assertThat(runs.all())
                .extracting(run -> run.id() + " " + run.state() + " " + run.verdict())
                .containsExactly(
                        "20261120-120000_running running ",
                        "20261120-110000_other-process broken off ",
                        "20261120-100000_vs/a finished pass",
                        "20261120-090000_old finished ");
        assertThat(runs.all().getFirst().plan()).isEqualTo("my plan");
        assertThat(runs.all().getLast().isKept()).isFalse();
    }

    @Test
    void shouldSayHowManyOlderFoldersItDoesNotList() throws IOException {
        for (int i = 0; i < 203; i++) {
            Files.writeString(
                    Files.createDirectory(results.resolve("20261120-%06d_plan".formatted(i)))
                            .resolve("result.json"),
                    "{}");
        }

        final KeptRuns runs = new KeptRuns(results);
        assertThat(runs.all()).hasSize(201);
        assertThat(runs.all())
                .last()
                .isEqualTo(
                        new KeptRuns.Run(
                                "", "3 older folders", "", KeptRuns.NOT_LISTED, "", false));
        assertThat(runs.part("", 0)).isEmpty();
    }

    @Test
    void shouldGiveWholeLinesAndGoOnWhereItStopped() throws IOException {
        run("r", 1, 1).close();
        final Path file = results.resolve("r").resolve(LiveFile.NAME);
        final KeptRuns runs = new KeptRuns(results);
        final KeptRuns.Part first = runs.part("r", 0).orElseThrow();
        assertThat(first.lines()).hasSize(1);
        assertThat(first.next()).isEqualTo(Files.size(file));

        Files.writeString(file, Files.readString(file) + "garbage\n[1]\n{\"type\":\"end\"}\n{\"ty");
        final KeptRuns.Part second = runs.part("r", first.next()).orElseThrow();
        assertThat(second.lines())
                .as("what is no line of ours is left out, what is in the making is waited for")
                .extracting(Object::toString)
                .isEqualTo(List.of("{\"type\":\"end\"}"));
        assertThat(second.damagedLines()).isEqualTo(2);
        assertThat(runs.part("r", second.next()).orElseThrow().lines()).isEmpty();
        assertThat(runs.part("r", 1L << 40).orElseThrow().lines()).isEmpty();
    }

    @Test
    void shouldListADamagedRunInsteadOfLeavingItOut() throws IOException {
        Files.writeString(
                Files.createDirectory(results.resolve("20261120-120000_bad"))
                        .resolve(LiveFile.NAME),
                "{\"type\":\"ru\n\0\0\0\n");

        final KeptRuns runs = new KeptRuns(results);
        assertThat(runs.all())
                .extracting(run -> run.plan() + " " + run.state())
                .containsExactly("bad damaged");
        assertThat(runs.part("20261120-120000_bad", 0).orElseThrow().damagedLines()).isEqualTo(2);
        assertThat(new KeptRuns(results.resolve("none")).all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "../r", "r/../r", "/etc", "r/a/b", "nonesuch", "r\0", "-"})
    void shouldHaveNoRunOutsideOfItsFolder(final String id) throws IOException {
        run("r", 1, 1).close();
        assertThat(new KeptRuns(results.resolve("r")).part(id, 0)).isEmpty();
        assertThat(new KeptRuns(results).part(id, 0)).isEmpty();
    }
}

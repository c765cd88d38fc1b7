package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunIdTest {
    private static final Path FOLDER = Path.of("/srv/results/20260101-000000_demo");
    private static final Ran RUN = Ran.at("2026-01-01T00:00:00Z", 100);

    @Test
    void shouldBeTheSameForTheSameResultWhereverItLies() {
        assertThat(RunId.of(RUN.result(), FOLDER))
                .matches("[0-9a-f]{12}")
                .isEqualTo(
                        RunId.of(RUN.result(), Path.of("/mnt/lab-3").resolve(FOLDER.getFileName())))
                .isEqualTo(RunId.of(RUN.result(), FOLDER.resolve("../" + FOLDER.getFileName())))
                .isEqualTo(RunId.of(RUN.result(), Path.of("/tmp", FOLDER.getFileName() + ".zip")));
    }

    @Test
    void shouldTellRunsOfOneSecondInFoldersOfOneNameApart() {
        final Set<String> ids = new HashSet<>();
        ids.add(RunId.of(RUN.result(), FOLDER));
        ids.add(RunId.of(RUN.on("lab-4", "Zen 5").result(), FOLDER));
        ids.add(RunId.of(Ran.at(RUN.startedAt(), 101).result(), FOLDER));
        ids.add(RunId.of(Ran.at("2026-01-01T00:00:01Z", 100).result(), FOLDER));
        ids.add(RunId.of(RUN.result(), FOLDER.resolveSibling("20260101-000000_demo-2")));

        assertThat(ids).hasSize(5);
    }

    /** JSON has no word for infinity, and none for a negative zero. */
    @Test
    void shouldBeTheSameInMemoryAndReadFromAFile() {
        final String asRead = RunId.of(Ran.at(RUN.startedAt(), 0).result(), FOLDER);

        assertThat(RunId.of(Ran.at(RUN.startedAt(), Double.NaN).result(), FOLDER))
                .isEqualTo(asRead);
        assertThat(RunId.of(Ran.at(RUN.startedAt(), -0.0).result(), FOLDER)).isEqualTo(asRead);
    }
}

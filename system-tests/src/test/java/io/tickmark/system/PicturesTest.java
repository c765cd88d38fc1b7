package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which pictures of the documentation are older than the pages they show. */
class PicturesTest {
    private static final String QUICK =
            "cli/src/main/java/io/tickmark/cli/command/QuickCommand.java";
    private static final Path SCRIPT = Launch.ROOT.resolve("deploy/pictures");

    @TempDir private Path folder;

    private void git(final String... words) {
        final Launch.Outcome outcome =
                Launch.of(Path.of("/usr/bin/git"), words)
                        .in(folder)
                        .with("GIT_AUTHOR_NAME", "test")
                        .with("GIT_AUTHOR_EMAIL", "test@localhost")
                        .with("GIT_COMMITTER_NAME", "test")
                        .with("GIT_COMMITTER_EMAIL", "test@localhost")
                        .run();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    }

    private void write(final String file, final String text) throws IOException {
        final Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void commit() {
        git("add", ".");
        git("commit", "--quiet", "--message=One");
    }

    private Launch.Outcome check() {
        return Launch.of(folder.resolve("deploy/pictures"), "--check").run();
    }

    @Test
    void shouldNameThoseWhosePageHasChangedSinceTheyWereMade() throws IOException {
        Files.createDirectories(folder.resolve("deploy"));
        Files.copy(SCRIPT, folder.resolve("deploy/pictures"));
        write("docs/images/report.png", "a picture");
        write("docs/images/console-light.png", "another picture");
        write("report/src/main/page/style.css", "one style");
        write("console/src/main/page/style.css", "one style");
        write(QUICK, "one sentence");
        assertThat(check().exitCode()).as("not known without the commits").isEqualTo(3);
        git("init", "--quiet", "--initial-branch=main");
        commit();
        assertThat(check().exitCode()).isZero();

        write("report/src/main/page/style.css", "another style");
        assertIsOld("report/src/main", 0);
        commit();
        assertIsOld("report/src/main", 1);

        write("docs/images/report.png", "a picture of today");
        assertThat(check().exitCode()).as("made, and not committed yet").isZero();
        commit();
        assertThat(check().exitCode()).isZero();

        write(QUICK, "another sentence");
        assertIsOld(QUICK, 0);
    }

    private void assertIsOld(final String source, final int commits) {
        final Launch.Outcome old = check();
        assertThat(old.exitCode()).as(old.err()).isEqualTo(1);
        assertThat(old.out())
                .isEqualTo(
                        "docs/images/report.png: %s has changed since (commits: %d)\n"
                                .formatted(source, commits));
    }
}

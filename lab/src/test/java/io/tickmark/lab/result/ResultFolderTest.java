package io.tickmark.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFolderTest {
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 2, 3, 4, 5);

    @TempDir private Path results;

    @Test
    void shouldNameAFolderByTimeAndPlanAndNeverTwice() {
        assertThat(ResultFolder.create(results, "demo", TIME).path())
                .isEqualTo(results.resolve("20260102-030405_demo"));
        assertThat(ResultFolder.create(results, "demo", TIME).path())
                .isEqualTo(results.resolve("20260102-030405_demo-2"));
    }

    @Test
    void shouldTakeAnEmptyFolderAndNoOther() throws IOException {
        final Path path = results.resolve("a/b");
        assertThat(ResultFolder.at(path).path()).isEqualTo(path);
        Files.writeString(path.resolve("x"), "");

        assertThatThrownBy(() -> ResultFolder.at(path))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not empty");
    }

    @Test
    void shouldSayThatADiskIsFull() throws IOException {
        final ResultFolder folder = ResultFolder.at(results);
        folder.write("result.json", "old");
        Files.createSymbolicLink(results.resolve(".result.json.part"), Path.of("/dev/full"));

        assertThatThrownBy(() -> folder.write("result.json", "{}"))
                .isInstanceOfSatisfying(
                        UserError.class,
                        error -> assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                .hasMessageContaining("result.json cannot be written")
                .hasMessageContaining("--out");
        assertThat(results.resolve("result.json")).hasContent("old");
        assertThat(results).isDirectoryNotContaining(file -> file.toString().endsWith(".part"));
    }

    @Test
    void shouldReplaceAFileAsAWhole() {
        final ResultFolder folder = ResultFolder.at(results);
        folder.write("result.json", "a long text");
        folder.write("result.json", "short");

        assertThat(results.resolve("result.json")).hasContent("short");
    }

    @Test
    void shouldMakeOneFolderForEachRole() {
        final ResultFolder folder = ResultFolder.at(results);

        assertThat(folder.role("latency", "udp://127.0.0.1:0?batch=20", "latency-pub-1"))
                .isDirectory()
                .isEqualTo(results.resolve("roles/latency-udp-127.0.0.1-0-batch-20-latency-pub-1"));
        assertThat(folder.role("calibrate", "", "calibrate-1").getFileName())
                .hasToString("calibrate-calibrate-1");
    }

    @Test
    void shouldKeepLongChannelsApart() {
        final String longOne = "aeron:udp?" + "x".repeat(200);

        assertThat(ResultFolder.slug(longOne + "1"))
                .hasSizeLessThan(64)
                .isNotEqualTo(ResultFolder.slug(longOne + "2"));
        assertThat(ResultFolder.slug("../../etc")).isEqualTo("etc");
    }
}

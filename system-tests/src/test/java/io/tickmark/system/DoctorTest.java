package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The machine's checks through the front door; what they find differs from machine to machine. */
class DoctorTest {
    @TempDir private Path folder;

    @Test
    void shouldSayHowManyChecksItDidAndWarnByItsExitCode() {
        final Launch.Outcome outcome = Launch.tickmark(folder, "doctor --all").run();

        assertThat(outcome.out())
                .containsPattern(
                        "(?m)^\\d+ checks: \\d+ warnings, \\d+ notes, \\d+ as they should be\\.$")
                .containsPattern("The disk takes \\d+ synced writes a second");
        assertThat(outcome.exitCode())
                .isEqualTo(outcome.out().contains(" checks: 0 warnings,") ? 0 : 1);
        assertThat(folder).as("what it wrote to measure the disk").isEmptyDirectory();
    }

    @Test
    void shouldGiveEachCheckToScripts() {
        final Launch.Outcome outcome = Launch.here("doctor --json --no-disk");

        final JsonNode checks = JsonMapper.shared().readTree(outcome.out());
        assertThat(checks.propertyNames())
                .contains("virtualisation", "cores", "isolated cores", "file system", "room")
                .doesNotContain("synced writes");
        assertThat(checks.values())
                .allSatisfy(check -> {
                    assertThat(check.path("severity").asString()).isIn("ok", "note", "warning");
                    assertThat(check.path("is").asString()).isNotEmpty();
                    assertThat(check.path("helps").asString()).isNotEmpty();
                });
        assertThat(outcome.exitCode()).isEqualTo(outcome.out().contains("\"warning\"") ? 1 : 0);
    }

    @Test
    void shouldKeepTheSameChecksWithEveryResult() throws IOException {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "latency --channel shm: --samples 10 --ping-timeout 10s --no-noise --out kept --no-history")
                        .run();

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        final JsonNode environment =
                JsonMapper.shared()
                        .readTree(Files.readString(folder.resolve("kept/environment.json")));
        assertThat(environment.path("checks").propertyNames())
                .contains("virtualisation", "cores", "isolated cores");
    }

    @Test
    void shouldSayThatADiskCouldNotBeMeasured() {
        assertThat(Launch.here("doctor --folder /proc").out().replaceAll("\\s+", " "))
                .contains("was not measured: no file can be written and synced in /proc");
    }

    @Test
    void shouldRefuseAFolderThatIsNotThere() {
        final Launch.Outcome outcome = Launch.here("doctor --folder nonesuch");

        assertThat(outcome.err()).contains("--folder nonesuch: no such folder");
        assertThat(outcome.exitCode()).isEqualTo(2);
    }
}

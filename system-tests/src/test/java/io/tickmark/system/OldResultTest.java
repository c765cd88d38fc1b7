package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A result folder of the time before reference tools had dialects: its plan has keys that are gone,
 * its latencies have every percentile, however few the messages, and its trials and noise lack what
 * has been added. It stays readable, although its plan is refused.
 */
class OldResultTest {
    private static final Path OLD =
            Launch.ROOT.resolve("system-tests/src/test/resources/old-result");

    @TempDir private Path folder;

    @BeforeEach
    void keep() throws IOException {
        copy("old", "domainId: 88");
        copy("other", "domainId: 89");
    }

    private void copy(final String name, final String domain) throws IOException {
        final Path run = Files.createDirectory(folder.resolve(name));
        Files.copy(OLD.resolve("result.json"), run.resolve("result.json"));
        Files.writeString(
                run.resolve("plan.yaml"),
                Files.readString(OLD.resolve("plan.yaml")).replace("domainId: 88", domain));
    }

    private String old() {
        return folder.resolve("old").toString();
    }

    @Test
    void shouldBeShownWithItsPlan() {
        final Launch.Outcome shown = Launch.here("report " + old());

        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(folder.resolve("old/report.html"))
                .content()
                .contains("domainId: 88", "persist", "22927");
    }

    @Test
    void shouldBeComparedWithAnotherPlanNamingWhatDiffers() {
        final Launch.Outcome same = Launch.here("compare " + old() + " " + old());
        final Launch.Outcome other =
                Launch.here("compare " + old() + " " + folder.resolve("other"));

        assertThat(same.exitCode()).as(same.err()).isZero();
        assertThat(same.out()).contains("B against A:", "dds:", "archive:").doesNotContain("worse");
        assertThat(other.exitCode()).as(other.err()).isZero();
        assertThat(other.out()).contains("domainId", "88", "89");
    }

    @Test
    void shouldBeEnteredIntoTheHistory() throws IOException {
        final String place = " --history " + folder.resolve("history.db");
        final Launch.Outcome added = Launch.here("history add " + old() + place);

        assertThat(added.exitCode()).as(added.err()).isZero();
        assertThat(Launch.here("history before-dialects" + place).out())
                .contains("pings on dds:, 64 bytes, responseNs.p50")
                .contains("kept on archive:, 64 bytes, stableNs.p50");
    }

    @Test
    void shouldRefuseItsPlanWithWhatSaysTheSameNow() {
        final Launch.Outcome run = Launch.here("run " + old() + "/plan.yaml");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains(
                        "channels: [dds://88]",
                        "dds://88?nic=192.0.2.1",
                        "archive:?deletion=acknowledged for r");
    }
}

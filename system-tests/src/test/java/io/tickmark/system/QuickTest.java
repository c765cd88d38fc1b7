package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer types first. */
class QuickTest {
    @TempDir private Path folder;

    @Test
    void shouldSayOnOneScreenWhatTheMachineResolves() throws Exception {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "quick --repeats 1 --no-noise --no-history --out there")
                        .run();

        // whether a busy machine holds the rate is for it to say
        assertThat(outcome.exitCode()).as(outcome.err()).isIn(0, 1);
        assertThat(outcome.out())
                .startsWith("floor on ")
                .containsPattern("(?m)^shm:, 64 bytes .*[-|=.]+")
                .contains("udp://127.0.0.1:0", "tcp://127.0.0.1:0", "aeron:ipc")
                .containsPattern(
                        "This machine\n- At 99.9 % it is good to [0-9.,]+ [num]?s: what is")
                .contains("./tickmark doctor", "Report: there/report.html");
        assertThat(outcome.out().lines().count()).as("one screen").isLessThan(60);
        assertThat(ResultDocument.read(folder.resolve("there/result.json")).trials()).hasSize(4);
    }
}

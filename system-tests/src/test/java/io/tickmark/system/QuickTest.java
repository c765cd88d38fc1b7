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
                .containsPattern("What its settings cost\n- Clock.*: a reading takes [0-9.]+ [nu]s")
                .contains("./tickmark doctor", "Report: there/report.html");
        assertThat(outcome.out().lines().count()).as("one screen").isLessThan(60);
        assertThat(ResultDocument.read(folder.resolve("there/result.json")).trials()).hasSize(4);
    }

    @Test
    void shouldMeasureAnEchoServiceOfTheUsersOwn() throws Exception {
        try (PlainEcho echo = PlainEcho.tcp()) {
            final String target = "tcp://127.0.0.1:" + echo.port();
            final Launch.Outcome outcome =
                    Launch.tickmark(
                                    folder,
                                    "quick --target "
                                            + target
                                            + " --no-noise --no-history --out there")
                            .run();
            assertThat(outcome.exitCode()).as(outcome.err()).isIn(0, 1);
            assertThat(outcome.out().replaceAll("\\s+", " "))
                    .containsPattern("at-1000 on .* [0-9,]+/s")
                    .containsPattern(
                            target
                                    + " - At 1,000/s: response time 50 % .*, service time 50 % .*At 25,000/s: ")
                    .containsPattern("(The knee lies .*below|No knee was seen up to) [0-9,]+/s");
        }

        final Launch.Outcome wrong = Launch.tickmark(folder, "quick --target nowhere").run();
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("nowhere");
    }
}

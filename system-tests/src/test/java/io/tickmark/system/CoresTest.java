package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Placements on the machine at hand, and bursts that are more than it is said to sustain. */
class CoresTest {
    private static final Pattern SEEN =
            Pattern.compile(
                    "Seen: longest response [^,]+, publisher at most [0-9.]+ ([a-z]+) behind,"
                            + " 0 of ([0-9]+) messages? lost\\.");

    @TempDir private Path folder;

    @BeforeEach
    void writePlan() throws IOException {
        Files.writeString(
                folder.resolve("short.yaml"),
                """
                schema: tickmark.plan/1
                name: short
                tests:
                  - name: paced
                    workload: stream
                    channels: ["shm:"]
                    settings: {payloadBytes: 64, rate: 20000, jvmWarmUp: 10ms}
                    roles: [{role: stream-pub, process: both}, {role: stream-sub, process: both}]
                    criteria: {minRateHeldPart: 0, maxLostPart: 1}
                """);
    }

    @Test
    void shouldTryPlacementsInTurnsAndAdviseNoneByTwoRepeats() {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "cores short.yaml --trial 100ms --repeats 2").run();

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        // Placements take turns: the second is tried before the first is tried again.
        assertThat(outcome.err())
                .containsPattern("(?s)^((?!repeat 2).)*repeat 1((?!repeat 2).)*repeat 1");
        assertThat(outcome.isOneScreen().out())
                .contains("placement", "free", "left to the system")
                .containsPattern("(?m)^Nothing can be recommended: .* fewer than 3 repeats");
    }

    @Test
    void shouldSayWhatCannotBePlaced() {
        assertThat(Launch.here("cores " + folder.resolve("short.yaml") + " --test nonesuch"))
                .satisfies(outcome -> {
                    assertThat(outcome.exitCode()).isEqualTo(2);
                    assertThat(outcome.err())
                            .contains("--test nonesuch: the plan has no such test; it has paced.");
                });
    }

    @Test
    void shouldReportWhatABurstNeedsAndSendSuchBursts() {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "burst --channel shm: --sustained 1000 --rate 3000 --length 20ms --bursts 2"
                                        + " --payload-bytes 100 --no-noise")
                        .run();

        assertThat(outcome.err())
                .contains(
                        "A burst of 3,000/s for 20.0 ms above 1,000/s needs room for 40 messages"
                                + " (0.00400 MB of payload) and 40.0 ms to drain.");
        assertThat(outcome.isOneScreen().out().lines())
                .filteredOn(line -> !line.startsWith("actual_sends=")) // for programs
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        final Matcher seen = SEEN.matcher(outcome.out().replaceAll("\\s+", " "));
        assertThat(seen.find()).as(outcome.out()).isTrue();
        // one that a busy machine holds up for a second past the end sends no more
        assertThat(Integer.parseInt(seen.group(2)))
                .as(seen.group())
                .isBetween(seen.group(1).equals("s") ? 1 : 120, 120);
    }
}

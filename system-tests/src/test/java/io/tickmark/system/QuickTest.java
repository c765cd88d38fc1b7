package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a newcomer types first. */
class QuickTest {
    /** Between the first two rates that are tried: the knee is soon found. */
    private static final int MOST_PER_SECOND = 3_000;

    private static final int BYTES = 64;

    private static final String WEB_SOCKET_ECHO =
            """
            import asyncio, sys, time, websockets
            async def echo(socket):
                due = time.monotonic()
                async for message in socket:
                    await socket.send(message)
                    now = time.monotonic()
                    due = max(due, now - 0.2) + 1 / int(sys.argv[1])
                    if due > now:
                        await asyncio.sleep(due - now)
            async def main():
                async with websockets.serve(echo, '127.0.0.1', 0) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.Future()
            asyncio.run(main())
            """;

    /** Which of the two it is depends on what else runs. */
    private static final String ANSWER =
            "(good to [0-9.,]+ [num]?s at 99.9 %|too busy for a 99.9th percentile)[.;]";

    /** A busy machine cannot even say that. */
    private static final String NOT_KNOWN = "(It is not known whether )?";

    /** Of a rate at which a role was lost twice, as on a machine that gives it no core. */
    private static final String NOT_MEASURED = "it could not be measured";

    private static final int FEWEST_RATES = 3;

    /** A machine so slow that this was not enough for three leaves rates out. */
    private static final Duration ENOUGH = Duration.ofSeconds(40);

    private static final Pattern RATE_ROW = Pattern.compile(" at-[0-9]+ +[0-9,.]+ ?k?/s ");
    private static final Pattern BOTH_TIMES =
            Pattern.compile(
                    " [0-9,.]+ ?k?/s: (?:nothing came back|response time 50 % [^;]+; service time 50 % [^;:]+ longest [0-9])");

    @TempDir private Path folder;

    @Test
    void shouldSayOnOneScreenWhatTheMachineResolves() throws Exception {
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "quick --repeats 1 --no-noise --no-history --out there")
                        .run();

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .containsPattern("\\AThis machine: " + ANSWER)
                .contains("\nfloor, 64 bytes\nchannel ")
                .containsPattern("(?m)^shm: .*[-|=.]+")
                .contains("udp://127.0.0.1:0", "tcp://127.0.0.1:0", "aeron:ipc")
                .containsPattern(
                        "\nThis machine\n- (Anything shorter than [0-9.,]+ [num]?s cannot|No channel answered)")
                .containsPattern(
                        "Cost of each machine setting to a .* message, largest first\n- [A-Z].*: [0-9.]+ [num]?s")
                .containsPattern("- Clock.*: [0-9.]+ [nu]s for two readings")
                .contains("./tickmark doctor", "Report: there/report.html")
                .doesNotContain("Passed", "Failed", "Measured:", "Nothing was lost");
        assertThat(outcome.out().lines().count()).as("one screen").isLessThan(36);
        assertThat(outcome.err())
                .as("said before anything is measured")
                .containsPattern("(?m)^\\S+ 4 trials, about [0-9]+ s, into there\n");
        final ResultDocument result = ResultDocument.read(folder.resolve("there/result.json"));
        assertThat(result.trials()).hasSize(4);
        final String headline = result.root().at("/answer/headline").asString();
        assertThat(headline).containsPattern("\\AThis machine: " + ANSWER);
        assertThat(result.root().at("/answer/figures/goodToNs").asLong() > 0)
                .isEqualTo(headline.contains("good to ") && !headline.contains("too busy"));
        assertThat(Files.readString(folder.resolve("there/summary.txt")).replaceAll("\\s+", " "))
                .startsWith(headline)
                .contains("Cost of each machine setting", "Measured: 1 test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void shouldMeasureAnEchoServiceOfTheUsersOwn(final String scheme) throws Exception {
        try (PlainEcho echo =
                scheme.equals("tcp")
                        ? PlainEcho.tcp(MOST_PER_SECOND * BYTES)
                        : PlainEcho.udp(0, MOST_PER_SECOND)) {
            final String target = scheme + "://127.0.0.1:" + echo.port();

            assertThat(upToTheKneeOf(target))
                    .contains(" " + target + ", 64 bytes test rate ", "no echo")
                    .containsPattern("at-1000 +[0-9,.]+/s")
                    .doesNotContain("Passed", "Failed");
        }
    }

    /**
     * After 1,000 and 5,000 messages a second the rate between the two is tried; a busy machine
     * that cannot even send 1,000 tries lower ones.
     */
    private String upToTheKneeOf(final String target) throws Exception {
        final long beganNs = System.nanoTime();
        final Launch.Outcome outcome =
                Launch.here(folder, "quick --no-noise --no-history --out there --target " + target);
        final boolean isInTime = System.nanoTime() - beganNs < ENOUGH.toNanos();

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        outcome.isOneScreen();
        assertThat(outcome.err())
                .as("said before anything is measured")
                .contains(" 6 trials, about ");
        final String out = outcome.out().replaceAll("\\s+", " ");
        assertThat(out)
                .containsPattern(
                        "\\A" + NOT_KNOWN + target + " (holds|does not hold) [0-9,.]+ ?k?/s")
                .containsPattern("1,000/s: response time 50 % .*; service time 50 % ");
        if (!out.contains(NOT_MEASURED)) {
            final int fewest = isInTime ? FEWEST_RATES : 1;
            assertThat(RATE_ROW.matcher(out).results()).as(out).hasSizeGreaterThanOrEqualTo(fewest);
            assertThat(BOTH_TIMES.matcher(out).results())
                    .as(out)
                    .hasSizeGreaterThanOrEqualTo(fewest);
        }
        return out;
    }

    @Test
    void shouldRefuseATargetThatIsNoAddress() throws Exception {
        final Launch.Outcome wrong = Launch.here("quick --target nowhere");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("--target: 'nowhere'").doesNotContain("--channel");
    }

    @Test
    void shouldMeasureAnEchoBehindAWebSocket() throws Exception {
        final String python = System.getenv("TICKMARK_TEST_PYTHON");
        assumeTrue(python != null, "TICKMARK_TEST_PYTHON names no Python with 'websockets'");
        final Process echo =
                new ProcessBuilder(python, "-c", WEB_SOCKET_ECHO, Integer.toString(MOST_PER_SECOND))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            final String target = "ws://127.0.0.1:" + echo.inputReader().readLine() + "/echo";
            upToTheKneeOf(target);
        } finally {
            echo.destroyForcibly().onExit().join();
        }
    }

    /** It is asked once, before anything is started for it. */
    @Test
    void shouldStartNothingWhereNoEchoIs() throws Exception {
        final int port;
        try (PlainEcho gone = PlainEcho.udp()) {
            port = gone.port();
        }
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "quick --target udp://127.0.0.1:" + port).run();

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.errLines()).singleElement().asString().contains("nothing listens there");
        assertThat(folder.resolve("results")).doesNotExist();
    }
}

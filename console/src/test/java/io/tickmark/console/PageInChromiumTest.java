package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The page in a real browser; what it does there is in {@code src/test/browser/scenarios.mjs}. Each
 * scenario has its own console and browser, and mostly waits for seconds of a feed.
 */
@Execution(ExecutionMode.CONCURRENT)
class PageInChromiumTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final long LONGEST_S = 580;

    private RunningConsole console;

    @BeforeAll
    static void needChromium() {
        if (System.getenv("CI") != null) {
            assertThat(CHROMIUM).as("the package chromium").exists();
        }
        assumeTrue(
                Files.exists(CHROMIUM),
                "the package chromium is not installed: nothing to test in");
    }

    @AfterEach
    void stop() {
        if (console != null) {
            console.close();
        }
    }

    /**
     * Each frame costs Playwright's process more than the page: a few hundred a second are enough.
     */
    private void play(final String scenario) throws IOException, InterruptedException {
        play(scenario, Map.of("symbols", 1000, "rate", 300));
    }

    private void play(final String scenario, final Map<String, ?> settings, final String... more)
            throws IOException, InterruptedException {
        console = new RunningConsole(settings);
        final List<String> command = new ArrayList<>();
        Collections.addAll(
                command, "node", "src/test/browser/scenarios.mjs", scenario, console.address());
        Collections.addAll(command, more);
        final Process node =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(
                                Files.createDirectories(Path.of("target"))
                                        .resolve("browser-" + scenario + ".log")
                                        .toFile())
                        .start();
        try {
            final boolean ended = node.waitFor(LONGEST_S, TimeUnit.SECONDS);
            final String said = Files.readString(Path.of("target/browser-" + scenario + ".log"));
            assertThat(ended).as("ended in time: " + said).isTrue();
            assertThat(node.exitValue()).as(said).isZero();
        } finally {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly();
        }
    }

    @Test
    void shouldMeasureARowKeepItAndGiveItAway() throws Exception {
        play("desk");
        assertThat(console.saved()).isNotEmpty();
        assertThat(console.saved().getLast().latency().getTotalCount()).isPositive();
    }

    /** The first row keeps its thresholds, the second does not. */
    @Test
    void shouldHoldThresholdsAgainstWhatItMeasures() throws Exception {
        play("thresholds");
        assertThat(console.saved()).hasSize(2);
        assertThat(console.saved().getFirst().broken()).isEmpty();
        assertThat(console.saved().getLast().broken())
                .singleElement()
                .asString()
                .matches("p99 was .* ms, more than the threshold of 0\\.001 ms");
        assertThat(console.saved().getLast().figures())
                .containsKeys("screenP50Ns", "latePart", "queuePerSecond");
    }

    @Test
    void shouldFlashResizePinCopyAndZoom() throws Exception {
        play("hands");
    }

    @Test
    void shouldFindTheLimitAsFarAsItIsKnownWhenStopped() throws Exception {
        play("find-limit");
    }

    @Test
    void shouldFindTheLimitAndKeepTheRowThatShowsIt() throws Exception {
        play("find-limit-end");
    }

    @Test
    void shouldSortFilterAndMoveInTheGrid() throws Exception {
        play("grid");
    }

    @Test
    void shouldResumeAGuaranteedSessionAndReportTheGapWhereItCannot() throws Exception {
        play("guaranteed");
    }

    @Test
    void shouldReceiveOnEveryChannel() throws Exception {
        play("channels");
    }

    @Test
    void shouldSayThatItIsExposedAndWorkWithItsToken() throws Exception {
        play("exposed", Map.of("host", "127.0.0.2", "rate", 300));
    }

    @Test
    void shouldWorkOnADeviceThatComesThroughATlsProxy(@TempDir final Path folder) throws Exception {
        final Path certificate = folder.resolve("proxy.p12");
        final Process keytool =
                new ProcessBuilder(
                                System.getProperty("java.home") + "/bin/keytool",
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=127.0.0.1",
                                "-storepass",
                                "proxied",
                                "-keystore",
                                certificate.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(keytool.waitFor(LONGEST_S, TimeUnit.SECONDS)).isTrue();
        play("proxied", Map.of("trustedProxy", "127.0.0.1", "rate", 300), certificate.toString());
    }

    @Test
    void shouldReportAtOnceThatARowItWasToMeasureIsBrokenOff() throws Exception {
        play("no-row");
        assertThat(console.brokenOff()).hasSize(1);
        assertThat(console.measured()).isEmpty();
    }

    @Test
    void shouldShowWhatAScriptChanges() throws Exception {
        play("scripted");
    }

    @Test
    void shouldExplainEachParameterAndResult() throws Exception {
        play("explained");
    }

    @Test
    void shouldFollowARunAndReplayOthers() throws Exception {
        play("runs");
    }

    /** It took every session with images of the channels once. */
    @Test
    void shouldGiveNothingToPagesOfOtherSites() throws Exception {
        play("cross-site", Map.of("symbols", 50, "rate", 300, "maxSessions", 20));
    }

    /** It said "Keeping up" to both once. */
    @Test
    void shouldNotCallItWellWhereAQueueGrowsOrNothingIsReceived() throws Exception {
        play("behind", Map.of("symbols", 100, "rate", 2000, "maxSessions", 1, "running", true));
    }

    @Test
    void shouldFitAPhone() throws Exception {
        play("phone");
    }
}

package io.tickmark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.match.WireFigures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Captures as mirror ports give them: one direction of each connection, written by a program in
 * Python with latencies that are known, from which Wireshark's editcap takes packets out.
 */
class OneWayCaptureTest {
    /** A message and its 3 copies follow each other; packets count from 1. */
    private static final int PACKETS_OF_MESSAGE = 4;

    private static final long FIRST_NS = 100_001;
    private static final long LAST_NS = 100_600;

    @TempDir static Path folder;
    private static Path whole;

    @BeforeAll
    static void write() throws Exception {
        final String python = System.getenv("TICKMARK_TEST_PYTHON");
        assumeTrue(python != null, "a capture from Python needs TICKMARK_TEST_PYTHON");
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/editcap")),
                "to take packets out needs the package tshark, with its editcap");
        whole = folder.resolve("whole.pcap");
        run(List.of(python, "src/test/python/one_way.py", whole.toString()));
    }

    private static void run(final List<String> command) throws Exception {
        final Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(command.toString()).isTrue();
        assertThat(process.exitValue()).as(command.toString()).isZero();
    }

    /** The capture without some of its packets. */
    private static Path without(final int... packets) throws Exception {
        final Path file = Files.createTempFile(folder, "less", ".pcap");
        final List<String> command =
                new ArrayList<>(
                        List.of("editcap", "-F", "nsecpcap", whole.toString(), file.toString()));
        for (final int packet : packets) {
            command.add(Integer.toString(packet));
        }
        run(command);
        return file;
    }

    private static int messageIn(final int index) {
        return PACKETS_OF_MESSAGE * index + 1;
    }

    private static RoleResult read(final Path file, final Map<String, Object> more) {
        final Map<String, Object> values = new java.util.HashMap<>(more);
        values.put("skip", "0");
        return WireRoleResult.of(
                new WireReader(
                                Settings.read(WireSettings.class, values, key -> "--" + key),
                                WireContext.NONE,
                                () -> false)
                        .read(file),
                true);
    }

    @Test
    void shouldSayTheShortestAndTheLongestToTheNanosecond() {
        final RoleResult result = read(whole, Map.of());
        final Histogram each = each(result);
        assertThat(each.getTotalCount()).isEqualTo(600);
        assertThat(each.getMinValue()).isEqualTo(FIRST_NS);
        assertThat(each.getMaxValue()).isEqualTo(LAST_NS);
        assertThat(each.getValueAtPercentile(99.99)).isLessThanOrEqualTo(LAST_NS);
        assertThat(result.failure()).isEmpty();
    }

    /** Those behind the lost one waited for the end of the capture, long after their copies. */
    @ParameterizedTest
    @ValueSource(strings = {"1ms", "20ms", "1s"})
    void shouldMatchWhatStandsBehindALostMessageThatWentIn(final String timeout) throws Exception {
        final RoleResult result = read(without(messageIn(50)), Map.of("holeTimeout", timeout));
        assertThat(result.metrics())
                .containsEntry("outMatched", 597L)
                .containsEntry("outUnmatched", 3L)
                .containsEntry("captureHoles", 1L);
        final Histogram each = each(result);
        assertThat(each.getMinValue()).isEqualTo(FIRST_NS);
        assertThat(each.getMaxValue()).isEqualTo(LAST_NS);
        assertThat(result.failure()).isEmpty();
        assertThat(result.warnings()).anyMatch(line -> line.startsWith("3 copies came out"));
    }

    @Test
    void shouldMatchWhatStandsBehindALostCopy() throws Exception {
        final RoleResult result = read(without(messageIn(50) + 2), Map.of());
        assertThat(result.metrics())
                .containsEntry("outMatched", 599L)
                .containsEntry("outUnmatched", 0L)
                .containsEntry("captureHoles", 1L);
        assertThat(each(result).getMaxValue()).isEqualTo(LAST_NS);
    }

    @Test
    void shouldNotPassWithMoreThanOneInAHundredUnmatchedUnlessAsked() throws Exception {
        final Path file = without(messageIn(20), messageIn(60), messageIn(61), messageIn(150));
        final RoleResult result = read(file, Map.of());
        assertThat(result.metrics()).containsEntry("outUnmatched", 12L);
        assertThat(result.failure())
                .contains("12 of 600 copies (2.0 %) have no latency")
                .endsWith("--max-unmatched-percent 1.");
        assertThat(read(file, Map.of("maxUnmatchedPercent", "2")).failure()).isEmpty();
    }

    @Test
    void shouldNotPassWhereMoreThanOneInAHundredMessagesHasNoCopyUnlessAsked() throws Exception {
        final Path file = without(copiesOf(20, 60, 150));
        final RoleResult result = read(file, Map.of());
        assertThat(result.metrics())
                .containsEntry("inUnmatched", 3L)
                .containsEntry("outUnmatched", 0L);
        assertThat(result.failure())
                .contains("no copy of 3 of 200 messages (1.5 %) was seen coming out")
                .endsWith("say --max-uncopied-percent 100.");
        assertThat(read(file, Map.of("maxUncopiedPercent", "2")).failure()).isEmpty();
        assertThat(read(without(copiesOf(20, 60)), Map.of()).failure()).isEmpty();
    }

    private static int[] copiesOf(final int... messages) {
        return Arrays.stream(messages)
                .flatMap(index ->
                        IntStream.range(1, PACKETS_OF_MESSAGE).map(copy -> messageIn(index) + copy))
                .toArray();
    }

    private static Histogram each(final RoleResult result) {
        return result.steps().getFirst().latencies().get(WireFigures.EACH_COPY_NS);
    }
}

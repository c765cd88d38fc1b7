package io.tickmark.wire;

import static io.tickmark.wire.Frames.CLIENT;
import static io.tickmark.wire.Frames.GATEWAY;
import static io.tickmark.wire.Frames.ethernet;
import static io.tickmark.wire.Frames.ipv4;
import static io.tickmark.wire.Frames.tcp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.fix.FixText;
import io.tickmark.wire.match.WireFigures;
import io.tickmark.wire.net.IpPacket;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WireReaderTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long BEGIN_NS = 1_795_000_000L * SECOND_NS;

    private static final WireContext NOTHING_LOST =
            new WireContext(
                    Optional.empty(),
                    1,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.of(0),
                    WireContext.NONE.kept());

    @TempDir Path folder;

    private final Pcap pcap = Pcap.nano();
    private final Map<Integer, Integer> sequences = new HashMap<>();

    /** 10 messages in, a millisecond apart, 3 copies each, 100, 200 and 300 us later. */
    private void fanOut() {
        for (int i = 0; i < 10; i++) {
            final long inNs = BEGIN_NS + i * 1_000_000L;
            in(inNs, "35=W|49=P|56=G|9703=" + i + "|55=EUR|");
            for (int copy = 1; copy <= 3; copy++) {
                out(
                        inNs + copy * 100_000L,
                        copy,
                        "35=W|49=G|56=C" + copy + "|9703=" + i + "|55=EUR|");
            }
        }
    }

    @Test
    void shouldMeasureEachTheFirstAndTheLastCopy() {
        fanOut();
        final RoleResult result = read("0");
        final StepResult step = result.steps().getFirst();

        assertThat(step.counts())
                .containsEntry(WireFigures.IN, 10L)
                .containsEntry(WireFigures.OUT, 30L)
                .containsEntry(WireFigures.IN_UNMATCHED, 0L)
                .containsEntry(WireFigures.OUT_UNMATCHED, 0L)
                .containsEntry(Counts.SENT, 10L)
                .as("how many copies there should be, a capture does not know")
                .doesNotContainKeys(Counts.RECEIVED, Counts.EXPECTED);
        assertLatency(step, WireFigures.EACH_COPY_NS, 30, 100_000, 300_000);
        assertLatency(step, WireFigures.FIRST_COPY_NS, 10, 100_000, 100_000);
        assertLatency(step, WireFigures.LAST_COPY_NS, 10, 300_000, 300_000);
        assertThat(result.metrics())
                .containsEntry("minCopies", 3L)
                .containsEntry("maxCopies", 3L)
                .containsEntry("inPerSecond", 1000.0)
                .containsEntry("outSessions", 3L);
        assertThat(result.warnings()).isEmpty();
        assertThat(result.failure()).isEmpty();
    }

    @Test
    void shouldSkipCopiesAndNotMessages() {
        fanOut();
        final StepResult step = read("4").steps().getFirst();

        assertLatency(step, WireFigures.EACH_COPY_NS, 26, 100_000, 300_000);
        assertLatency(step, WireFigures.FIRST_COPY_NS, 8, 100_000, 100_000);
        assertLatency(step, WireFigures.LAST_COPY_NS, 8, 300_000, 300_000);
    }

    @Test
    void shouldNotPassWhereAllWasSkipped() {
        fanOut();

        assertThat(read("29").failure()).isEmpty();
        assertThat(read("30").failure())
                .endsWith(
                        "all 30 copies were left out as warm-up, so nothing was timed: name a smaller SKIP than 30.");
    }

    @Test
    void shouldNotPassWhereNoCopyOfAnythingCameOut() {
        in(BEGIN_NS, "35=W|49=P|56=G|9703=1|");

        assertThat(read("0").failure())
                .endsWith(
                        "1 message went in and none of its copies came out, so nothing was timed.");
    }

    /** All copies were matched, and none had a latency. */
    @Test
    void shouldNotPassWhereTheTimeStampsAreTooCoarseToTimeAnything() {
        for (int i = 0; i < 10; i++) {
            in(BEGIN_NS, "35=W|49=P|56=G|9703=" + i + "|");
            out(BEGIN_NS, 1, "35=W|49=G|56=C1|9703=" + i + "|");
        }
        final RoleResult result = read("0");

        assertThat(result.failure())
                .contains("each of 10 copies has the time stamp of its message")
                .contains("nothing was timed");
        assertThat(result.steps().getFirst().counts()).containsEntry(Counts.NOT_POSITIVE, 30L);
        assertThat(result.metrics()).as("nor by session").containsEntry("outSessions", 0L);
    }

    @Test
    void shouldNotPassWhereTheCaptureLostMoreThanOneInAHundredPacketsUnlessAsked() {
        fanOut();

        assertThat(losing(1, Map.of()).failure())
                .contains("the capture lost 1 of 41 packets (2.4 %)")
                .endsWith("more than --max-unmatched-percent 1.");
        assertThat(losing(1, Map.of("maxUnmatchedPercent", "2.5")).failure()).isEmpty();
        assertThat(losing(0, Map.of()).failure()).isEmpty();
    }

    /** They count themselves what they sent and received. */
    @Test
    void shouldWarnBesideOtherRolesOfWhatTheCaptureLostOrLacks() {
        fanOut();
        in(BEGIN_NS + SECOND_NS, "35=W|49=P|56=G|9703=10|55=EUR|"); // no copy came out
        out(BEGIN_NS + SECOND_NS, 1, "35=W|49=G|56=C1|9703=11|55=EUR|"); // of no message
        final RoleResult result = losing(1, Map.of(), false);

        assertThat(result.failure()).isEmpty();
        assertThat(result.warnings())
                .anyMatch(line -> line.contains("1 of 31 copies (3.2 %) have no latency"))
                .anyMatch(line -> line.contains("no copy of 1 of 11 messages (9.1 %) was seen"))
                .anyMatch(line -> line.contains("the capture lost 1 of 43 packets (2.3 %)"));
        assertThat(losing(1, Map.of(), true).failure()).contains("1 of 31 copies");
    }

    /** What the roles measured well was void. */
    @Test
    void shouldCountWhatItCannotTimeApartBesideOtherRoles() {
        fanOut();
        in(BEGIN_NS + SECOND_NS, "35=W|49=P|56=G|9703=10|55=EUR|");
        out(BEGIN_NS + SECOND_NS, 1, "35=W|49=G|56=C1|9703=10|55=EUR|");
        final RoleResult beside = losing(0, Map.of(), false);
        final RoleResult alone = losing(0, Map.of(), true);

        assertThat(beside.failure()).isEmpty();
        assertThat(beside.steps().getFirst().counts())
                .containsEntry(WireFigures.NOT_TIMED, 3L)
                .matches(counts -> counts.keySet().stream().noneMatch(Counts::isNotTimed));
        assertThat(beside.warnings())
                .singleElement()
                .asString()
                .startsWith("3 times of the capture are zero, negative or above an hour");
        assertThat(alone.steps().getFirst().counts())
                .containsEntry(Counts.NOT_POSITIVE, 3L)
                .doesNotContainKey(WireFigures.NOT_TIMED);
        assertThat(alone.warnings()).isEmpty();
    }

    private RoleResult losing(final long packets, final Map<String, Object> more) {
        return losing(packets, more, true);
    }

    private RoleResult losing(
            final long packets, final Map<String, Object> more, final boolean isAlone) {
        final Map<String, Object> values = new HashMap<>(more);
        values.put("skip", "0");
        final WireContext context =
                new WireContext(
                        Optional.empty(),
                        1,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.of(packets),
                        WireContext.NONE.kept());
        return WireRoleResult.of(
                reader(values, context).read(pcap.write(folder.resolve("test.pcap"))), isAlone);
    }

    /** A file of tcpdump alone does not say it, and was read as one that lost nothing. */
    @Test
    void shouldSayWhereItIsNotKnownHowManyPacketsWereLost() {
        fanOut();
        final RoleResult result =
                WireRoleResult.of(
                        reader(Map.of("skip", "0"), WireContext.NONE)
                                .read(pcap.write(folder.resolve("test.pcap"))),
                        true);

        assertThat(result.warnings())
                .containsExactly(
                        "How many packets the capture lost is not known, so what it lacks may have been on the wire;"
                                + " 'tickmark capture' and runs with --capture keep it.");
        assertThat(result.metrics()).doesNotContainKey("droppedByCapture");
        assertThat(read("0").metrics()).containsEntry("droppedByCapture", 0L);
        assertThat(read("0").warnings()).isEmpty();
    }

    /** Each message had a copy left. */
    @Test
    void shouldNotPassWhereMoreThanOneInAHundredCopiesIsInHolesUnlessAsked() {
        for (int i = 0; i < 10; i++) {
            final long inNs = BEGIN_NS + i * 1_000_000L;
            in(inNs, "35=W|49=P|56=G|9703=" + i + "|");
            out(inNs + 100_000, 1, "35=W|49=G|56=C1|9703=" + i + "|");
            final String second = "35=W|49=G|56=C2|9703=" + i + "|";
            if (i > 0 && i < 9) {
                segment(3001, 6002, FixText.bytes(FixText.message(second))); // not captured
            } else {
                out(inNs + 200_000, 2, second);
            }
        }
        final RoleResult result = read("0");

        assertThat(result.metrics()).containsEntry("inUnmatched", 0L);
        assertThat(result.failure())
                .contains("8 of 20 copies (40.0 %) are missing, and the capture has 1 holes")
                .endsWith("more than --max-unmatched-percent 1.");
        assertThat(read(Map.of("skip", "0", "maxUnmatchedPercent", "40")).failure()).isEmpty();
    }

    /** Each kind of packet that cannot be read is reported: figures cover only the others. */
    @Test
    void shouldReportWhatItCouldNotLookAt() {
        fanOut();
        final byte[] whole =
                ethernet(
                        ipv4(
                                CLIENT,
                                GATEWAY,
                                IpPacket.TCP,
                                0,
                                0,
                                segment(5000, 3000, new byte[9])));
        pcap.add(BEGIN_NS + SECOND_NS, Arrays.copyOf(whole, 14 + 12)); // half an IP header
        pcap.add(BEGIN_NS + SECOND_NS, Arrays.copyOf(whole, 14 + 20 + 8)); // half one of TCP
        pcap.add(
                BEGIN_NS + SECOND_NS, // the first fragment of a datagram
                ethernet(ipv4(CLIENT, GATEWAY, IpPacket.UDP, 7, 0x2000, new byte[16])));

        assertThat(read("0").warnings())
                .containsExactly(
                        "2 packets have headers that are truncated or invalid; what they carry is ignored.",
                        "1 datagram is missing a fragment, and is ignored.");
    }

    @Test
    void shouldCountWhatHasNoCounterpartOnBothSides() {
        fanOut();
        in(BEGIN_NS + SECOND_NS, "35=W|49=P|56=G|9703=lonely|");
        out(BEGIN_NS + SECOND_NS, 1, "35=W|49=G|56=C1|9703=foundling|");
        final RoleResult result = read("0");

        assertThat(result.steps().getFirst().counts())
                .containsEntry(WireFigures.IN_UNMATCHED, 1L)
                .containsEntry(WireFigures.OUT_UNMATCHED, 1L);
        assertThat(result.warnings()).hasSize(1).first().asString().startsWith("1 copy came out");
    }

    /** What a session asked for again was a further copy, as late as the request. */
    @Test
    void shouldCountMessagesThatAreSentAgainApart() {
        in(BEGIN_NS, "35=W|49=P|56=G|34=7|9703=1|55=EUR|");
        out(BEGIN_NS + 5_000, 1, "35=W|49=G|56=C|34=7|9703=1|55=EUR|58=43=Y|");
        in(BEGIN_NS + SECOND_NS, "35=W|49=P|56=G|34=7|43=Y|122=x|9703=1|55=EUR|");
        out(BEGIN_NS + 2 * SECOND_NS, 1, "35=W|49=G|56=C|34=7|43=Y|122=x|9703=1|55=EUR|");
        out(BEGIN_NS + 3 * SECOND_NS, 1, "35=W|49=G|43=Y|56=C|34=7|9703=1|55=EUR|");
        final RoleResult result = read("0");

        assertLatency(result.steps().getFirst(), WireFigures.EACH_COPY_NS, 1, 5000, 5000);
        assertThat(result.metrics())
                .containsEntry("inMessages", 1L)
                .containsEntry("outMessages", 1L)
                .containsEntry("maxCopies", 1L)
                .containsEntry("inPossibleDuplicates", 1L)
                .containsEntry("outPossibleDuplicates", 2L)
                .doesNotContainKey("ambiguousMessages");
    }

    /** The window was looked at only when another message went in. */
    @Test
    void shouldNotMatchACopyBehindTheWindow() {
        in(BEGIN_NS, "35=W|49=P|56=G|9703=1|");
        out(BEGIN_NS + 10 * SECOND_NS, 1, "35=W|49=G|56=C|9703=1|");
        out(BEGIN_NS + 10 * SECOND_NS + 1, 2, "35=W|49=G|56=C|9703=1|");
        final RoleResult result = read(Map.of("skip", "0", "matchWindow", "10s"));

        assertThat(result.metrics())
                .containsEntry("outMatched", 1L)
                .containsEntry("outUnmatched", 1L);
    }

    /** The slowest of three was left out in silence, and another one named. */
    @Test
    void shouldSayWhereTheSlowestSessionMayBeOneThatIsTooShortToTell() {
        for (int i = 0; i < 1000; i++) {
            final long inNs = BEGIN_NS + i * 1_000_000L;
            in(inNs, "35=W|49=P|56=G|9703=" + i + "|");
            for (int copy = 1; copy <= (i < 900 ? 3 : 2); copy++) {
                out(inNs + copy * 100_000L, copy, "35=W|49=G|56=C" + copy + "|9703=" + i + "|");
            }
        }
        final RoleResult result = read("0");

        assertThat(result.metrics())
                .containsEntry("outSessions", 3L)
                .containsEntry("sessionsWithoutP99", 1L);
        assertThat((String) result.metrics().get("slowestSession")).startsWith("C2 ");
        assertThat(result.warnings())
                .singleElement()
                .asString()
                .startsWith("1 session has no 99th percentile")
                .endsWith("it may be slower than slowestSession.");
        assertThat(read("899").metrics()).containsEntry("sessionsWithoutP99", 3L);
    }

    /** Where no session is called the slowest, there is nothing to warn of. */
    @Test
    void shouldNotWarnOfShortSessionsWhereNoneIsCalledTheSlowest() {
        fanOut();
        final RoleResult result = read("0");

        assertThat(result.metrics())
                .containsEntry("sessionsWithoutP99", 3L)
                .doesNotContainKey("slowestSession");
        assertThat(result.warnings()).isEmpty();
    }

    /** What came behind a minute was said to have taken a minute. */
    @Test
    void shouldReportHowLongASessionTookUpToTheWindow() {
        in(BEGIN_NS, "35=W|49=P|56=G|9703=1|");
        out(BEGIN_NS + 600 * SECOND_NS, 1, "35=W|49=G|56=C|9703=1|");
        final RoleResult result = read(Map.of("skip", "0", "matchWindow", "1h"));

        assertThat(result.metrics()).as("of one copy").doesNotContainKey("slowestSessionP99Ns");
        assertThat(
                        result.steps()
                                .getFirst()
                                .latencies()
                                .get(WireFigures.EACH_COPY_NS)
                                .getMaxValue())
                .isBetween(595 * SECOND_NS, 605 * SECOND_NS);
    }

    @Test
    void shouldMatchByTheBodyWhereThereIsNoTag() {
        in(BEGIN_NS, "35=W|49=P|56=G|34=2|55=EUR|270=1.1|");
        out(BEGIN_NS + 5000, 1, "35=W|49=G|56=C|34=9|55=EUR|270=1.1|");
        final RoleResult result = read("0");

        assertLatency(result.steps().getFirst(), WireFigures.EACH_COPY_NS, 1, 5000, 5000);
        assertThat(result.metrics()).containsEntry("matchedByBody", 2L);
    }

    @Test
    void shouldLeaveTheSessionsOwnMessagesAside() {
        in(BEGIN_NS, "35=A|49=P|56=G|");
        in(BEGIN_NS, "35=0|49=P|56=G|");
        in(BEGIN_NS + 1, "35=W|49=P|56=G|9703=1|");
        final RoleResult result = read("0");

        assertThat(result.metrics())
                .containsEntry("inMessages", 1L)
                .containsEntry("sessionMessages", 2L)
                .containsEntry("fix.in", 3L);
    }

    @Test
    void shouldTakeOnlyTheTypesThatAreAskedFor() {
        in(BEGIN_NS, "35=W|49=P|56=G|9703=1|");
        in(BEGIN_NS, "35=X|49=P|56=G|9703=2|");

        assertThat(read(Map.of("skip", "0", "types", "X")).metrics())
                .containsEntry("inMessages", 1L)
                .containsEntry("otherTypes", 1L);
    }

    @Test
    void shouldLeaveOutMessagesWhoseIdentityBeginsOtherwise() {
        fanOut();
        final RoleResult result = read(Map.of("skip", "0", "idMask", "3"));

        assertThat(result.steps().getFirst().counts())
                .containsEntry(WireFigures.IN, 1L)
                .containsEntry(WireFigures.OUT, 3L);
        assertThat(result.metrics()).containsEntry("otherIdentities", 36L);
    }

    @Test
    void shouldSayHowManyPortsThatSpeakFixItDoesNotName() {
        for (int port = 4001; port <= 4007; port++) {
            pcap.add(
                    BEGIN_NS,
                    ethernet(
                            ipv4(
                                    CLIENT,
                                    GATEWAY,
                                    IpPacket.TCP,
                                    0,
                                    0,
                                    segment(
                                            9100,
                                            port,
                                            FixText.bytes(
                                                    FixText.message("35=W|49=P|56=G|9703=1|"))))));
        }

        assertThat(read(Map.of("inPort", "9000", "outPort", "9001")).warnings())
                .containsExactly(
                        "FIX was seen on port 4001, 4002, 4003, 4004, 4005 and 2 more: name the gateway's ports with"
                                + " --in-port and --out-port.");
    }

    @Test
    void shouldSayWhichPortsSpeakFixWhereThoseOfTheGatewayDoNot() {
        fanOut();

        assertThat(read(Map.of("inPort", "9000", "outPort", "9001")).warnings())
                .containsExactly(
                        "FIX was seen on port 3000, 3001: name the gateway's ports with --in-port and --out-port.");
    }

    @Test
    void shouldSayWhereAMessageIsGarbled() {
        fanOut();
        final byte[] wrong =
                FixText.bytes(FixText.message("35=W|9703=1|").replaceAll("10=\\d+", "10=999"));
        pcap.add(
                BEGIN_NS + SECOND_NS,
                ethernet(ipv4(CLIENT, GATEWAY, IpPacket.TCP, 0, 0, segment(5000, 3000, wrong))));

        assertThat(read("0").warnings())
                .containsExactly(
                        ("1 message is garbled, the first in the packet at byte %d, 10.0.0.2:5000 to"
                                        + " 10.0.0.1:3000, a message has a wrong checksum (10=).")
                                .formatted(pcap.bytes().length - 16 - 54 - wrong.length));
    }

    @Test
    void shouldFailWithTheByteWhereTheFileIsBroken() throws Exception {
        fanOut();
        final byte[] bytes = pcap.bytes();
        final byte[] broken = java.util.Arrays.copyOf(bytes, bytes.length + 16);
        java.util.Arrays.fill(broken, bytes.length, broken.length, (byte) 0xee);
        final Path file = Files.write(folder.resolve("broken.pcap"), broken);
        final RoleResult result =
                WireRoleResult.of(reader(Map.of("skip", "0"), WireContext.NONE).read(file), true);

        assertThat(result.failure())
                .contains("broken.pcap, byte " + bytes.length + ": a packet that says");
        assertThat(result.metrics()).containsEntry("outMatched", 30L);
    }

    @Test
    void shouldWriteTheTimeLineOfTheCapture() throws Exception {
        for (int second = 0; second < 4; second++) {
            in(BEGIN_NS + second * SECOND_NS, "35=W|49=P|56=G|9703=" + second + "|");
            out(
                    BEGIN_NS + second * SECOND_NS + 1000 * (second + 1),
                    1,
                    "35=W|49=G|56=C|9703=" + second + "|");
        }
        final WireContext context =
                new WireContext(
                        Optional.of(folder),
                        1,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.of(3),
                        WireContext.NONE.kept());
        final WireResult result =
                reader(Map.of("skip", "0"), context).read(pcap.write(folder.resolve("t.pcap")));
        SessionsFile.write(folder, 1, result.fix().orElseThrow().sessions());
        SessionsFile.write(folder, 2, result.fix().orElseThrow().sessions());

        assertThat(Files.readAllLines(folder.resolve("stats.csv")))
                .hasSize(5)
                .element(1)
                .asString()
                .startsWith("2026-11-18T");
        assertThat(Files.readAllLines(folder.resolve("sessions.csv")))
                .as("both repeats below one heading")
                .hasSize(5)
                .element(2)
                .asString()
                .startsWith("1,out,10.0.0.1:3001,10.0.0.2:6001,G,C,4,0,4,");
        assertThat(WireRoleResult.of(result, true).warnings())
                .containsExactly(
                        "The capture lost 3 packets: give it a larger buffer (--buffer-mib), or reduce the load on the machine.");
    }

    /**
     * Four bits above the link type say how many 16 bit words of it there are, one that they do.
     */
    @Test
    void shouldReadFramesThatEndWithACheckSequence() {
        fanOut();
        final Pcap withCheckSequence =
                new Pcap(ByteOrder.LITTLE_ENDIAN, true, 2 << 28 | 1 << 26 | Pcap.ETHERNET);
        pcap.frames()
                .forEach(frame ->
                        withCheckSequence.add(
                                frame.timeNs(),
                                Frames.join(frame.bytes(), new byte[] {1, 2, 3, 4})));
        final RoleResult result =
                WireRoleResult.of(
                        reader(Map.of("skip", "0"), NOTHING_LOST)
                                .read(withCheckSequence.write(folder.resolve("fcs.pcap"))),
                        true);

        assertLatency(result.steps().getFirst(), WireFigures.EACH_COPY_NS, 30, 100_000, 300_000);
        assertThat(result.warnings()).isEmpty();
    }

    @Test
    void shouldRefuseALinkLayerThatItDoesNotKnow() {
        final Path file =
                new Pcap(ByteOrder.LITTLE_ENDIAN, true, 147)
                        .add(1, new byte[60])
                        .write(folder.resolve("odd.pcap"));

        assertThatThrownBy(() -> reader(Map.of(), WireContext.NONE).read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("link type 147");
    }

    @Test
    void shouldStopWhenAsked() {
        for (int i = 0; i < 70_000; i++) {
            pcap.add(BEGIN_NS, new byte[14]);
        }
        final Path file = pcap.write(folder.resolve("long.pcap"));
        final WireResult result =
                new WireReader(settings(Map.of()), WireContext.NONE, () -> true).read(file);

        assertThat(result.packets().packets()).isEqualTo(65_536);
        assertThat(WireRoleResult.of(result, true).failure())
                .endsWith(
                        "the reading was interrupted after 65536 packets; what follows is in no figure.");
    }

    @Test
    void shouldNameTheOptionOfATypeThatCannotBe() {
        assertThatThrownBy(() -> settings(Map.of("types", "toolongtobe")))
                .hasMessageContaining("--types: 'toolongtobe'");
    }

    private static void assertLatency(
            final StepResult step,
            final String name,
            final long count,
            final long minNs,
            final long maxNs) {
        final Histogram latency = step.latencies().get(name);
        assertThat(latency.getTotalCount()).isEqualTo(count);
        assertThat(latency.getMinValue()).as("to the ns").isEqualTo(minNs);
        assertThat(latency.getMaxValue()).as("to the ns").isEqualTo(maxNs);
    }

    private RoleResult read(final String skip) {
        return read(Map.of("skip", skip));
    }

    private RoleResult read(final Map<String, Object> values) {
        return WireRoleResult.of(
                reader(values, NOTHING_LOST).read(pcap.write(folder.resolve("test.pcap"))), true);
    }

    private static WireReader reader(final Map<String, Object> values, final WireContext context) {
        return new WireReader(settings(values), context, () -> false);
    }

    private static WireSettings settings(final Map<String, Object> values) {
        return Settings.read(WireSettings.class, values, key -> "--" + key);
    }

    private void in(final long timeNs, final String fields) {
        pcap.add(
                timeNs,
                ethernet(
                        ipv4(
                                CLIENT,
                                GATEWAY,
                                IpPacket.TCP,
                                0,
                                0,
                                segment(5000, 3000, FixText.bytes(FixText.message(fields))))));
    }

    private void out(final long timeNs, final int client, final String fields) {
        pcap.add(
                timeNs,
                ethernet(
                        ipv4(
                                GATEWAY,
                                CLIENT,
                                IpPacket.TCP,
                                0,
                                0,
                                segment(
                                        3001,
                                        6000 + client,
                                        FixText.bytes(FixText.message(fields))))));
    }

    private byte[] segment(final int from, final int to, final byte[] payload) {
        final int sequence = sequences.getOrDefault(from * 65536 + to, 1);
        sequences.put(from * 65536 + to, sequence + payload.length);
        return tcp(from, to, sequence, 1, Frames.ACK, payload);
    }
}

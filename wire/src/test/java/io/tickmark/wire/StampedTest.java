package io.tickmark.wire;

import static io.tickmark.wire.Frames.CLIENT;
import static io.tickmark.wire.Frames.GATEWAY;
import static io.tickmark.wire.Frames.ethernet;
import static io.tickmark.wire.Frames.ipv4;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import io.tickmark.wire.fix.FixText;
import io.tickmark.wire.match.ApplicationLog;
import io.tickmark.wire.match.EpochOffset;
import io.tickmark.wire.match.WireFigures;
import io.tickmark.wire.net.IpPacket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StampedTest {
    private static final String HEADER =
            "repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence\n";
    private static final long OFFSET_NS = 1_795_000_000_000_000_000L;
    private static final int ICMP = 1;
    private static final int PING = 40000;
    private static final int ECHO = 40001;

    @TempDir Path folder;

    private final Pcap pcap = Pcap.nano();
    private int tcpSequence = 1;

    @Test
    void shouldSetRoundTripsOnTheWireBesideThoseOfTheApplication() throws IOException {
        final StringBuilder log = new StringBuilder(HEADER);
        for (int i = 0; i < 100; i++) {
            final long sentNs = 1_000_000L * (i + 1);
            final byte[] ping = stamped(64, sentNs - 50, sentNs, i, 0, 0);
            datagram(sentNs + 1_000, PING, ECHO, ping);
            datagram(sentNs + 6_000, ECHO, PING, ping);
            log.append(row("roundTripNs", sentNs, sentNs + 9_000, i));
        }
        final RoleResult result = read(Optional.of(log(log.toString())));
        final StepResult step = result.steps().getFirst();

        assertThat(step.payloadBytes()).isEqualTo(64);
        assertFigure(step, WireFigures.ROUND_TRIP_NS, 5_000);
        assertFigure(step, WireFigures.SENT_TO_WIRE_NS, 1_000);
        assertFigure(step, WireFigures.INTENDED_TO_WIRE_NS, 1_050);
        assertFigure(step, WireFigures.APPLICATION_NS, 9_000);
        assertFigure(step, WireFigures.SAME_ON_WIRE_NS, 5_000);
        assertFigure(step, WireFigures.APPLICATION_MINUS_WIRE_NS, 4_000);
        assertThat(result.metrics())
                .containsEntry("paired", 100L)
                .containsEntry("onWireOnly", 0L)
                .containsEntry("inApplicationOnly", 0L);
    }

    @Test
    void shouldSetOneWayTimesOnTheWireBesideThoseOfTheApplication() throws IOException {
        final StringBuilder log = new StringBuilder(HEADER);
        for (int i = 0; i < 100; i++) {
            final long wantedNs = 1_000_000L * (i + 1);
            datagram(
                    wantedNs + 3_000,
                    PING,
                    ECHO,
                    stamped(700, wantedNs, wantedNs + 2_000, i, 0, 0));
            log.append(row("responseNs", wantedNs, wantedNs + 7_000, i));
        }
        final StepResult step = read(Optional.of(log(log.toString()))).steps().getFirst();

        assertFigure(step, WireFigures.APPLICATION_NS, 5_000);
        assertFigure(step, WireFigures.SAME_ON_WIRE_NS, 1_000);
        assertFigure(step, WireFigures.APPLICATION_MINUS_WIRE_NS, 4_000);
        assertThat(step.latencies()).doesNotContainKey(WireFigures.ROUND_TRIP_NS);
    }

    @Test
    void shouldNotPassWhereMoreThanOneInAHundredEchoesIsMissingUnlessAsked() {
        for (int i = 0; i < 100; i++) {
            final byte[] ping = stamped(64, 1_000_000L * (i + 1), 1_000_000L * (i + 1), i, 0, 0);
            datagram(1_000_000L * (i + 1), PING, ECHO, ping);
            if (i % 4 == 0) {
                datagram(1_000_000L * (i + 1) + 5_000, ECHO, PING, ping);
            }
        }
        final RoleResult result = read(Optional.empty());

        assertThat(result.failure())
                .contains("no echo of 75 of 100 messages of 64 bytes (75.0 %) was seen")
                .endsWith("more than --max-uncopied-percent 1.");
        assertThat(result.steps().getFirst().counts()).containsEntry(WireFigures.IN_UNMATCHED, 75L);
        assertThat(read(Map.of("maxUncopiedPercent", "75"), Optional.empty()).failure()).isEmpty();
    }

    /** Its echoes came in the first step and in none of the second. */
    @Test
    void shouldMissTheEchoesOfASenderThatHadSomeInAnotherStep() {
        final byte[] first = stamped(64, 1_000, 1_000, 0, 0, 0);
        datagram(1_000, PING, ECHO, first);
        datagram(2_000, ECHO, PING, first);
        datagram(3_000, PING, ECHO, stamped(32, 3_000, 3_000, 0, 0, 1));

        assertThat(read(Optional.empty()).failure())
                .contains("no echo of 1 of 1 messages of 32 bytes");
    }

    @Test
    void shouldMissNoEchoOfAStreamBesideARoundTrip() {
        final byte[] ping = stamped(64, 1_000, 1_000, 0, 0, 0);
        datagram(1_000, PING, ECHO, ping);
        datagram(2_000, ECHO, PING, ping);
        for (int i = 1; i < 50; i++) {
            datagram(2_000 + i, 42000, 42001, stamped(64, 2_000 + i, 2_000 + i, i, 0, 0));
        }

        assertThat(read(Optional.empty()).failure()).isEmpty();
    }

    /** What the application lost is its own finding; what it has and the capture lacks is not. */
    @Test
    void shouldNotPassWhereTheCaptureLacksWhatTheApplicationMeasured() throws IOException {
        final StringBuilder log = new StringBuilder(HEADER);
        for (int i = 0; i < 100; i++) {
            final long sentNs = 1_000_000L * (i + 1);
            final byte[] ping = stamped(64, sentNs, sentNs, i, 0, 0);
            datagram(sentNs + 1_000, PING, ECHO, ping);
            if (i < 90) {
                datagram(sentNs + 6_000, ECHO, PING, ping);
                log.append(row("roundTripNs", sentNs, sentNs + 9_000, i));
            }
        }
        assertThat(read(Optional.of(log(log.toString()))).failure()).isEmpty();

        log.append(row("roundTripNs", 98_000_000, 98_009_000, 97));
        assertThat(read(Optional.of(log(log.toString()))).failure())
                .contains(
                        "1 of 91 messages that the application measured (1.1 %) are not in the capture")
                .endsWith("more than --max-unmatched-percent 1.");
        assertThat(
                        read(Map.of("maxUnmatchedPercent", "2"), Optional.of(log(log.toString())))
                                .failure())
                .isEmpty();
    }

    @Test
    void shouldNotCallEchoesMissingThatAreTooShortToBeComparedWithTheLog() throws IOException {
        final byte[] ping = stamped(16, 1_000, 0, 0, 0, 0);
        datagram(2_000, PING, ECHO, ping);
        datagram(7_000, ECHO, PING, ping);
        final RoleResult result =
                read(Optional.of(log(HEADER + row("roundTripNs", 1_500, 9_000, 0))));

        assertThat(result.failure()).isEmpty();
        assertThat(result.metrics())
                .containsEntry("inApplicationOnly", 0L)
                .containsEntry("onWireOnly", 0L);
    }

    /** A stream without a rate gives the messages of a group one time. */
    @Test
    void shouldMatchMessagesOfOneTimeOneByOne() throws IOException {
        final StringBuilder log = new StringBuilder(HEADER);
        for (int i = 0; i < 64; i++) {
            datagram(2_000 + 100 * i, PING, ECHO, stamped(64, 1_000, 1_000, i, 0, 0));
            log.append(row("responseNs", 1_000, 7_000 + 100 * i, i));
        }
        final RoleResult result = read(Optional.of(log(log.toString())));
        final StepResult step = result.steps().getFirst();

        assertFigure(step, WireFigures.APPLICATION_MINUS_WIRE_NS, 5_000, 64);
        assertThat(step.latencies().get(WireFigures.APPLICATION_NS).getMaxValue())
                .as("6 us and 63 times 100 ns, three digits exact")
                .isBetween(12_300L, 12_310L);
        assertThat(result.metrics())
                .containsEntry("applicationMessages", 64L)
                .containsEntry("paired", 64L)
                .containsEntry("inApplicationOnly", 0L)
                .doesNotContainKey("applicationOtherReceivers");
    }

    @Test
    void shouldCountTheTimesOfOtherReceiversApart() throws IOException {
        datagram(2_000, PING, ECHO, stamped(64, 1_000, 1_000, 0, 0, 0));
        final String log =
                HEADER + row("responseNs", 1_000, 5_000, 0) + row("responseNs", 1_000, 6_000, 0);
        final RoleResult result = read(Optional.of(log(log)));

        assertFigure(result.steps().getFirst(), WireFigures.APPLICATION_NS, 4_000, 1);
        assertThat(result.metrics())
                .containsEntry("applicationMessages", 1L)
                .containsEntry("applicationOtherReceivers", 1L)
                .containsEntry("onWireOnly", 0L);
    }

    @Test
    void shouldFindMessagesThatTheKernelCutsLater() {
        final byte[][] messages = new byte[50][];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = stamped(64, 1_000, 1_000, i, 0, 0);
        }
        datagram(2_000, PING, ECHO, Frames.join(messages));

        assertFigure(
                read(Optional.empty()).steps().getFirst(), WireFigures.SENT_TO_WIRE_NS, 1_000, 50);
    }

    @Test
    void shouldFindMessagesInAStreamHoweverItIsCut() {
        final byte[][] frames = new byte[20][];
        for (int i = 0; i < frames.length; i++) {
            final byte[] length =
                    ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(100).array();
            frames[i] = Frames.join(length, stamped(100, 1_000, 1_000, i, 0, 0));
        }
        final byte[] all = Frames.join(frames);
        int at = 0;
        for (final int piece : new int[] {104, 30, 1, 3, 500, 7, 64, 1000, 5000}) {
            final int end = Math.min(all.length, at + piece);
            stream(2_000, Arrays.copyOfRange(all, at, end));
            at = end;
        }

        assertFigure(
                read(Optional.empty()).steps().getFirst(), WireFigures.SENT_TO_WIRE_NS, 1_000, 20);
    }

    @Test
    void shouldTellStepsApartAndLeaveWarmUpAndControlOut() {
        datagram(900, ECHO, PING, stamped(32, 1, 1, 0, Stamp.HELLO | Stamp.REPLY, 0));
        datagram(1_000, PING, ECHO, stamped(32, 1, 1, 0, Stamp.WARM_UP, 255));
        datagram(2_000, PING, ECHO, stamped(32, 1_500, 1_500, 0, 0, 0));
        datagram(3_000, PING, ECHO, stamped(64, 2_500, 2_500, 0, 0, 1));
        datagram(3_500, ECHO, PING, stamped(32, 1_500, 1_500, 0, 0, 0));
        datagram(3_600, PING, 50000, stamped(64, 2_500, 2_500, 0, 0, 1));
        final RoleResult result = read(Optional.empty());

        assertThat(result.steps()).extracting(StepResult::payloadBytes).containsExactly(32, 64);
        assertThat(result.metrics())
                .containsEntry("stampedMessages", 2L)
                .containsEntry("warmUpMessages", 1L)
                .containsEntry("controlMessages", 1L)
                .containsEntry("lateMessages", 1L)
                .containsEntry("stampedCopies", 1L);
    }

    /** Of the second trial most was dropped, and the rest was in the last step of the first. */
    @Test
    void shouldTellTheStepsOfSeveralTrialsApart() {
        long ns = 0;
        for (final int trial : new int[] {5, 7}) {
            for (final int step : new int[] {0, 1}) {
                for (int i = 0; i < 10; i++) {
                    ns += 10_000;
                    final byte[] ping =
                            ofTrial(trial, stamped(32 << step, ns - 1_000, ns - 500, i, 0, step));
                    datagram(ns, PING, ECHO, ping);
                    datagram(ns + 5_000, ECHO, PING, ping);
                }
            }
        }
        final RoleResult result = read(Optional.empty());

        assertThat(result.steps()).extracting(StepResult::step).containsExactly(0, 1, 2, 3);
        assertThat(result.steps())
                .extracting(StepResult::label)
                .containsExactly(
                        "trial 1, 32 bytes",
                        "trial 1, 64 bytes",
                        "trial 2, 32 bytes",
                        "trial 2, 64 bytes");
        assertThat(result.steps())
                .allSatisfy(step -> assertFigure(step, WireFigures.ROUND_TRIP_NS, 5_000, 10));
        assertThat(result.metrics()).doesNotContainKey("lateMessages");
        assertThat(result.failure()).isEmpty();

        final RoleResult ofOne = read(Map.of(), 7, Optional.empty());
        assertThat(ofOne.steps()).extracting(StepResult::step).containsExactly(0, 1);
        assertThat(ofOne.steps()).extracting(StepResult::label).containsOnly("");
    }

    /** They carry no trial: the messages by which its roles found each other do. */
    @Test
    void shouldTellTheTrialsOfShortMessagesApart() {
        datagram(100, PING, ECHO, stamped(16, 50, 0, 0, 0, 0)); // its trial began before
        datagram(200, PING, ECHO, ofTrial(5, stamped(32, 0, 0, 0, Stamp.END, 0)));
        datagram(300, PING, ECHO, stamped(16, 250, 0, 1, 0, 0));
        datagram(400, PING, ECHO, ofTrial(7, stamped(32, 0, 0, 0, Stamp.HELLO, 0)));
        datagram(500, PING, ECHO, stamped(16, 450, 0, 0, 0, 0));
        final RoleResult result = read(Optional.empty());

        assertThat(result.steps())
                .extracting(StepResult::label)
                .containsExactly("trial 1, 16 bytes", "trial 2, 16 bytes");
        assertThat(result.steps())
                .extracting(step -> step.counts().get(WireFigures.IN))
                .containsExactly(2L, 1L);
    }

    /** Such as those of two tests at the same time: it had passed without them. */
    @Test
    void shouldNotPassWhereMoreThanOneInAHundredMessagesIsOfAStepThatWasOver() {
        datagram(2_000, PING, ECHO, stamped(32, 1_500, 1_500, 0, 0, 0));
        datagram(3_000, PING, ECHO, stamped(64, 2_500, 2_500, 0, 0, 1));
        for (int i = 1; i < 10; i++) {
            datagram(3_000 + 1_000 * i, PING, ECHO, stamped(32, 2_900, 2_900, i, 0, 0));
        }
        final RoleResult result = read(Optional.empty());

        assertThat(result.failure())
                .contains(
                        "9 of 11 stamped messages and echoes (81.8 %) came when their step was over")
                .contains("more than --max-unmatched-percent 1.");
        assertThat(result.metrics()).containsEntry("lateMessages", 9L);
        assertThat(read(Map.of("maxUnmatchedPercent", "82"), Optional.empty()).failure()).isEmpty();
        final RoleResult besideOthers = read(Map.of(), 5, Optional.empty(), false);
        assertThat(besideOthers.failure()).isEmpty();
        assertThat(besideOthers.warnings()).contains(result.failure());
    }

    @Test
    void shouldSayOfEachStepHowLongItTook() {
        datagram(2_000, PING, ECHO, stamped(32, 1_500, 1_500, 0, 0, 0));
        datagram(5_000, PING, ECHO, stamped(32, 4_500, 4_500, 1, 0, 0));
        datagram(90_000, PING, ECHO, stamped(64, 89_500, 89_500, 0, 0, 1));
        datagram(97_000, PING, ECHO, stamped(64, 96_500, 96_500, 1, 0, 1));
        datagram(99_000, PING, ECHO, stamped(96, 98_500, 98_500, 0, 0, 2));

        assertThat(read(Optional.empty()).steps())
                .extracting(StepResult::durationNs)
                .containsExactly(3_000L, 7_000L, 0L);
    }

    /** One such datagram kept all FIX of a capture from being measured. */
    @Test
    void shouldNotTakeForeignDatagramsForStampedMessages() {
        final byte[] text = "      other, but for the bits of the version.     ".getBytes(UTF_8);
        final byte[] zeros = new byte[64];
        zeros[12] = 0x20;
        final byte[] wrongChecksum = stamped(64, 1_000, 1_000, 0, 0, 0);
        wrongChecksum[28] = 1;
        final byte[] sentBeforeWanted = stamped(64, 1_001, 1_000, 0, 0, 0);
        final byte[] shortOne = stamped(16, -OFFSET_NS, 0, 0, 0, 0);
        for (final byte[] foreign :
                List.of(text, zeros, wrongChecksum, sentBeforeWanted, shortOne)) {
            datagram(2_000, 53, 53, foreign);
        }
        stream(3_000, 5000, 3000, FixText.bytes(FixText.message("35=W|49=P|56=G|9703=1|")));
        final RoleResult result = read(Optional.empty());

        assertThat(result.metrics())
                .containsEntry("inMessages", 1L)
                .containsEntry("udpDatagrams", 5L)
                .doesNotContainKeys("notMeasured", "stampedMessages", "otherTrials");
        assertThat(result.warnings())
                .containsExactly(
                        "1 message of less than 32 bytes looks stamped, but is too short to tell for sure;"
                                + " if it is, say --decode stamped to have it measured.");
    }

    @Test
    void shouldCountDatagramsOfOtherProtocols() {
        pcap.add(
                OFFSET_NS,
                ethernet(ipv4(CLIENT, GATEWAY, ICMP, 0, 0, stamped(64, 1_000, 1_000, 0, 0, 0))));
        datagram(2_000, 53, 53, new byte[64]);

        assertThat(read(Optional.empty()).metrics())
                .containsEntry("packets", 2L)
                .containsEntry("udpDatagrams", 1L)
                .containsEntry("otherDatagrams", 1L)
                .doesNotContainKey("stampedMessages");
    }

    @Test
    void shouldTakeShortMessagesWhereTheirTimeOrTheUserSaysSo() {
        datagram(2_000, PING, ECHO, stamped(16, 1_000, 0, 0, 0, 0));
        final RoleResult near = read(Optional.empty());
        datagram(3_000, PING, ECHO, stamped(16, -OFFSET_NS, 0, 1, 0, 0));
        final RoleResult asked = read(Map.of("decode", "stamped"), Optional.empty());

        assertThat(near.metrics()).containsEntry("stampedMessages", 1L);
        assertThat(asked.metrics()).containsEntry("stampedMessages", 2L);
        assertThat(near.warnings()).isEmpty();
    }

    /**
     * Too short to say of which run they are: the messages by which its roles found each other do.
     */
    @Test
    void shouldLeaveShortMessagesOfOtherRunsOut() {
        final int otherPing = 41000;
        final int otherEcho = 41001;
        datagram(50, 43000, 43001, stamped(16, 40, 0, 0, 0, 0)); // of a run that began before
        datagram(100, PING, ECHO, ofTrial(5, stamped(32, 0, 0, 0, Stamp.HELLO, 0)));
        datagram(200, otherPing, otherEcho, ofTrial(6, stamped(32, 0, 0, 0, Stamp.HELLO, 0)));
        datagram(1_000, PING, ECHO, stamped(16, 900, 0, 0, 0, 0));
        datagram(1_100, otherPing, otherEcho, stamped(16, 950, 0, 0, 0, 0));
        datagram(6_000, ECHO, PING, stamped(16, 900, 0, 0, 0, 0));
        datagram(7_100, otherEcho, otherPing, stamped(16, 950, 0, 0, 0, 0));
        datagram(7_200, 42000, 42001, stamped(16, 960, 0, 0, 0, 0));
        final RoleResult ofAny = read(Map.of(), 0, Optional.empty());
        final RoleResult ofOne = read(Map.of(), 5, Optional.empty());
        final RoleResult withoutControl = read(Map.of(), 7, Optional.empty());

        assertThat(ofAny.metrics()).containsEntry("stampedMessages", 4L);
        assertThat(ofOne.metrics())
                .containsEntry("stampedMessages", 1L)
                .containsEntry("otherTrials", 4L);
        assertFigure(ofOne.steps().getFirst(), WireFigures.ROUND_TRIP_NS, 5_000, 1);
        assertThat(withoutControl.metrics()).containsEntry("stampedMessages", 2L);
    }

    @Test
    void shouldKnowMessagesByTheirChecksum() {
        final UnsafeBuffer message = new UnsafeBuffer(stamped(100, 1_000, 1_000, 0, 0, 0));
        Stamp.writeChecksum(message, 0, new StampChecksum().of(message, 0, 100));
        datagram(2_000, PING, ECHO, message.byteArray());

        assertThat(read(Optional.empty()).metrics()).containsEntry("stampedMessages", 1L);
    }

    /** A mirror port had one direction only: nothing was timed, and it had passed. */
    @Test
    void shouldNotPassWhereNothingWasTimedAsNoEchoWasCapturedAndTheClocksAreUnknown() {
        for (int i = 0; i < 10; i++) {
            datagram(2_000 + i, PING, ECHO, stamped(64, 1_000 + i, 1_000 + i, i, 0, 0));
        }
        final RoleResult result = readWithoutClocks(true);

        assertThat(result.steps().getFirst().latencies()).isEmpty();
        assertThat(result.failure())
                .contains("no echo of 10 messages of 64 bytes was captured", "so nothing was timed")
                .contains("is not known");
        assertThat(result.warnings()).anyMatch(line -> line.contains("clock of the capture"));
        assertThat(readWithoutClocks(false).failure()).isEqualTo(result.failure());
        assertThat(read(Optional.empty()).failure()).as("with the clocks").isEmpty();
    }

    @Test
    void shouldNotPassWhereOnlyOneOfItsStepsWasTimed() {
        final byte[] ping = stamped(64, 1_000, 1_000, 0, 0, 0);
        datagram(1_000, PING, ECHO, ping);
        datagram(2_000, ECHO, PING, ping);
        datagram(3_000, 42000, 42001, stamped(32, 3_000, 3_000, 0, 0, 1));

        assertThat(readWithoutClocks(true).failure())
                .contains("no echo of 1 messages of 32 bytes was captured");
    }

    /** Beside other roles it is a warning: these count and time themselves. */
    @Test
    void shouldNotPassAloneWhereEachTimeIsOfNoUse() {
        datagram(1_000, PING, ECHO, stamped(64, 5_000, 5_000, 0, 0, 0));

        assertThat(read(Optional.empty()).failure())
                .contains("each time of 1 messages of 64 bytes is zero, negative or above an hour");
        final RoleResult besideOthers = read(Map.of(), 0, Optional.empty(), false);
        assertThat(besideOthers.failure()).isEmpty();
        assertThat(besideOthers.warnings())
                .anyMatch(line -> line.contains("in no figure of the wire"));
    }

    private RoleResult readWithoutClocks(final boolean isAlone) {
        return WireRoleResult.of(
                new WireReader(settings(Map.of()), WireContext.NONE, () -> false)
                        .read(pcap.write(folder.resolve("t.pcap"))),
                isAlone);
    }

    @Test
    void shouldSayWhereALogIsNoLog() throws IOException {
        assertThatThrownBy(() -> log("time,value\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("latency.csv, line 1: this is not a log of latencies");
        assertThatThrownBy(() -> log(HEADER + "1,0,responseNs,5\n"))
                .hasMessageContaining("latency.csv, line 2: 4 columns instead of 8");
        assertThatThrownBy(() -> log(HEADER + "1,0,responseNs,a,b,c,d,e\n"))
                .hasMessageContaining("latency.csv, line 2: '1,0,responseNs,a,b,c,d,e'");
    }

    private static String row(
            final String kind, final long sentNs, final long receivedNs, final int sequence) {
        return "1,0,%s,%d,%d,%d,1,%d%n"
                .formatted(kind, sentNs, receivedNs, receivedNs - sentNs, sequence);
    }

    private ApplicationLog log(final String text) throws IOException {
        return new ApplicationLog(1).add(Files.writeString(folder.resolve("latency.csv"), text));
    }

    private RoleResult read(final Optional<ApplicationLog> log) {
        return read(Map.of(), log);
    }

    private RoleResult read(final Map<String, Object> values, final Optional<ApplicationLog> log) {
        return read(values, 0, log);
    }

    private RoleResult read(
            final Map<String, Object> values,
            final int trialId,
            final Optional<ApplicationLog> log) {
        return read(values, trialId, log, true);
    }

    private RoleResult read(
            final Map<String, Object> values,
            final int trialId,
            final Optional<ApplicationLog> log,
            final boolean isAlone) {
        final WireContext context =
                new WireContext(
                        Optional.empty(),
                        1,
                        trialId,
                        Optional.of(new EpochOffset(OFFSET_NS, OFFSET_NS)),
                        log,
                        OptionalLong.of(0),
                        WireContext.NONE.kept());
        return WireRoleResult.of(
                new WireReader(settings(values), context, () -> false)
                        .read(pcap.write(folder.resolve("test.pcap"))),
                isAlone);
    }

    private static WireSettings settings(final Map<String, Object> values) {
        return Settings.read(WireSettings.class, values, key -> "--" + key);
    }

    private static void assertFigure(final StepResult step, final String name, final long ns) {
        assertFigure(step, name, ns, 100);
    }

    private static void assertFigure(
            final StepResult step, final String name, final long ns, final long count) {
        assertThat(step.latencies().get(name).getTotalCount()).as(name).isEqualTo(count);
        assertThat(step.latencies().get(name).getMean()).as(name).isBetween(ns * 0.999, ns * 1.001);
    }

    private static byte[] stamped(
            final int length,
            final long intendedNs,
            final long sentNs,
            final int sequence,
            final int flags,
            final int step) {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
        Stamp.write(bytes, 0, intendedNs, sequence, flags, step, 1);
        if (length >= Stamp.FULL_LENGTH) {
            Stamp.writeTrialId(bytes, 0, 5);
            Stamp.writeSentNs(bytes, 0, sentNs);
        }
        return bytes.byteArray();
    }

    private static byte[] ofTrial(final int trialId, final byte[] message) {
        Stamp.writeTrialId(new UnsafeBuffer(message), 0, trialId);
        return message;
    }

    private void datagram(final long ns, final int from, final int to, final byte[] payload) {
        pcap.add(
                OFFSET_NS + ns,
                ethernet(ipv4(CLIENT, CLIENT, IpPacket.UDP, 0, 0, Frames.udp(from, to, payload))));
    }

    private void stream(final long ns, final byte[] payload) {
        stream(ns, PING, ECHO, payload);
    }

    private void stream(final long ns, final int from, final int to, final byte[] payload) {
        pcap.add(
                OFFSET_NS + ns,
                ethernet(
                        ipv4(
                                CLIENT,
                                GATEWAY,
                                IpPacket.TCP,
                                0,
                                0,
                                Frames.tcp(from, to, tcpSequence, 0, Frames.ACK, payload))));
        tcpSequence += payload.length;
    }
}

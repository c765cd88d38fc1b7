package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FIX session level test cases 2 (standard header) and 3 (standard trailer). */
class HeaderTest {
    private static final String DATA = "55=EURUSD|268=1|269=0|270=1|";

    private HandWrittenPeer peer;

    @BeforeEach
    void logOn() {
        peer = HandWrittenPeer.loggedOn();
    }

    // 2.a
    @Test
    void shouldDeliverMessagesInSequence() {
        peer.says("W", 2, DATA);
        peer.says("W", 3, DATA);
        peer.says("W", 4, DATA);
        assertThat(peer.delivered).containsExactly("W 2", "W 3", "W 4");
        assertThat(peer.heard()).isEmpty();
    }

    // 2.b
    @Test
    void shouldAskOnceForWhatIsMissingAndDeliverItInOrder() {
        peer.says("W", 4, DATA);
        peer.says("W", 5, DATA);
        assertThat(peer.heard()).containsExactly("35=2|34=2|7=2|16=0|");
        assertThat(peer.delivered).isEmpty();
        for (int number = 2; number <= 5; number++) {
            peer.says("W", number, "43=Y|122=" + peer.now() + "|", DATA);
        }
        peer.says("W", 6, DATA);
        assertThat(peer.delivered).containsExactly("W 2", "W 3", "W 4", "W 5", "W 6");
        assertThat(peer.heard()).isEmpty();
    }

    @Test
    void shouldAskAgainForAGapBehindAClosedOne() {
        peer.says("W", 4, DATA);
        peer.heard();
        peer.says("4", 2, "43=Y|122=" + peer.now() + "|", "123=Y|36=5|");
        peer.says("W", 7, DATA);
        assertThat(peer.heard()).containsExactly("35=2|34=3|7=5|16=0|");
    }

    @Test
    void shouldAskAgainForAGapThatStaysOpen() {
        peer.says("W", 4, DATA);
        peer.heard();
        peer.after(java.time.Duration.ofSeconds(11));
        assertThat(peer.heard()).contains("35=2|34=3|7=2|16=0|");
    }

    // 2.c
    @Test
    void shouldLogOutWhenANumberIsTooLow() {
        peer.says("W", 2, DATA);
        peer.says("W", 2, DATA);
        assertThat(peer.heard())
                .containsExactly("35=5|34=2|58=MsgSeqNum too low, expecting 3 but received 2|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    // 2.e
    @Test
    void shouldIgnoreAPossibleDuplicateThatWasReceived() {
        peer.says("W", 2, DATA);
        peer.says("W", 2, "43=Y|122=" + peer.now() + "|", DATA);
        assertThat(peer.delivered).containsExactly("W 2");
        assertThat(peer.heard()).isEmpty();
    }

    // 2.f
    @Test
    void shouldRejectAPossibleDuplicateThatIsOlderThanItself() {
        peer.says("W", 2, "43=Y|122=" + peer.time(5_000) + "|", DATA);
        assertThat(peer.heard())
                .containsExactly(
                        "35=3|34=2|45=2|371=122|372=W|373=10|58=SendingTime accuracy problem|",
                        "35=5|34=3|58=SendingTime accuracy problem|");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 2.g
    @Test
    void shouldRejectAPossibleDuplicateWithoutItsFirstTime() {
        peer.says("W", 2, "43=Y|", DATA);
        assertThat(peer.heard())
                .containsExactly("35=3|34=2|45=2|371=122|372=W|373=1|58=Required tag missing|");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    @Test
    void shouldRejectAPossibleDuplicateWhoseFirstTimeIsNone() {
        peer.says("W", 2, "43=Y|122=yesterday|", DATA);
        assertThat(peer.heard()).singleElement().asString().contains("|371=122|372=W|373=6|");
    }

    // 2.i
    @Test
    void shouldLogOutWhenTheBeginStringChanges() {
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.2", "35=W|49=PEER|56=TESTED|34=2|52=" + peer.now() + "|" + DATA));
        assertThat(peer.heard())
                .containsExactly("35=5|34=2|58=Incorrect BeginString: FIX.4.2, expected FIX.4.4|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    @Test
    void shouldNoticeAnotherBeginStringBehindMessagesThatWereRight() {
        for (int number = 2; number < 6; number++) {
            peer.raw(data(number, peer.now()));
        }
        final String start =
                data(6, peer.now())
                        .replaceFirst("^8=FIX.4.4", "8=FIX.4.2")
                        .replaceFirst("10=.*", "");
        peer.raw(start + "10=%03d|".formatted(HandWrittenPeer.sum(start)));
        assertThat(peer.delivered).hasSize(4);
        assertThat(peer.heard())
                .containsExactly("35=5|34=2|58=Incorrect BeginString: FIX.4.2, expected FIX.4.4|");
    }

    // 2.k
    @ParameterizedTest
    @ValueSource(strings = {"49=OTHER|56=TESTED|", "49=PEER|56=OTHER|", "56=TESTED|"})
    void shouldRejectAndLogOutWhenCompIdsAreWrong(final String ids) {
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4", "35=W|" + ids + "34=2|52=" + peer.now() + "|" + DATA));
        assertThat(peer.heard())
                .containsExactly(
                        "35=3|34=2|45=2|371=49|372=W|373=9|58=CompID problem|",
                        "35=5|34=3|58=CompID problem|");
        assertThat(peer.delivered).isEmpty();
    }

    // 2.d, 2.m, 3.b, 3.c
    @ParameterizedTest
    @ValueSource(
            strings = {
                "8=FIX.4.4|9=5|35=0|10=000|", // wrong checksum
                "8=FIX.4.4|9=500000|35=0|10=000|", // longer than is taken
                "8=FIX.4.4|9=x|35=0|10=000|",
                "8=FIX.4.4|9=5|35=0|10=12|",
                "9=5|8=FIX.4.4|35=0|10=000|",
                "8=FIX.4.4|35=0|9=5|10=000|",
                "garbage "
            })
    void shouldPassOverGarbledMessagesAndTakeTheNext(final String garbled) {
        peer.raw(garbled);
        peer.says("W", 2, DATA);
        assertThat(peer.delivered).containsExactly("W 2");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.garbled()).isPositive();
    }

    // 2.m
    @ParameterizedTest
    @ValueSource(ints = {-20, -1, 1, 20})
    void shouldPassOverAMessageOfAnotherLengthThanItSays(final int tooLong) {
        final String fields = "35=W|49=PEER|56=TESTED|34=2|52=" + peer.now() + "|" + DATA;
        final String start = "8=FIX.4.4|9=%d|%s".formatted(fields.length() + tooLong, fields);
        peer.raw(start + "10=%03d|".formatted(HandWrittenPeer.sum(start)));
        peer.says("W", 2, DATA);
        assertThat(peer.delivered).containsExactly("W 2");
        assertThat(peer.heard()).isEmpty();
    }

    // 2.t
    @Test
    void shouldPassOverAMessageWhoseTypeIsNotTheThirdField() {
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4", "49=PEER|35=W|56=TESTED|34=2|52=" + peer.now() + "|" + DATA));
        peer.says("W", 2, DATA);
        assertThat(peer.delivered).containsExactly("W 2");
        assertThat(peer.heard()).isEmpty();
    }

    @Test
    void shouldWaitForTheRestOfAMessage() {
        final String message =
                HandWrittenPeer.framed(
                        "FIX.4.4", "35=W|49=PEER|56=TESTED|34=2|52=" + peer.now() + "|" + DATA);
        for (int i = 0; i < message.length(); i++) {
            assertThat(peer.delivered).isEmpty();
            peer.raw(message.substring(i, i + 1));
        }
        assertThat(peer.delivered).containsExactly("W 2");
    }

    // 2.o
    @ParameterizedTest
    @ValueSource(longs = {-121_000, 121_000})
    void shouldRejectAndLogOutWhenTheSendingTimeIsFarOff(final long shiftMs) {
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4",
                        "35=W|49=PEER|56=TESTED|34=2|52=" + peer.time(shiftMs) + "|" + DATA));
        assertThat(peer.heard())
                .containsExactly(
                        "35=3|34=2|45=2|371=52|372=W|373=10|58=SendingTime accuracy problem|",
                        "35=5|34=3|58=SendingTime accuracy problem|");
    }

    @Test
    void shouldNoticeASendingTimeThatStandsStill() {
        final String stuck = peer.now();
        for (int number = 2; number < 8; number++) {
            peer.raw(
                    HandWrittenPeer.framed(
                            "FIX.4.4",
                            "35=W|49=PEER|56=TESTED|34=%d|52=%s|%s"
                                    .formatted(number, stuck, DATA)));
            peer.after(java.time.Duration.ofSeconds(35));
        }
        assertThat(peer.heard()).anyMatch(message -> message.contains("373=10|"));
    }

    /** Messages of a read are anywhere in it: the kept header must not depend on its position. */
    @Test
    void shouldKnowItsCounterpartWhenTheSecondChangesWithinARead() {
        for (int number = 2; number < 12; number += 2) {
            final String first = data(number, peer.time(0));
            final String second = data(number + 1, peer.time(1_000));
            peer.raw(first + second);
            peer.after(java.time.Duration.ofSeconds(1));
        }
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).hasSize(10);
    }

    /** Long enough for the short way, which needs 64 bytes after the number's tag. */
    private static String data(final int number, final String time) {
        return HandWrittenPeer.framed(
                "FIX.4.4",
                "35=W|49=PEER|56=TESTED|34=%d|52=%s|9700=Y|9703=000010000|%s"
                        .formatted(number, time, DATA));
    }

    @Test
    void shouldRejectAMessageWithoutSendingTime() {
        peer.raw(HandWrittenPeer.framed("FIX.4.4", "35=W|49=PEER|56=TESTED|34=2|" + DATA));
        assertThat(peer.heard())
                .containsExactly("35=3|34=2|45=2|371=52|372=W|373=1|58=Required tag missing|");
    }

    @Test
    void shouldLogOutWithoutASequenceNumber() {
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4", "35=W|49=PEER|56=TESTED|52=" + peer.now() + "|" + DATA));
        assertThat(peer.heard())
                .containsExactly("35=5|34=2|58=Required tag missing: MsgSeqNum (34)|");
    }

    /** 14.d, 14.h, 14.k and 14.n (17.h) in the header; 14.a after it, where no body begins. */
    @ParameterizedTest
    @CsvSource({
        "50=|, 371=50|372=W|373=4|",
        "50=DESK|50=DESK|, 371=50|372=W|373=13|",
        "49=PEER|, 371=49|372=W|373=13|",
        "noequals|, 372=W|373=17|",
        "90=3|91=abc|, 371=91|372=W|373=7|",
        "0=1|, 372=W|373=0|",
        "212=50000|213=y|, 371=213|372=W|373=6|",
    })
    void shouldRejectAHeaderThatIsWrong(final String header, final String reject) {
        peer.says("W", 2, header, DATA);
        assertThat(peer.delivered).isEmpty();
        assertThat(peer.heard()).singleElement().asString().startsWith("35=3|34=2|45=2|" + reject);
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
        peer.says("W", 3, DATA);
        assertThat(peer.delivered).containsExactly("W 3");
    }

    @Test
    void shouldTakeXmlDataWithSohInsideOfTheHeader() {
        peer.says("W", 2, "212=7|213=<a>|</a|", DATA);
        assertThat(peer.delivered).containsExactly("W 2");
    }

    /** FIX 4.2 has no such numbers: another engine would reject the Reject. */
    @ParameterizedTest
    @EnumSource(
            value = FixVersion.class,
            names = {"FIX_4_2", "FIX_4_4"})
    void shouldNameOnlyReasonsThatTheVersionHas(final FixVersion version) {
        final HandWrittenPeer other =
                HandWrittenPeer.of(SessionConfig.acceptor(version, HandWrittenPeer.THEM));
        other.says("A", 1, "98=0|108=30|");
        other.heard();
        other.says("W", 2, "55=X|55=Y|268=0|");
        other.says("W", 3, "55=|268=0|");
        final List<String> heard = other.heard();
        assertThat(heard.get(0).contains("|373=13|")).isEqualTo(version == FixVersion.FIX_4_4);
        assertThat(heard.get(0)).contains("|372=W|").endsWith("|58=Tag appears more than once|");
        assertThat(heard.get(1)).contains("|373=4|");
    }

    // 2.q
    @ParameterizedTest
    @ValueSource(strings = {"ZZZZ", "*", "99"})
    void shouldRejectATypeThatFixDoesNotHave(final String type) {
        peer.says(type, 2, DATA);
        assertThat(peer.heard())
                .containsExactly(
                        "35=3|34=2|45=2|371=35|372=%s|373=11|58=Invalid MsgType|".formatted(type));
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 2.r
    @Test
    void shouldRejectATypeThatIsNotSupportedAsBusiness() {
        peer.says("8", 2, "37=1|");
        assertThat(peer.heard())
                .containsExactly("35=j|34=2|45=2|372=8|380=3|58=Unsupported message type|");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 18.a
    @ParameterizedTest
    @ValueSource(strings = {"", "DESK,FUND"})
    void shouldTakeHeaderFieldsOfThirdParties(final String parties) {
        final HandWrittenPeer peer =
                knowing(parties.isEmpty() ? List.of() : List.of(parties.split(",")));
        peer.says("W", 2, "115=DESK|128=FUND|", DATA);
        assertThat(peer.delivered).containsExactly("W 2");
    }

    // 18.b
    @ParameterizedTest
    @CsvSource({"115=OTHER|128=FUND|, 115", "115=DESK|128=OTHER|, 128", "115=desk|, 115"})
    void shouldRejectThirdPartiesThatItDoesNotKnow(final String header, final int tag) {
        final HandWrittenPeer peer = knowing(List.of("DESK", "FUND"));
        peer.says("W", 2, header, DATA);
        peer.says("W", 3, header, DATA);
        assertThat(peer.heard())
                .containsExactly(
                        "35=3|34=2|45=2|371=%d|372=W|373=9|58=CompID problem|".formatted(tag),
                        "35=3|34=3|45=3|371=%d|372=W|373=9|58=CompID problem|".formatted(tag));
        peer.says("W", 4, DATA);
        assertThat(peer.delivered).containsExactly("W 4");
    }

    private static HandWrittenPeer knowing(final List<String> parties) {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withChecks(new Checks(true, false, parties)));
        peer.says("A", 1, "98=0|108=30|");
        peer.heard();
        return peer;
    }

    @Test
    void shouldDeliverAPossibleResend() {
        // 19
        peer.says("W", 2, "97=Y|", DATA);
        assertThat(peer.delivered).containsExactly("W 2");
    }
}

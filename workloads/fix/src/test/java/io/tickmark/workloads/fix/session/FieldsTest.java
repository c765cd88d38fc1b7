package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FIX session level test cases 14 (what is wrong with fields) and 15 (their order). */
class FieldsTest {
    @ParameterizedTest
    @CsvSource({
        "W, 55=X|0=1|268=0|, 0, Invalid tag number",
        "W, 55=X|abc=1|268=0|, 0, Invalid tag number",
        "W, 55=X|, 1, Required tag missing",
        "V, 262=1|263=1|264=0|, 1, Required tag missing",
        "1, 58=x|, 1, Required tag missing",
        "4, 123=Y|, 1, Required tag missing",
        "0, 55=X|, 2, Tag not defined for this message type",
        "0, 123=Y|, 2, Tag not defined for this message type",
        "1, 112=x|58=hello|, 2, Tag not defined for this message type",
        "2, 7=1|16=0|38=5|, 2, Tag not defined for this message type",
        "3, 45=1|44=1.5|, 2, Tag not defined for this message type",
        "4, 123=Y|36=9|112=x|, 2, Tag not defined for this message type",
        "5, 58=bye|108=30|, 2, Tag not defined for this message type",
        "A, 98=0|108=30|11=x|, 2, Tag not defined for this message type",
        "W, 55=|268=0|, 4, Tag specified without a value",
        "4, 123=maybe|36=9|, 5, Value is incorrect (out of range) for this tag",
        "2, 7=x|16=0|, 6, Incorrect data format for value",
        "2, 7=1|16=-3|, 6, Incorrect data format for value",
        "W, 55=X|268=many|, 6, Incorrect data format for value",
        "W, 55=X|55=Y|268=0|, 13, Tag appears more than once",
        "W, 55=X|50=DESK|268=0|, 14, Tag specified out of required order",
        "W, 55=X|268=0|89=abc|58=x|, 14, Tag specified out of required order",
        "W, 55=X|10=123|268=0|, 14, Tag specified out of required order",
        "W, 55=X|268=0|93=9|89=abc|, 8, Signature problem",
        "W, 55=X|58=a|b|268=0|, 17, Non \"data\" value includes field delimiter",
        "W, 55=X|268=2|269=0|270=1|, 16, Incorrect NumInGroup count for repeating group",
        "W, 55=X|268=1|269=0|270=1|269=1|270=2|, 16, Incorrect NumInGroup count for repeating group",
        "V, 262=1|263=1|264=0|267=1|269=0|146=2|55=X|, 16, Incorrect NumInGroup count for repeating group",
    })
    void shouldRejectWhatIsWrong(
            final String type, final String body, final int reason, final String text) {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says(type, 2, body);
        assertThat(peer.heard())
                .singleElement()
                .asString()
                .startsWith("35=3|34=2|45=2|")
                .contains("|372=" + type + "|373=" + reason + "|")
                .endsWith("|58=" + text + "|");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
        peer.says("W", 3, "55=X|268=0|");
        assertThat(peer.delivered).containsExactly("W 3");
    }

    // 15
    @Test
    void shouldTakeFieldsOfHeaderAndBodyInAnyOrder() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4",
                        "35=V|52="
                                + peer.now()
                                + "|34=2|56=TESTED|49=PEER|146=1|55=X|267=1|269=0|264=0|263=1|262=1|"));
        assertThat(peer.delivered).containsExactly("V 2");
        assertThat(peer.heard()).isEmpty();
    }

    @Test
    void shouldTakeDataWithSohInside() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("B", 2, "148=news|95=5|96=a|b=c|58=end|");
        assertThat(peer.delivered).containsExactly("B 2");
    }

    @Test
    void shouldTakeFieldsBehindAnEmptyGroup() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 2, "55=X|268=0|58=nothing yet|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).containsExactly("W 2");
    }

    @Test
    void shouldFindFieldsBehindDataWithSoh() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 2, "55=X|354=9|355=1|268=a|2|268=1|269=0|270=1|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).containsExactly("W 2");
    }

    @Test
    void shouldTakeDataWithSohInsideOfAGroup() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 2, "55=X|268=2|269=0|354=3|355=a|b|269=1|350=3|351=||||");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).containsExactly("W 2");
    }

    @Test
    void shouldTakeFieldsOfUsersAndSignaturesInMessagesOfTheSession() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("0", 2, "112=x|9999=mine|93=3|89=abc|");
        peer.says("3", 3, "45=1|371=55|372=W|373=1|58=no|");
        peer.says("A", 4, "98=0|108=30|789=5|383=4096|1137=9|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(5);
    }

    @Test
    void shouldRejectDataThatIsShorterThanItSays() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("B", 2, "148=news|95=500|96=abc|58=end|");
        assertThat(peer.heard()).singleElement().asString().contains("373=6|");
    }

    @Test
    void shouldTakeGroupsWithTheSameFieldInEveryEntry() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 2, "55=X|268=2|269=0|270=1|271=5|269=1|270=2|271=7|");
        assertThat(peer.delivered).containsExactly("W 2");
    }

    /** Executions, allocations, parties, legs and quotes have groups that market data has not. */
    @ParameterizedTest
    @CsvSource({
        "8, 37=1|382=2|375=BROKER1|337=A|375=BROKER2|337=B|58=end|",
        "8, 37=1|552=2|54=1|37=1|453=2|448=X|447=D|448=Y|447=D|54=2|37=2|58=end|",
        "J, 70=1|78=2|79=ACC1|80=5|79=ACC2|80=7|136=1|137=1|138=EUR|",
        "AB, 11=1|555=2|600=A|624=1|600=B|624=2|539=2|524=P|525=D|524=Q|525=D|",
        "i, 117=1|296=1|302=S|304=2|295=2|299=1|132=1|299=2|132=2|",
        "U1, 9800=2|9801=a|9802=b|9801=c|9802=d|"
    })
    void shouldTakeGroupsOfAnyMessage(final String type, final String body) {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.supported = type;
        peer.says(type, 2, body);
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).containsExactly(type + " 2");
    }

    @Test
    void shouldCountTheEntriesOfGroupsOfAnyMessage() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("8", 2, "37=1|382=2|375=BROKER1|337=A|");
        assertThat(peer.heard()).singleElement().asString().contains("|371=382|372=8|373=16|");
    }

    @Test
    void shouldReportRejectsInBothDirectionsToItsUser() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 2, "55=X|55=Y|268=0|");
        peer.says("Z", 3, "117=1|");
        peer.says("3", 4, "45=7|58=no|");
        assertThat(peer.rejects)
                .containsExactly(
                        "sent W 2 Tag appears more than once (55)",
                        "sent Z 3 Unsupported message type",
                        "received 3 4");
    }

    @Test
    void shouldLeaveBodiesAloneWhereFieldsAreNotChecked() {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withChecks(Checks.NONE));
        peer.says("A", 1, "98=0|108=30|");
        peer.says("W", 2, "55=X|55=Y|");
        assertThat(peer.delivered).containsExactly("W 2");
    }
}

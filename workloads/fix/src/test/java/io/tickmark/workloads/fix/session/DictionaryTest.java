package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FIX session level test case 14 where a dictionary is necessary. */
class DictionaryTest {
    private static final String REQUEST = "262=1|263=1|264=0|265=0|267=1|269=0|146=1|55=X|";

    private static HandWrittenPeer peer(final FixVersion version, final boolean byDictionary) {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(version, HandWrittenPeer.THEM)
                                .withChecks(new Checks(true, byDictionary, java.util.List.of())));
        peer.says("A", 1, "98=0|108=30|" + (version == FixVersion.FIX_5_0_SP2 ? "1137=9|" : ""));
        peer.heard();
        return peer;
    }

    /** The letters are those of the test cases. */
    @ParameterizedTest
    @CsvSource({
        "a, W, 55=X|4711=1|268=0|, 4711, 0, Invalid tag number",
        "a, W, 55=X|268=1|269=0|270=1|957=1|, 957, 0, Invalid tag number",
        "a, 8, 37=1|1500=x|, 1500, 0, Invalid tag number",
        "b, W, 268=0|, 55, 1, Required tag missing",
        "b, W, 55=X|, 268, 1, Required tag missing",
        "c, W, 55=X|38=100|268=0|, 38, 2, Tag not defined for this message type",
        "c, X, 268=1|279=0|269=0|55=X|263=1|, 263, 2, Tag not defined for this message type",
        "c, V, 11=id|262=1|263=1|264=0|265=0|267=1|269=0|146=1|55=X|, 11, 2,"
                + " Tag not defined for this message type",
        "c, W, 55=X|279=0|268=0|, 279, 2, Tag not defined for this message type",
        "e, W, 55=X|268=1|269=Z|270=1|, 269, 5, Value is incorrect (out of range) for this tag",
        "e, V, 262=1|263=7|264=0|267=1|269=0|146=1|55=X|, 263, 5,"
                + " Value is incorrect (out of range) for this tag",
        "f, W, 55=X|268=1|269=0|270=1.2.3|, 270, 6, Incorrect data format for value",
        "f, W, 55=X|268=1|269=0|270=1|273=25:00:00|, 273, 6, Incorrect data format for value",
        "f, W, 55=X|268=1|269=0|270=1|272=20261301|, 272, 6, Incorrect data format for value",
        "f, W, 55=X|268=1|269=00|270=1|, 269, 6, Incorrect data format for value",
        "f, V, 262=1|263=1|264=-1|265=0|267=1|269=0|146=1|55=X|, 264, 6,"
                + " Incorrect data format for value",
        "f, 8, 37=1|60=yesterday|, 60, 6, Incorrect data format for value",
        "i, W, 55=X|711=2|311=A|268=0|, 711, 16, Incorrect NumInGroup count for repeating group",
        "i, W, 55=X|711=1|311=A|457=2|458=B|268=0|, 457, 16,"
                + " Incorrect NumInGroup count for repeating group",
        "i, W, 55=X|711=1|311=A|457=1|458=B|458=C|268=0|, 457, 16,"
                + " Incorrect NumInGroup count for repeating group",
        "j, W, 55=X|268=1|269=0|271=5|270=1|, 270, 15, Repeating group fields out of order",
        "j, W, 55=X|268=1|269=0|270=1|270=2|, 270, 15, Repeating group fields out of order",
        "j, X, 268=1|55=X|279=0|269=0|, 55, 15, Repeating group fields out of order",
        "j, V, 262=1|263=1|264=0|265=0|267=1|269=0|146=1|48=1|55=X|, 48, 15,"
                + " Repeating group fields out of order",
    })
    void shouldRejectWhatTheDictionaryDoesNotHave(
            final char letter,
            final String type,
            final String body,
            final int tag,
            final int reason,
            final String text) {
        final HandWrittenPeer peer = peer(FixVersion.FIX_4_4, true);
        peer.says(type, 2, body);
        assertThat(peer.heard())
                .as("14.%s", letter)
                .containsExactly(
                        "35=3|34=2|45=2|371=%d|372=%s|373=%d|58=%s|"
                                .formatted(tag, type, reason, text));
        assertThat(peer.delivered).isEmpty();
        peer.says("W", 3, "55=X|268=0|");
        assertThat(peer.delivered).containsExactly("W 3");
    }

    // 14.m
    @ParameterizedTest
    @CsvSource({
        "V, 262=1|263=1|264=0|267=1|269=0|146=1|55=X|, 265",
        "W, 55=X|268=2|269=0|270=1|269=1|271=5|, 270",
        "X, 268=2|279=0|269=0|55=X|279=0|55=X|, 269",
    })
    void shouldRefuseAsBusinessWhatAnotherFieldMakesNecessary(
            final String type, final String body, final int tag) {
        final HandWrittenPeer peer = peer(FixVersion.FIX_4_4, true);
        peer.says(type, 2, body);
        assertThat(peer.heard())
                .containsExactly(
                        "35=j|34=2|45=2|372=%s|380=5|58=Conditionally required field missing (%d)|"
                                .formatted(type, tag));
        assertThat(peer.delivered).isEmpty();
        peer.says("W", 3, "55=X|268=0|");
        assertThat(peer.delivered).containsExactly("W 3");
    }

    // 14.l
    @Test
    void shouldRefuseAsBusinessWhatItCannotUseAnyMore() {
        final HandWrittenPeer peer = peer(FixVersion.FIX_4_4, false);
        peer.session.logout("");
        peer.heard();
        peer.says("V", 2, REQUEST);
        assertThat(peer.heard())
                .containsExactly("35=j|34=3|45=2|372=V|380=4|58=Application not available|");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    /** 14.a for messages of the session, whatever is configured. */
    @ParameterizedTest
    @CsvSource({"FIX_4_2, 600", "FIX_4_4, 957", "FIX_5_0_SP2, 5"})
    void shouldDistinguishInvalidTagsFromThoseOfOtherMessages(
            final FixVersion version, final int tag) {
        final HandWrittenPeer peer = peer(version, false);
        peer.says("0", 2, tag + "=1|");
        assertThat(peer.heard())
                .containsExactly(
                        version == FixVersion.FIX_5_0_SP2
                                ? "35=3|34=2|45=2|371=5|372=0|373=2|58=Tag not defined for this message type|"
                                : "35=3|34=2|45=2|371=%d|372=0|373=0|58=Invalid tag number|"
                                        .formatted(tag));
    }

    @ParameterizedTest
    @EnumSource(FixVersion.class)
    void shouldTakeWhatIsRight(final FixVersion version) {
        final HandWrittenPeer peer = peer(version, true);
        peer.says("V", 2, REQUEST);
        peer.says(
                "W",
                3,
                "55=X|9700=Y|268=2|269=0|270=1.5|15=EUR|271=10|269=1|270=2|273=09:30:00.5|");
        peer.says("X", 4, "262=1|268=2|279=1|269=0|55=X|270=-1|279=2|278=7|");
        peer.says("D", 5, "11=1|55=X|60=20260101-00:00:00|");
        peer.says("W", 6, "55=X|268=0|93=3|89=abc|");
        peer.says("W", 7, "55=X|268=1|269=0|270=1|354=6|355=a|270=|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).hasSize(6);
    }

    @Test
    void shouldTakeGroupsWithinGroups() {
        final HandWrittenPeer peer = peer(FixVersion.FIX_4_4, true);
        peer.says(
                "W",
                2,
                "55=X|454=2|455=A|456=1|455=B|711=2|311=U|457=1|458=S|459=1|305=4|311=V|"
                        + "555=1|600=L|604=1|605=M|606=4|268=1|269=0|270=1|813=2|");
        assertThat(peer.heard())
                .singleElement()
                .asString()
                .contains("371=305|")
                .contains("373=15|");
        peer.says(
                "W",
                3,
                "55=X|454=2|455=A|456=1|455=B|711=2|311=U|305=4|457=1|458=S|459=1|311=V|"
                        + "555=1|600=L|604=1|605=M|606=4|268=1|269=0|270=1|813=2|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).containsExactly("W 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"55=X|38=100|268=0|", "268=0|", "55=X|268=1|269=0|271=5|270=1|"})
    void shouldAskTheDictionaryOfNoApplicationUnlessTold(final String body) {
        final HandWrittenPeer peer = peer(FixVersion.FIX_4_4, false);
        peer.says("W", 2, body);
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.delivered).containsExactly("W 2");
    }
}

package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** FIX session level test cases 7, 9, 10 (gap fill) and 11 (reset). */
class SequenceResetTest {
    private HandWrittenPeer peer;

    @BeforeEach
    void logOn() {
        peer = HandWrittenPeer.loggedOn();
    }

    // 7
    @Test
    void shouldTakeARejectInSilence() {
        peer.says("3", 2, "45=1|58=no|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 10.a
    @Test
    void shouldAskForTheGapBeforeAGapFill() {
        peer.says("4", 5, "123=Y|36=9|");
        assertThat(peer.heard()).containsExactly("35=2|34=2|7=2|16=0|");
        assertThat(peer.session.nextIncoming()).isEqualTo(2);
    }

    // 10.b
    @Test
    void shouldGoOnBehindAGapFill() {
        peer.says("4", 2, "123=Y|36=9|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(9);
        assertThat(peer.store.nextIncoming()).isEqualTo(9);
    }

    // 10.c
    @Test
    void shouldIgnoreAGapFillThatMayBeADuplicate() {
        peer.says("0", 2, "");
        peer.says("4", 2, "43=Y|122=" + peer.now() + "|", "123=Y|36=9|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 10.d
    @Test
    void shouldLogOutWhenAGapFillIsTooLow() {
        peer.says("0", 2, "");
        peer.says("4", 2, "123=Y|36=9|");
        assertThat(peer.heard().getFirst()).startsWith("35=5|").contains("MsgSeqNum too low");
    }

    // 10.e
    @Test
    void shouldRejectAGapFillThatGoesBack() {
        peer.says("4", 2, "123=Y|36=2|");
        assertThat(peer.heard()).singleElement().asString().startsWith("35=3|34=2|45=2|371=36|");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 9, 11.a
    @Test
    void shouldResetForwardWhateverTheNumberOfTheMessage() {
        peer.says("4", 1, "36=20|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(20);
    }

    // 11.b
    @Test
    void shouldTakeAResetToTheNumberExpected() {
        peer.says("4", 99, "123=N|36=2|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(2);
    }

    // 11.c
    @Test
    void shouldRejectAResetThatGoesBack() {
        peer.says("0", 2, "");
        peer.says("4", 3, "36=1|");
        assertThat(peer.heard())
                .singleElement()
                .asString()
                .startsWith("35=3|34=2|45=3|371=36|372=4|373=5|58=Value is incorrect");
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    @Test
    void shouldRejectAResetWithoutANumber() {
        peer.says("4", 2, "58=x|");
        assertThat(peer.heard()).singleElement().asString().startsWith("35=3|");
    }
}

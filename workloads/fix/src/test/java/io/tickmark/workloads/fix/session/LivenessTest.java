package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** FIX session level test cases 4, 5 and 6: heartbeats and test requests. */
class LivenessTest {
    // 4.a
    @Test
    void shouldSendAHeartbeatAfterAnIntervalWithoutOthers() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.after(Duration.ofSeconds(29));
        assertThat(peer.heard()).isEmpty();
        peer.after(Duration.ofSeconds(2));
        assertThat(peer.heard()).containsExactly("35=0|34=2|");
    }

    @Test
    void shouldCountItsOwnMessagesAsHeartbeats() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        for (int i = 0; i < 4; i++) {
            peer.after(Duration.ofSeconds(20));
            peer.says("0", 2 + i, "");
            assertThat(peer.session.send("W", new BodyBytes(64).field(55, "X"))).isTrue();
        }
        assertThat(peer.heard()).noneMatch(message -> message.startsWith("35=0|"));
    }

    // 4.b
    @Test
    void shouldAnswerATestRequestWithItsId() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("1", 2, "112=are you there?|");
        assertThat(peer.heard()).containsExactly("35=0|34=2|112=are you there?|");
    }

    // 5
    @Test
    void shouldTakeHeartbeatsInSilence() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("0", 2, "");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.nextIncoming()).isEqualTo(3);
    }

    // 6
    @Test
    void shouldSendATestRequestAfterSilenceAndEndWithoutAnAnswer() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.after(Duration.ofSeconds(37));
        assertThat(peer.heard()).contains("35=1|34=3|112=TEST1|");
        peer.after(Duration.ofSeconds(34));
        assertThat(peer.ended).isNull();
        peer.after(Duration.ofSeconds(2));
        assertThat(peer.ended).contains("no answer to a TestRequest");
    }

    @Test
    void shouldGoOnAfterTheAnswerToATestRequest() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.after(Duration.ofSeconds(37));
        peer.says("0", 2, "112=TEST1|");
        peer.after(Duration.ofSeconds(37));
        assertThat(peer.ended).isNull();
        assertThat(peer.heard()).contains("35=1|34=5|112=TEST2|");
    }

    @Test
    void shouldBeSilentWithoutAnInterval() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says("A", 1, "98=0|108=0|");
        peer.heard();
        peer.after(Duration.ofMinutes(10));
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended).isNull();
    }

    @Test
    void shouldEndASenderThatNeverCompletesAMessage() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.raw("8=FIX.4.4|9=60000|35=W|55=");
        for (int i = 0; i < 80; i++) {
            peer.raw("x".repeat(100));
            peer.after(Duration.ofSeconds(1));
        }
        assertThat(peer.ended).contains("not complete within 10 s");
    }
}

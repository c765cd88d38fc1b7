package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FIX session level test cases 8 (resend requests), 16 (queueing) and 20 (both at once). */
class ResendTest {
    private static boolean send(final HandWrittenPeer peer, final String symbol) {
        return peer.session.send(
                "W", new BodyBytes(64).field(Tags.SYMBOL, symbol).field(Tags.NO_MD_ENTRIES, 0));
    }

    // 8.a
    @Test
    void shouldSendApplicationMessagesAgainAndFillTheRest() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        send(peer, "A");
        peer.after(Duration.ofSeconds(31)); // a Heartbeat, number 3
        send(peer, "B");
        peer.heard();
        peer.says("2", 2, "7=1|16=0|");
        assertThat(peer.heard())
                .containsExactly(
                        "35=4|34=1|43=Y|123=Y|36=2|",
                        "35=W|34=2|43=Y|55=A|268=0|",
                        "35=4|34=3|43=Y|123=Y|36=4|",
                        "35=W|34=4|43=Y|55=B|268=0|");
        send(peer, "C");
        assertThat(peer.heard()).containsExactly("35=W|34=5|55=C|268=0|");
    }

    @Test
    void shouldSayWhenAMessageWasFirstSent() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        final String first = peer.now();
        send(peer, "A");
        peer.after(Duration.ofSeconds(5));
        peer.heardInFull();
        peer.says("2", 2, "7=2|16=2|");
        assertThat(peer.heardInFull())
                .singleElement()
                .asString()
                .contains("|43=Y|122=" + first + "|")
                .contains("|52=" + peer.now() + "|");
    }

    @Test
    void shouldSendAgainOnlyWhatWasAskedFor() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        for (final String symbol : List.of("A", "B", "C", "D")) {
            send(peer, symbol);
        }
        peer.heard();
        peer.says("2", 2, "7=3|16=4|");
        assertThat(peer.heard())
                .containsExactly("35=W|34=3|43=Y|55=B|268=0|", "35=W|34=4|43=Y|55=C|268=0|");
    }

    @Test
    void shouldTakeTheOldWordForAllThatFollowsWhereItIsOne() {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_2, HandWrittenPeer.THEM));
        peer.store.nextOutgoing(999_998);
        peer.says("A", 1, "98=0|108=30|");
        send(peer, "A");
        send(peer, "B");
        peer.heard();
        peer.says("2", 2, "7=999999|16=999999|");
        assertThat(peer.heard())
                .containsExactly(
                        "35=W|34=999999|43=Y|55=A|268=0|", "35=W|34=1000000|43=Y|55=B|268=0|");
    }

    @Test
    void shouldSendAgainOnlyWhatWasAskedForBeyondTheOldWord() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.store.nextOutgoing(1_000_000);
        peer.says("A", 1, "98=0|108=30|");
        for (final String symbol : List.of("A", "B", "C")) {
            send(peer, symbol);
        }
        peer.heard();
        peer.says("2", 2, "7=1000002|16=1000002|");
        assertThat(peer.heard()).containsExactly("35=W|34=1000002|43=Y|55=B|268=0|");
    }

    @Test
    void shouldTakeTheOldWordForAllThatFollows() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        send(peer, "A");
        peer.heard();
        peer.says("2", 2, "7=2|16=999999|");
        assertThat(peer.heard()).containsExactly("35=W|34=2|43=Y|55=A|268=0|");
    }

    @Test
    void shouldFillWhatIsNoLongerKept() {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM),
                        new MemoryStore(512, HandWrittenPeer.START_MS));
        peer.says("A", 1, "98=0|108=30|");
        for (int i = 0; i < 20; i++) {
            send(peer, "S" + i);
        }
        peer.heard();
        peer.says("2", 2, "7=1|16=0|");
        final List<String> heard = peer.heard();
        assertThat(heard.getFirst()).startsWith("35=4|34=1|43=Y|123=Y|36=");
        assertThat(heard.getLast()).isEqualTo("35=W|34=21|43=Y|55=S19|268=0|");
        assertThat(heard).hasSizeBetween(3, 6);
    }

    @Test
    void shouldGoOnResendingWhenThereIsRoomAgain() {
        final SessionConfig small =
                SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                        .withBounds(4096, 4096);
        final HandWrittenPeer peer = HandWrittenPeer.of(small);
        peer.says("A", 1, "98=0|108=30|");
        int sent = 0;
        for (int i = 0; i < 100; i++) {
            peer.heard();
            sent += send(peer, "S" + i) ? 1 : 0;
        }
        peer.heard();
        peer.says("2", 2, "7=2|16=0|");
        assertThat(peer.session.isResending()).isTrue();
        assertThat(send(peer, "new")).as("nothing new before the old").isFalse();
        int again = 0;
        while (peer.session.isResending()) {
            again += peer.heard().size();
            peer.session.onTimer();
        }
        again += peer.heard().size();
        assertThat(again).isEqualTo(sent).isEqualTo(100);
        assertThat(send(peer, "new")).isTrue();
    }

    // 16
    @Test
    void shouldSendAgainWhatWasSentBeforeTheConnectionWasLost() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        send(peer, "A");
        send(peer, "B");
        peer.heard();
        peer.session.end("connection lost");
        peer.connect();
        peer.says("A", 2, "98=0|108=30|");
        assertThat(peer.heard()).containsExactly("35=A|34=4|98=0|108=30|");
        peer.says("2", 3, "7=2|16=0|");
        assertThat(peer.heard())
                .containsExactly(
                        "35=W|34=2|43=Y|55=A|268=0|",
                        "35=W|34=3|43=Y|55=B|268=0|",
                        "35=4|34=4|43=Y|123=Y|36=5|");
    }

    // 20
    @Test
    void shouldAnswerARequestThatIsTooHighBeforeAskingItself() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        send(peer, "A");
        peer.heard();
        peer.says("2", 5, "7=2|16=0|");
        assertThat(peer.heard())
                .containsExactly("35=W|34=2|43=Y|55=A|268=0|", "35=2|34=3|7=2|16=0|");
    }

    @Test
    void shouldIgnoreARequestForWhatWasNeverSent() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("2", 2, "7=500|16=0|");
        assertThat(peer.heard()).isEmpty();
        assertThat(send(peer, "A")).isTrue();
    }

    @Test
    void shouldMissNothingThatCameWhenItWasAskedFor() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 4, "55=C|268=0|");
        peer.says("W", 5, "55=D|268=0|");
        assertThat(peer.session.incoming().missing()).as("all are to come again").isEqualTo(4);
        for (long number = 2; number <= 5; number++) {
            peer.says("W", number, "43=Y|122=" + peer.now() + "|", "55=A|268=0|");
        }
        assertThat(peer.delivered).hasSize(4);
        assertThat(peer.session.incoming().missing()).isZero();
        assertThat(peer.session.incoming().missed()).as("asked for").isEqualTo(2);
    }

    @Test
    void shouldMissWhatIsPassedOverInTheAnswer() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("W", 5, "55=D|268=0|");
        peer.says("4", 2, "43=Y|122=" + peer.now() + "|", "123=Y|36=4|");
        peer.says("W", 4, "43=Y|122=" + peer.now() + "|", "55=A|268=0|");
        peer.says("W", 5, "43=Y|122=" + peer.now() + "|", "55=D|268=0|");
        peer.says("W", 6, "55=E|268=0|");
        assertThat(peer.delivered).containsExactly("W 4", "W 5", "W 6");
        assertThat(peer.session.incoming().missing()).isEqualTo(2);
    }
}

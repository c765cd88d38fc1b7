package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

/** FIX session level test cases 12 and 13, and the hours of a session. */
class LogoutTest {
    // 12
    @Test
    void shouldSendALogoutAndEndWithItsAnswer() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.session.logout("good night");
        assertThat(peer.heard()).containsExactly("35=5|34=2|58=good night|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.LOGOUT_SENT);
        peer.says("5", 2, "");
        assertThat(peer.ended).isEmpty();
        assertThat(peer.heard()).isEmpty();
    }

    @Test
    void shouldStillTakeMessagesBeforeTheAnswer() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.session.logout("");
        peer.says("W", 2, "55=X|268=0|");
        peer.says("5", 3, "");
        assertThat(peer.delivered).containsExactly("W 2");
        assertThat(peer.ended).isEmpty();
    }

    @Test
    void shouldEndWithoutAnAnswerToItsLogout() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.session.logout("");
        peer.after(Duration.ofSeconds(9));
        assertThat(peer.ended).isNull();
        peer.after(Duration.ofSeconds(2));
        assertThat(peer.ended).isEqualTo("no answer to the Logout");
    }

    @Test
    void shouldSendNothingNewAfterItsLogout() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.session.logout("");
        assertThat(peer.session.send("W", new BodyBytes(64).field(55, "X"))).isFalse();
    }

    // 13.a
    @Test
    void shouldAnswerALogout() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("5", 2, "58=good night|");
        assertThat(peer.heard()).containsExactly("35=5|34=2|");
        assertThat(peer.ended).isEqualTo("good night");
    }

    @Test
    void shouldAskForTheGapBeforeALogoutThatIsTooHigh() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("5", 4, "");
        assertThat(peer.heard()).containsExactly("35=2|34=2|7=2|16=0|");
        assertThat(peer.ended).isNull();
    }

    @Test
    void shouldLogOutWhenItsHoursEnd() {
        final LocalTime now = LocalTime.ofSecondOfDay(HandWrittenPeer.START_MS / 1000 % 86_400);
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withSchedule(
                                        SessionSchedule.daily(
                                                now.minusHours(1), now.plusSeconds(5))));
        peer.says("A", 1, "98=0|108=30|");
        peer.heard();
        peer.after(Duration.ofSeconds(4));
        assertThat(peer.heard()).isEmpty();
        peer.after(Duration.ofSeconds(2));
        assertThat(peer.heard())
                .containsExactly("35=5|34=2|58=The session is closed at this hour|");
    }

    @Test
    void shouldRefuseALogonOutsideOfItsHours() {
        final LocalTime now = LocalTime.ofSecondOfDay(HandWrittenPeer.START_MS / 1000 % 86_400);
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withSchedule(
                                        SessionSchedule.daily(now.plusHours(1), now.plusHours(2))));
        peer.says("A", 1, "98=0|108=30|");
        assertThat(peer.heard())
                .containsExactly("35=5|34=1|58=The session is closed at this hour|");
        assertThat(peer.isActive).isFalse();
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    @Test
    void shouldBeginAtOneWithEachSession() {
        final LocalTime now = LocalTime.ofSecondOfDay(HandWrittenPeer.START_MS / 1000 % 86_400);
        final MemoryStore yesterday = new MemoryStore(1024, HandWrittenPeer.START_MS - 86_400_000);
        yesterday.nextIncoming(50);
        yesterday.nextOutgoing(60);
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withSchedule(
                                        SessionSchedule.daily(now.minusHours(1), now.plusHours(1))),
                        yesterday);
        peer.says("A", 1, "98=0|108=30|");
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|");
    }

    @Test
    void shouldBeginAnewAtItsTimeWhereItIsOpenAllDay() {
        final LocalTime now = LocalTime.ofSecondOfDay(HandWrittenPeer.START_MS / 1000 % 86_400);
        final LocalTime soon = now.plusSeconds(5);
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withSchedule(SessionSchedule.daily(soon, soon)));
        peer.says("A", 1, "98=0|108=30|");
        peer.heard();
        peer.after(Duration.ofSeconds(4));
        assertThat(peer.heard()).isEmpty();
        peer.after(Duration.ofSeconds(2));
        assertThat(peer.heard())
                .containsExactly("35=5|34=2|58=The session has ended and restarts|");
        peer.says("5", 2, "");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
        peer.connect();
        peer.says("A", 1, "98=0|108=30|");
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|");
        peer.after(Duration.ofSeconds(20));
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ACTIVE);
    }

    @Test
    void shouldKeepHoursThatGoThroughMidnight() {
        final SessionSchedule night =
                SessionSchedule.daily(LocalTime.of(22, 0), LocalTime.of(6, 0));
        final long day = 1_795_046_400_000L / 86_400_000 * 86_400_000;
        final long hour = 3_600_000;
        assertThat(night.isOpen(day + 23 * hour)).isTrue();
        assertThat(night.isOpen(day + 5 * hour)).isTrue();
        assertThat(night.isOpen(day + 7 * hour)).isFalse();
        assertThat(night.openedMs(day + 5 * hour)).isEqualTo(day - 2 * hour);
    }
}

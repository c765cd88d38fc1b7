package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.session.SessionHandler.Admission;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FIX session level test cases 1B (initiator) and 1S (acceptor). */
class LogonTest {
    // 1S.a
    @Test
    void shouldAnswerAValidLogon() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says("A", 1, "98=0|108=30|553=me|554=secret|");
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|");
        assertThat(peer.isActive).isTrue();
        assertThat(peer.request)
                .isEqualTo(new LogonRequest("PEER", "TESTED", "me", "secret", 30, false));
        assertThat(peer.session.nextIncoming()).isEqualTo(2);
    }

    // 1S.b
    @Test
    void shouldAnswerALogonThatIsTooHighAndAskForWhatIsMissing() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says("A", 5, "98=0|108=30|");
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|", "35=2|34=2|7=1|16=0|");
        assertThat(peer.isActive).isTrue();
        assertThat(peer.session.nextIncoming()).isEqualTo(1);
    }

    // 1S.c
    @Test
    void shouldCutAnIdentityThatIsLoggedOnAlreadyWithoutAWord() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.admission = Admission.refused("");
        peer.says("A", 1, "98=0|108=30|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended).contains("refused");
    }

    // 1S.d
    @Test
    void shouldRefuseALogonWithTheReasonGiven() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.admission = Admission.refused("Username or password is wrong");
        peer.says("A", 1, "98=0|108=30|");
        assertThat(peer.heard()).containsExactly("35=5|34=1|58=Username or password is wrong|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    // 1S.e
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "W", "5"})
    void shouldCutWhoBeginsWithAnythingButALogon(final String type) {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says(type, 1, "112=x|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended).contains("first message is not a Logon");
    }

    @Test
    void shouldCutWhoDoesNotSpeakFix() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.raw("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended).contains("not a FIX message");
    }

    @ParameterizedTest
    @ValueSource(strings = {"98=0|", "98=0|108=x|", "98=0|108=-5|", "98=0|108=99999999|"})
    void shouldCutALogonThatIsNotValid(final String body) {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says("A", 1, body);
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    // 17.b
    @Test
    void shouldRefuseEncryptionOfFixItself() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says("A", 1, "98=1|108=30|");
        assertThat(peer.heard())
                .containsExactly(
                        "35=3|34=1|45=1|371=98|372=A|373=7|58=Decryption problem|",
                        "35=5|34=2|58=EncryptMethod (98) must be 0|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
        assertThat(peer.isActive).isFalse();
    }

    @Test
    void shouldCloseTheConnectionOnALogonForAnotherCounterparty() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4",
                        "35=A|49=PEER|56=OTHER|34=1|52=" + peer.now() + "|98=0|108=30|"));
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended).isEqualTo("the Logon is for OTHER");
    }

    @Test
    void shouldRefuseALogonThatIsTooLow() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.store.nextIncoming(7);
        peer.says("A", 3, "98=0|108=30|");
        assertThat(peer.heard())
                .containsExactly("35=5|34=1|58=MsgSeqNum too low, expecting 7 but received 3|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    @Test
    void shouldBeginAtOneWhenTheLogonResets() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.store.nextIncoming(7);
        peer.store.nextOutgoing(9);
        peer.says("A", 1, "98=0|108=30|141=Y|");
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|141=Y|");
        assertThat(peer.session.nextIncoming()).isEqualTo(2);
        assertThat(peer.session.nextOutgoing()).isEqualTo(2);
    }

    @Test
    void shouldResetInMidSessionWhenALogonAsksForIt() {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        peer.says("0", 2, "");
        peer.says("0", 3, "");
        peer.says("A", 1, "98=0|108=30|141=Y|");
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|141=Y|");
        peer.says("1", 2, "112=still here|");
        assertThat(peer.heard()).containsExactly("35=0|34=2|112=still here|");
    }

    @Test
    void shouldEndWhoNeverSendsALogon() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.after(Duration.ofSeconds(9));
        assertThat(peer.ended).isNull();
        peer.after(Duration.ofSeconds(2));
        assertThat(peer.ended).isEqualTo("no Logon within 10 s");
    }

    @Test
    void shouldTakeTestSessionsOnlyInTestMode() {
        final HandWrittenPeer production = HandWrittenPeer.acceptor();
        production.says("A", 1, "98=0|108=30|464=Y|");
        assertThat(production.heard().getFirst())
                .startsWith("35=5|")
                .contains("not a test session");

        final HandWrittenPeer test =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM)
                                .withLogon("", "", true));
        test.says("A", 1, "98=0|108=30|464=Y|");
        assertThat(test.heard()).containsExactly("35=A|34=1|98=0|108=30|464=Y|");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSpeakEveryVersion(final FixVersion version) {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(SessionConfig.acceptor(version, HandWrittenPeer.THEM));
        peer.says("A", 1, "98=0|108=30|" + (version == FixVersion.FIX_5_0_SP2 ? "1137=9|" : ""));
        final String answer = peer.heardInFull().getFirst();
        assertThat(answer).startsWith("8=" + version.beginString() + "|9=");
        assertThat(answer.contains("|1137=9|")).isEqualTo(version == FixVersion.FIX_5_0_SP2);
    }

    @Test
    void shouldCutALogonThatDoesNotSayWhichApplicationVersionItMeans() {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.acceptor(FixVersion.FIX_5_0_SP2, HandWrittenPeer.THEM));
        peer.says("A", 1, "98=0|108=30|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended).isEqualTo("the Logon has no DefaultApplVerID (1137)");
    }

    @Test
    void shouldCutALogonWhoseHeaderIsWrong() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.says("A", 1, "49=PEER|", "98=0|108=30|");
        assertThat(peer.heard()).isEmpty();
        assertThat(peer.ended)
                .isEqualTo("the Logon has a wrong header: Tag appears more than once");
    }

    @Test
    void shouldCutALogonOfAnotherVersion() {
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.2",
                        "35=A|49=PEER|56=TESTED|34=1|52=" + peer.now() + "|98=0|108=30|"));
        assertThat(peer.ended).isEqualTo("the Logon is of FIX.4.2");
    }

    // 1B.a, 1B.b
    @Test
    void shouldSendALogonAndBeActiveWithItsAnswer() {
        final HandWrittenPeer peer =
                HandWrittenPeer.of(
                        SessionConfig.initiator(
                                        FixVersion.FIX_4_4,
                                        HandWrittenPeer.THEM,
                                        HandWrittenPeer.US)
                                .withLogon("me", "secret", false)
                                .withReset(true));
        assertThat(peer.heard()).containsExactly("35=A|34=1|98=0|108=30|141=Y|553=me|554=secret|");
        peer.says("A", 1, "98=0|108=30|141=Y|");
        assertThat(peer.isActive).isTrue();
        assertThat(peer.heard()).isEmpty();
    }

    // 1B.c
    @Test
    void shouldAskForWhatIsMissingBeforeAnAnswerThatIsTooHigh() {
        final HandWrittenPeer peer = HandWrittenPeer.initiator();
        peer.heard();
        peer.says("A", 4, "98=0|108=30|");
        assertThat(peer.isActive).isTrue();
        assertThat(peer.heard()).containsExactly("35=2|34=2|7=1|16=0|");
    }

    // 1B.d
    @Test
    void shouldEndWithTheOtherSidesWordsWhenItsLogonIsRefused() {
        final HandWrittenPeer peer = HandWrittenPeer.initiator();
        peer.says("5", 1, "58=closed today|");
        assertThat(peer.ended).isEqualTo("the other side refused the Logon: closed today");
    }

    // 1B.e
    @Test
    void shouldLogOutWhenTheAnswerIsNoLogon() {
        final HandWrittenPeer peer = HandWrittenPeer.initiator();
        peer.heard();
        peer.says("W", 1, "55=X|268=0|");
        assertThat(peer.heard()).containsExactly("35=5|34=2|58=The first message is not a Logon|");
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
    }

    @Test
    void shouldRefuseAnAnswerFromAnotherCounterparty() {
        final HandWrittenPeer peer = HandWrittenPeer.initiator();
        peer.raw(
                HandWrittenPeer.framed(
                        "FIX.4.4",
                        "35=A|49=OTHER|56=TESTED|34=1|52=" + peer.now() + "|98=0|108=30|"));
        assertThat(peer.session.state()).isEqualTo(FixSession.State.ENDED);
        assertThat(peer.isActive).isFalse();
    }

    @Test
    void shouldEndWithoutAnAnswer() {
        final HandWrittenPeer peer = HandWrittenPeer.initiator();
        peer.after(Duration.ofSeconds(11));
        assertThat(peer.ended).isEqualTo("no Logon within 10 s");
    }
}

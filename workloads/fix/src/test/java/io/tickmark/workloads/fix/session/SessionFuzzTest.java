package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

/**
 * For any bytes: no exception, no more memory than the longest message, and the same outcome
 * however they are split.
 */
class SessionFuzzTest {
    private static final int MOST_WAITING = 1 << 16;
    private static final int PIECE = 7;

    @FuzzTest(maxDuration = "1m")
    void shouldTakeAnyBytesBeforeTheLogon(final byte[] bytes) {
        feed(HandWrittenPeer.acceptor(), HandWrittenPeer.acceptor(), bytes);
    }

    @FuzzTest(maxDuration = "1m")
    void shouldTakeAnyBytesInASession(final byte[] bytes) {
        feed(HandWrittenPeer.loggedOn(), HandWrittenPeer.loggedOn(), bytes);
    }

    /**
     * The fuzzer seldom finds a checksum: here each line is a message's fields, and the frame is
     * right.
     */
    @Tag("fuzzed")
    @FuzzTest(maxDuration = "1m")
    void shouldTakeAnyFieldsInASession(final byte[] bytes) {
        final HandWrittenPeer peer = HandWrittenPeer.loggedOn();
        for (final String line : new String(bytes, StandardCharsets.ISO_8859_1).split("\n")) {
            final int type = Math.min(1, line.length());
            peer.says(line.substring(0, type), peer.session.nextIncoming(), line.substring(type));
            assertThat(peer.waiting()).isLessThanOrEqualTo(MOST_WAITING);
            peer.heardInFull();
        }
    }

    private static void feed(
            final HandWrittenPeer whole, final HandWrittenPeer inPieces, final byte[] bytes) {
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        whole.raw(text);
        for (int at = 0; at < text.length(); at += PIECE) {
            inPieces.raw(text.substring(at, Math.min(text.length(), at + PIECE)));
            assertThat(inPieces.waiting()).isLessThanOrEqualTo(MOST_WAITING);
        }
        assertThat(inPieces.delivered).isEqualTo(whole.delivered);
        assertThat(inPieces.session.state()).isEqualTo(whole.session.state());
        assertThat(inPieces.session.nextIncoming()).isEqualTo(whole.session.nextIncoming());
        assertThat(inPieces.heard()).isEqualTo(whole.heard());
    }
}

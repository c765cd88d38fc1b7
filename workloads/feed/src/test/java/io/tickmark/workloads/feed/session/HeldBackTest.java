package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.tick.Tick;
import java.io.IOException;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Merging because it was requested, and because the client is behind. */
class HeldBackTest {
    private static final long FLUSH_NS = 4_000_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);
    private final Session session =
            TakenSession.connected(
                    "it",
                    "merge",
                    Map.of("flush", "4ms", "conflation", "merge", "windowFrames", 1));

    private SessionFigures afterThreeMessages(final long atNs) {
        for (int i = 0; i < 3; i++) {
            session.offer(0, message, 0, atNs);
        }
        return session.figures();
    }

    @Test
    void shouldNotCountWhatMergesWithinAFlushInterval() {
        final SessionFigures figures = afterThreeMessages(1);
        assertThat(figures.merged()).isEqualTo(2);
        assertThat(figures.heldBack()).isZero();
    }

    @Test
    void shouldCountWhatComesWhileTheWindowIsClosed() throws IOException {
        afterThreeMessages(1);
        assertThat(session.pump(2 * FLUSH_NS)).isTrue();
        final SessionFigures figures = afterThreeMessages(2 * FLUSH_NS + 1);
        assertThat(figures.merged()).isEqualTo(4);
        assertThat(figures.heldBack()).isEqualTo(3);
        assertThat(figures.json()).endsWith("\"heldBack\":3");
    }
}

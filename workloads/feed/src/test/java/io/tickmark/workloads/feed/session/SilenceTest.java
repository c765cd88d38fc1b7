package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.session.SessionHub.HubLimits;
import io.tickmark.workloads.feed.tick.Tick;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a silent client is given up, on the test's clock. */
class SilenceTest {
    private static final long QUIET_NS = HubLimits.SILENCE_NS + TimeUnit.SECONDS.toNanos(1);

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);

    /** A poll: takes something only while a request waits. */
    private static final class Poll extends TakenSession.Taker {
        private boolean isWaiting = true;

        @Override
        public boolean isReady() {
            return isWaiting;
        }
    }

    private static Map<String, Object> wishes(final boolean guaranteed) {
        return Map.of("conflation", "buffer", "flush", "0ms", "guaranteed", guaranteed);
    }

    private void send(final Session session, final long atNs) throws IOException {
        session.offer(0, message, 0, atNs);
        assertThat(session.pump(atNs)).as("a frame went").isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepASessionWhoseFeedPausedForAMinute(final boolean guaranteed) throws IOException {
        final Session session = TakenSession.connected("it", "buffer", wishes(guaranteed));
        send(session, 1);
        session.acknowledge(1, 1);
        session.pump(2);

        send(session, QUIET_NS);
        assertThat(session.isSilent(QUIET_NS, HubLimits.SILENCE_NS)).isFalse();

        session.pump(2 * QUIET_NS);
        assertThat(session.isSilent(2 * QUIET_NS, HubLimits.SILENCE_NS))
                .as("that frame was never acknowledged")
                .isTrue();
    }

    /** It had acknowledged, and its thread looks first for whom it can give up. */
    @Test
    void shouldKeepWhoWasHeardWhileTheThreadOfItsSessionStood() throws IOException {
        final Session session = TakenSession.connected("it", "buffer", wishes(false));
        send(session, 1);
        session.acknowledge(1, 1);
        assertThat(session.isSilent(QUIET_NS, HubLimits.SILENCE_NS)).isFalse();

        session.pump(QUIET_NS);
        send(session, QUIET_NS + 1);
        session.pump(2 * QUIET_NS + 1);
        assertThat(session.isSilent(2 * QUIET_NS + 1, HubLimits.SILENCE_NS))
                .as("since then")
                .isTrue();
    }

    @Test
    void shouldHearAPollThatAcknowledgesNothingNew() throws IOException {
        final Session session = TakenSession.connected("it", "buffer", wishes(false), new Poll());
        send(session, 1);
        session.acknowledge(0, 0);
        session.pump(QUIET_NS);
        assertThat(session.isSilent(QUIET_NS, HubLimits.SILENCE_NS)).isFalse();
    }

    @Test
    void shouldGiveUpAPollThatDoesNotComeBackThoughItOwesNothing() throws IOException {
        final Poll poll = new Poll();
        final Session session = TakenSession.connected("it", "buffer", wishes(false), poll);
        send(session, 1);
        session.acknowledge(1, 1);
        session.pump(2);
        poll.isWaiting = false;
        session.pump(HubLimits.SILENCE_NS);
        assertThat(session.isSilent(HubLimits.SILENCE_NS, HubLimits.SILENCE_NS)).isFalse();
        session.pump(QUIET_NS);
        assertThat(session.isSilent(QUIET_NS, HubLimits.SILENCE_NS)).isTrue();
    }
}

package io.tickmark.workloads.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.Refusing;
import io.tickmark.workloads.messaging.session.PublisherSession;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class PingerTest {
    private static final int BYTES = 64;

    /** It was offered until the step was over, and called lost. */
    @Test
    void shouldEndAtTheFirstPingThatIsTooLong() {
        final Refusing engine =
                new Refusing(
                        Publication.TOO_LONG, Publication.UNKNOWN_COUNT, Optional.of("Its limit."));
        final TestContext context = new TestContext(1, 1);
        final PublisherSession session =
                new PublisherSession(
                        List.of(engine.exchange()), List.of(Topic.DEFAULT), 1, context);
        final Pinger pinger =
                new Pinger(
                        engine.exchange(),
                        session,
                        new OutgoingMessage(BYTES, session.trialId(), true),
                        Settings.read(LatencyPubSettings.class, Map.of(), key -> key),
                        context);
        pinger.begin(0, BYTES, 0, (nowNs, intendedNs, sequence) -> {});

        assertThatThrownBy(() -> pinger.pingOnce(Long.MAX_VALUE))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--channel null:refusing: the engine accepts no pings of 64 bytes; send shorter ones. Its limit.");
        assertThat(engine.offers()).isOne();
    }
}

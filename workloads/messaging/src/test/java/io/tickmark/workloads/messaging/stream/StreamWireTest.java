package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.messaging.LocalTrial;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stream's publisher reports about the network. */
@Timeout(120)
final class StreamWireTest {
    private static RoleResult publisher(final Map<String, ?> settings) throws Exception {
        final Map<String, Object> all =
                new HashMap<>(Map.of("jvmWarmUp", "20ms", "messages", 1_000, "rate", 20_000));
        all.putAll(settings);
        return LocalTrial.run(
                        new StreamPublisher.Factory(),
                        all,
                        new StreamSubscriber.Factory(),
                        Map.of(),
                        1)
                .publisher();
    }

    /** The subscriber leaves while the publisher lingers. */
    @Test
    void shouldReportTheWireOfSubscribersThatAreGone() throws Exception {
        final RoleResult result =
                publisher(Map.of("channel", "tcp://127.0.0.1:0", "lingerMs", 1_000));

        assertThat(result.metrics()).containsEntry("link", "lo");
        assertThat(result.steps().getFirst().counts().get(Counts.WIRE_BYTES)).isPositive();
    }

    @Test
    void shouldCountNoFramesOfWhatItLosesOnPurpose() throws Exception {
        final RoleResult result =
                publisher(Map.of("channel", "udp://127.0.0.1:0", "lossPercent", 20));

        final long lost = result.steps().getFirst().counts().get(Counts.LOST_ON_PURPOSE);
        assertThat(lost).isPositive();
        assertThat(result.steps().getFirst().counts())
                .containsEntry(Counts.WIRE_FRAMES, 1_000 - lost);
    }
}

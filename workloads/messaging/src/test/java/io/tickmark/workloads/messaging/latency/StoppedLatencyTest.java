package io.tickmark.workloads.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.messaging.latency.LatencySubscriber.LatencySubSettings;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A publisher that a user stops, with subscribers that are not stopped: both started by hand. */
@Timeout(120)
final class StoppedLatencyTest {
    private static RoleResult receive(final Endpoints endpoints) {
        final LatencySubSettings settings =
                Settings.read(LatencySubSettings.class, Map.of("idleTimeout", "30s"), key -> key);
        try (Role subscriber =
                new LatencySubscriber.Factory().create(settings, new TestContext(1, 1))) {
            subscriber.prepare();
            subscriber.connect(endpoints);
            return subscriber.run(0);
        }
    }

    /**
     * They used to wait for as long as a publisher may be silent, and then reported that it fell
     * silent.
     */
    @ParameterizedTest
    @ValueSource(strings = {"1h", "0s"})
    void shouldSendItsSubscribersHomeBeforeTheFirstStep(final String warmUp) {
        final TestContext context = new TestContext(1, 1);
        final LatencyPubSettings settings =
                Settings.read(
                        LatencyPubSettings.class,
                        Map.of("channel", "udp://127.0.0.1:0", "warmUp", warmUp),
                        key -> key);
        try (Role publisher = new LatencyPublisher.Factory().create(settings, context)) {
            final Endpoints endpoints = publisher.prepare().boundBy("publisher", 1);
            final CompletableFuture<RoleResult> subscriber =
                    CompletableFuture.supplyAsync(() -> receive(endpoints));
            publisher.connect(Endpoints.NONE);
            context.stop();

            assertThat(publisher.run(0).steps()).isEmpty();
            assertThat(subscriber.join().failure()).isEmpty();
            assertThat(subscriber.join().steps()).isEmpty();
        }
    }
}

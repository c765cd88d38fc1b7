package io.tickmark.workloads.market.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.TestContext;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TransportTestTest {
    private static TransportTestSettings settings(final Map<String, Object> values) {
        return Settings.read(TransportTestSettings.class, values, key -> "--" + key);
    }

    private static RoleResult[] run(final Map<String, Object> values) throws Exception {
        final TestContext senderContext =
                new TestContext(java.util.Optional.empty(), 30_000_000_000L, List.of());
        final TestContext receiverContext =
                new TestContext(java.util.Optional.empty(), 30_000_000_000L, List.of());
        try (Role sender = new TransportSenderFactory().create(settings(values), senderContext);
                Role receiver =
                        new TransportReceiverFactory().create(settings(values), receiverContext)) {
            final Endpoints endpoints = sender.prepare();
            receiver.prepare();
            final CompletableFuture<RoleResult> received =
                    CompletableFuture.supplyAsync(() -> {
                        receiver.connect(endpoints);
                        return receiver.run(receiverContext.clock().nanoTime());
                    });
            sender.connect(Endpoints.NONE);
            final RoleResult sent = sender.run(senderContext.clock().nanoTime());
            return new RoleResult[] {sent, received.get(30, TimeUnit.SECONDS)};
        }
    }

    @Test
    void shouldReceiveAndTimeEveryMessage() throws Exception {
        final RoleResult[] results =
                run(Map.of("rate", 5000, "duration", "500ms", "warmUp", "100ms"));

        final long sent = results[0].steps().getFirst().counts().get(Counts.SENT);
        final Map<String, Long> received = results[1].steps().getFirst().counts();
        assertThat(sent).isPositive();
        assertThat(received.get(Counts.RECEIVED)).isEqualTo(sent);
        assertThat(received.get(Counts.LOST)).isZero();
        assertThat(
                        results[1]
                                .steps()
                                .getFirst()
                                .latencies()
                                .get(Latencies.RESPONSE_NS)
                                .getTotalCount())
                .isEqualTo(sent);
        assertThat(results[1].failure()).isEmpty();
    }

    @Test
    void shouldLoseNothingAsFastAsPossible() throws Exception {
        final RoleResult[] results =
                run(Map.of("rate", 0, "duration", "300ms", "warmUp", "0s", "payloadBytes", 1000));

        assertThat(results[1].steps().getFirst().counts().get(Counts.RECEIVED))
                .isEqualTo(results[0].steps().getFirst().counts().get(Counts.SENT));
        assertThat(results[1].steps().getFirst().counts().get(Counts.LOST)).isZero();
    }

    @Test
    void shouldRefuseOptionsThatMeanNothingHere() {
        assertThatThrownBy(() -> settings(Map.of("packing", true)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--packing has nothing to pack");
        assertThatThrownBy(() -> settings(Map.of("maxDispatchCount", 5)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--max-dispatch-count");
        assertThat(settings(Map.of("packing", false)).connection().packing()).isFalse();
    }

    @Test
    void shouldNameItsOwnOptionsForAnAddressThatCannotBeListenedOn() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Role sender =
                        new TransportSenderFactory()
                                .create(
                                        settings(Map.of("port", taken.getLocalPort())),
                                        new TestContext(
                                                java.util.Optional.empty(),
                                                30_000_000_000L,
                                                List.of()))) {
            assertThatThrownBy(sender::prepare)
                    .isInstanceOf(UserError.class)
                    .hasMessageEndingWith("; name another --port or --host.");
        }
    }

    @Test
    void shouldAskForThePortOfASenderByHand() {
        try (Role receiver =
                new TransportReceiverFactory()
                        .create(
                                settings(Map.of()),
                                new TestContext(
                                        java.util.Optional.empty(), 30_000_000_000L, List.of()))) {
            receiver.prepare();
            assertThatThrownBy(() -> receiver.connect(Endpoints.NONE))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--port is needed");
        }
    }
}

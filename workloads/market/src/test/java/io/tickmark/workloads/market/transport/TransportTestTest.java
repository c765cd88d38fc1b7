package io.tickmark.workloads.market.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.eta.transport.AcceptOptions;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.rssl.Rssl;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TransportTestTest {
    private static final long ENOUGH = 100;

    private Duration skipped = Duration.ZERO;

    private static TransportTestSettings settings(final Map<String, Object> values) {
        return Settings.read(TransportTestSettings.class, values, key -> "--" + key);
    }

    private final LocalContext senderContext =
            new LocalContext(java.util.Optional.empty(), 30_000_000_000L, List.of());
    private final LocalContext receiverContext =
            new LocalContext(java.util.Optional.empty(), 30_000_000_000L, List.of());

    /** Sends until enough was measured, however long that takes; then its time is over. */
    private RoleResult[] runUntilEnoughIsSent(final Map<String, Object> values) throws Exception {
        final Map<String, Object> all = new HashMap<>(values);
        all.put("duration", "10m");
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread watching =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!isOver.get() && !hasSentEnough()) {
                                LockSupport.parkNanos(1_000_000);
                            }
                            skipped = skipped.plusMinutes(11);
                            senderContext.skip(skipped);
                        });
        try {
            return run(all);
        } finally {
            isOver.set(true);
            watching.join();
        }
    }

    private boolean hasSentEnough() {
        final RoleRecording recording = senderContext.recording();
        return recording.progress().inStep() && recording.counter(Counts.SENT).get() >= ENOUGH;
    }

    private RoleResult[] run(final Map<String, Object> values) throws Exception {
        try (Role sender = new TransportSender.Factory().create(settings(values), senderContext);
                Role receiver =
                        new TransportReceiver.Factory().create(settings(values), receiverContext)) {
            final Endpoints endpoints = sender.prepare();
            receiver.prepare();
            final CompletableFuture<RoleResult> received =
                    CompletableFuture.supplyAsync(() -> {
                        receiver.connect(endpoints);
                        return receiver.run(receiverContext.clock().nanoTime());
                    });
            sender.connect(Endpoints.NONE);
            final RoleResult sent = sender.run(senderContext.clock().nanoTime());
            return new RoleResult[] {sent, received.get(120, TimeUnit.SECONDS)};
        }
    }

    @Test
    void shouldReceiveAndTimeEveryMessage() throws Exception {
        final RoleResult[] results = runUntilEnoughIsSent(Map.of("rate", 5000, "warmUp", "100ms"));

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
        // so that the last report of one that is killed is of the measurement, too
        assertThat(senderContext.recording().counter(Counts.SENT).get()).isEqualTo(sent);
        assertThat(receiverContext.recording().counter(Counts.RECEIVED).get()).isEqualTo(sent);
    }

    /** Such as one that has run for two hours longer; a plan aligns the clocks. */
    @Test
    void shouldNotTimeByTheClockOfAnotherMachineWhenStartedByHand() throws Exception {
        receiverContext.skip(Duration.ofHours(2));
        final Map<String, Object> values = Map.of("rate", 5000, "warmUp", "0s");
        final RoleResult inPlan = runUntilEnoughIsSent(values)[1];
        receiverContext.byHand();
        final RoleResult byHand = runUntilEnoughIsSent(values)[1];

        assertThat(inPlan.steps().getFirst().counts().get(Counts.OUT_OF_RANGE)).isPositive();
        assertThat(inPlan.warnings()).isEmpty();
        assertThat(byHand.steps().getFirst().counts())
                .doesNotContainKeys(Counts.NOT_POSITIVE, Counts.OUT_OF_RANGE);
        assertThat(byHand.steps().getFirst().counts().get(Counts.RECEIVED)).isPositive();
        assertThat(byHand.warnings()).containsExactly(OtherClock.WARNING);
    }

    /** The clocks of machines that were started ten minutes apart: times of ten minutes. */
    @Test
    void shouldNotTimeByAClockThatTheSenderSaysIsOfAnotherHost() throws Exception {
        assertThat(timesOf(HostId.VALUE).steps().getFirst().latencies())
                .containsOnlyKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);

        final RoleResult result = timesOf(HostId.VALUE ^ 1);
        assertThat(result.steps().getFirst().latencies()).isEmpty();
        assertThat(result.steps().getFirst().counts())
                .containsEntry(Counts.RECEIVED, 1L)
                .containsEntry(Counts.STALE, 0L)
                .containsEntry(Counts.NOT_POSITIVE, 0L)
                .containsEntry(Counts.OUT_OF_RANGE, 0L);
        assertThat(result.warnings()).containsExactly(OtherClock.WARNING);
    }

    /** Of a sender on a host that says so, with a message that took ten minutes by its clock. */
    private static RoleResult timesOf(final long host) throws Exception {
        final LocalContext context =
                new LocalContext(java.util.Optional.empty(), 30_000_000_000L, List.of());
        context.skip(Duration.ofMinutes(10));
        try (Role receiver = new TransportReceiver.Factory().create(settings(Map.of()), context)) {
            receiver.prepare();
            final Server server =
                    Rssl.bind("127.0.0.1", "--host", 0, "--port", settings(Map.of()).connection());
            final CompletableFuture<RoleResult> received =
                    CompletableFuture.supplyAsync(() -> {
                        receiver.connect(
                                Endpoints.of(
                                        Map.of(
                                                TransportTestFactory.ENDPOINT,
                                                "127.0.0.1:" + server.portNumber())));
                        return receiver.run(context.clock().nanoTime());
                    });
            try (OpaqueChannel sender = accepted(server)) {
                final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
                send(sender, 0, Stamp.HELLO | Stamp.WARM_UP, nowNs, host);
                send(sender, 0, 0, nowNs, nowNs);
                send(sender, 1, Stamp.END, nowNs, nowNs);
                return received.get(120, TimeUnit.SECONDS);
            } finally {
                server.close(TransportFactory.createError());
            }
        }
    }

    /** In what a receiver of version 0.1.0 takes for a message of the warm-up. */
    @Test
    void shouldSayFirstOnWhichHostItStampsItsMessages() throws Exception {
        final Map<String, Object> values = Map.of("rate", 100, "duration", "100ms");
        try (Role sender = new TransportSender.Factory().create(settings(values), senderContext)) {
            final String[] address =
                    sender.prepare().named(TransportTestFactory.ENDPOINT).getFirst().split(":");
            final CompletableFuture<RoleResult> sent =
                    CompletableFuture.supplyAsync(() -> {
                        sender.connect(Endpoints.NONE);
                        return sender.run(senderContext.clock().nanoTime());
                    });
            final Channel connected =
                    Transport.connect(
                            Rssl.connectTo(
                                            address[0],
                                            Integer.parseInt(address[1]),
                                            settings(Map.of()).connection(),
                                            Duration.ofSeconds(1))
                                    .connectionList()
                                    .getFirst()
                                    .connectOptions(),
                            TransportFactory.createError());
            try (OpaqueChannel receiver = up(connected)) {
                TransportBuffer first = receiver.read();
                while (first == null && !receiver.isGone()) {
                    Thread.sleep(1);
                    first = receiver.read();
                }
                final UnsafeBuffer message =
                        new UnsafeBuffer(first.data(), first.data().position(), Stamp.FULL_LENGTH);
                assertThat(Stamp.flags(message, 0)).isEqualTo(Stamp.HELLO | Stamp.WARM_UP);
                assertThat(Stamp.sentNs(message, 0)).isEqualTo(HostId.VALUE);
            } finally {
                senderContext.stop();
            }
            sent.get(120, TimeUnit.SECONDS);
        }
    }

    /** Connected, the receiver reads nothing: soon no room is left. */
    @Test
    void shouldNotHoldARateThatTheReceiverDoesNotRead() throws Exception {
        final double rate = 20_000;
        final Map<String, Object> values =
                Map.of("rate", rate, "duration", "500ms", "warmUp", "0s", "payloadBytes", 6000);
        try (Role sender = new TransportSender.Factory().create(settings(values), senderContext);
                Role receiver =
                        new TransportReceiver.Factory().create(settings(values), receiverContext)) {
            final Endpoints endpoints = sender.prepare();
            receiver.prepare();
            final CompletableFuture<Void> connected =
                    CompletableFuture.runAsync(() -> receiver.connect(endpoints));
            sender.connect(Endpoints.NONE);
            connected.get(120, TimeUnit.SECONDS);
            final StepResult step = sender.run(senderContext.clock().nanoTime()).steps().getFirst();
            final long sent = step.counts().get(Counts.SENT);
            assertThat(sent).isPositive().isLessThan((long) (rate / 2));
            assertThat(step.achievedRatePerSecond())
                    .isPositive()
                    .isLessThanOrEqualTo(2 * sent * (1 + 1e-6));
        }
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
    void shouldWaitForTheNextMessageAsLongAsTheRateAsksFor() {
        assertThat(settings(Map.of("rate", 0.1)).longestSilenceNs()).isEqualTo(15_000_000_000L);
        assertThat(settings(Map.of("rate", 1e-20)).longestSilenceNs()).isPositive();
        assertThat(settings(Map.of("rate", 0)).longestSilenceNs()).isEqualTo(5_000_000_000L);
    }

    /** It was said to have disconnected. */
    @Test
    void shouldSayThatASenderFellSilentWhichIsStillConnected() throws Exception {
        try (Role sender = new TransportSender.Factory().create(settings(Map.of()), senderContext);
                Role receiver =
                        new TransportReceiver.Factory()
                                .create(settings(Map.of("rate", 0)), receiverContext)) {
            final Endpoints endpoints = sender.prepare();
            receiver.prepare();
            final CompletableFuture<Void> connected =
                    CompletableFuture.runAsync(() -> receiver.connect(endpoints));
            sender.connect(Endpoints.NONE);
            connected.get(120, TimeUnit.SECONDS);
            final long startAtNs = receiverContext.clock().nanoTime();
            final CompletableFuture<RoleResult> received =
                    CompletableFuture.supplyAsync(() -> receiver.run(startAtNs));
            for (int minutes = 1; !received.isDone(); minutes++) {
                receiverContext.skip(Duration.ofMinutes(minutes)); // it may not have begun
                Thread.sleep(1);
            }

            assertThat(received.get().failure())
                    .isEqualTo(
                            "The sender fell silent: it is still connected, but sent nothing for 5s and did not "
                                    + "announce the end of its messages.");
        }
    }

    /** The stamp has 32 bits for the number of a message. */
    @Test
    void shouldCountWhatIsLostOfMoreMessagesThanTheStampCanNumber() throws Exception {
        final LocalContext context =
                new LocalContext(java.util.Optional.empty(), 30_000_000_000L, List.of());
        try (Role receiver = new TransportReceiver.Factory().create(settings(Map.of()), context)) {
            receiver.prepare();
            final Server server =
                    Rssl.bind("127.0.0.1", "--host", 0, "--port", settings(Map.of()).connection());
            final CompletableFuture<RoleResult> received =
                    CompletableFuture.supplyAsync(() -> {
                        receiver.connect(
                                Endpoints.of(
                                        Map.of(
                                                TransportTestFactory.ENDPOINT,
                                                "127.0.0.1:" + server.portNumber())));
                        return receiver.run(context.clock().nanoTime());
                    });
            try (OpaqueChannel sender = accepted(server)) {
                send(sender, 0x7fff_ffff, 0);
                send(sender, 0xffff_fff0, 0);
                send(sender, 9, 0);
                send(sender, 10, Stamp.END);
                assertThat(
                                received.get(120, TimeUnit.SECONDS)
                                        .steps()
                                        .getFirst()
                                        .counts()
                                        .get(Counts.LOST))
                        .isEqualTo((1L << 32) + 10 - 3);
            } finally {
                server.close(TransportFactory.createError());
            }
        }
    }

    private static OpaqueChannel accepted(final Server server) throws InterruptedException {
        final AcceptOptions options = TransportFactory.createAcceptOptions();
        Channel accepted = null;
        while (accepted == null) {
            Thread.sleep(1);
            accepted = server.accept(options, TransportFactory.createError());
        }
        return up(accepted);
    }

    private static OpaqueChannel up(final Channel connected) throws InterruptedException {
        final OpaqueChannel channel = new OpaqueChannel(connected, settings(Map.of()).connection());
        while (!channel.isUp()) {
            Thread.sleep(1);
        }
        return channel;
    }

    private static void send(final OpaqueChannel to, final int sequence, final int flags) {
        send(to, sequence, flags, 1, 1);
    }

    private static void send(
            final OpaqueChannel to,
            final int sequence,
            final int flags,
            final long intendedNs,
            final long sentNs) {
        final UnsafeBuffer message = new UnsafeBuffer(0, 0);
        final TransportBuffer buffer = to.begin(Stamp.FULL_LENGTH);
        message.wrap(buffer.data(), buffer.data().position(), Stamp.FULL_LENGTH);
        Stamp.write(message, 0, intendedNs, sequence, flags, 0, 0);
        Stamp.writeSentNs(message, 0, sentNs);
        buffer.data().position(buffer.data().position() + Stamp.FULL_LENGTH);
        to.end(buffer);
        to.flush();
    }

    @Test
    void shouldRefuseOptionsThatMeanNothingHere() {
        assertThatThrownBy(() -> settings(Map.of("packing", true)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--packing has no effect here");
        assertThatThrownBy(() -> settings(Map.of("maxDispatchCount", 5)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--max-dispatch-count");
        assertThat(settings(Map.of("packing", false)).connection().packing()).isFalse();
    }

    @Test
    void shouldNameItsOwnOptionsForAnAddressThatCannotBeListenedOn() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Role sender =
                        new TransportSender.Factory()
                                .create(
                                        settings(Map.of("port", taken.getLocalPort())),
                                        new LocalContext(
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
                new TransportReceiver.Factory()
                        .create(
                                settings(Map.of()),
                                new LocalContext(
                                        java.util.Optional.empty(), 30_000_000_000L, List.of()))) {
            receiver.prepare();
            assertThatThrownBy(() -> receiver.connect(Endpoints.NONE))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--port is needed");
        }
    }
}

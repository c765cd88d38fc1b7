package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.workloads.messaging.session.ReceivingEnd;
import io.tickmark.workloads.messaging.session.TopicAgreement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReceivingTest {
    private static final ChannelUri CHANNEL = ChannelUri.parse("null:stands");
    private static final int LENGTH = 64;
    private static final long PATIENCE_NS = 10_000_000_000L;

    private final VirtualClock clock = new VirtualClock(1);
    private final TestContext context = new TestContext(1, 1, clock).waiting(IdleMode.BLOCK);
    private final OutgoingMessage message = new OutgoingMessage(LENGTH, 0, true);

    /** Its reader stands for longer than a publisher may be silent; messages may come meanwhile. */
    private class Stands implements Subscription {
        private int coming;

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            if (coming == 0 || clock.nanoTime() <= PATIENCE_NS) {
                return 0;
            }
            message.prepare(message.buffer(), LENGTH, 1, 0, 0, 0, 1);
            handler.onMessage(message.buffer(), 0, LENGTH);
            Stamp.write(message.buffer(), 0, 0, 1, Stamp.END | Stamp.WELCOME, 0, 1);
            Stamp.writeTrialId(message.buffer(), 0, 0);
            handler.onMessage(message.buffer(), 0, Stamp.FULL_LENGTH);
            final int came = coming;
            coming = 0;
            return came;
        }

        @Override
        public void await(final long timeoutNs) {
            clock.advance(2 * PATIENCE_NS);
        }

        @Override
        public boolean wakesOnArrival() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public ChannelUri channel() {
            return CHANNEL;
        }

        @Override
        public void close() {
            // it has no resources
        }
    }

    /** All that was sent is there at once; the end is repeated every 5 ms for a while. */
    private final class Repeats implements Subscription {
        private static final long EVERY_NS = 5_000_000;

        private final long lastingNs;
        private long nextNs;

        Repeats(final long lastingNs) {
            this.lastingNs = lastingNs;
        }

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            if (nextNs > 0 && (clock.nanoTime() < nextNs || clock.nanoTime() > lastingNs)) {
                return 0;
            }
            if (nextNs == 0) {
                message.prepare(message.buffer(), LENGTH, 1, 0, 0, 0, 1);
                handler.onMessage(message.buffer(), 0, LENGTH);
            }
            nextNs = clock.nanoTime() + EVERY_NS;
            Stamp.write(message.buffer(), 0, 0, 1, Stamp.END | Stamp.WELCOME, 0, 1);
            Stamp.writeTrialId(message.buffer(), 0, 0);
            handler.onMessage(message.buffer(), 0, Stamp.FULL_LENGTH);
            return 1;
        }

        @Override
        public void await(final long timeoutNs) {
            clock.advance(1_000_000);
        }

        @Override
        public boolean wakesOnArrival() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public ChannelUri channel() {
            return CHANNEL;
        }

        @Override
        public void close() {
            // it has no resources
        }
    }

    private static final class Agreed implements TopicAgreement {
        @Override
        public void onControl(
                final DirectBuffer buffer, final int offset, final int length, final int flags) {
            // nobody is counted in here
        }

        @Override
        public void acknowledgeEnd(final int step, final int source, final long lost) {
            // nobody waits for it
        }

        @Override
        public int topics() {
            return 1;
        }

        @Override
        public boolean isWanted(final int source) {
            return true;
        }

        @Override
        public int trialId() {
            return 0;
        }

        @Override
        public boolean isPublisherOnThisHost() {
            return true;
        }
    }

    private record End(Subscription subscription, TopicAgreement agreement)
            implements ReceivingEnd {
        @Override
        public List<Subscription> subscriptions() {
            return List.of(subscription);
        }

        @Override
        public int doWork(final int index) {
            return 0;
        }

        @Override
        public void introduce(final MessageHandler handler) {
            // it knows the publisher
        }

        @Override
        public List<String> notes() {
            return subscription.engineErrors().stream().toList();
        }

        @Override
        public ChannelUri channel() {
            return CHANNEL;
        }

        @Override
        public Map<String, Object> facts() {
            return Map.of();
        }

        @Override
        public void close() {
            // it has no resources
        }
    }

    private RoleResult receive(final Subscription subscription) {
        try (Receiving receiving =
                new Receiving(
                        CHANNEL.toString(),
                        List.of(Topic.DEFAULT),
                        1,
                        Settings.read(ThreadSettings.class, Map.of(), key -> key),
                        new HotThread("subscriber"),
                        context)) {
            receiving.take(new End(subscription, new Agreed()));
            final StepReceiver steps = receiving.steps(true);
            steps.begin();
            return receiving.run(
                    steps,
                    (buffer, offset, length) ->
                            steps.onMessage(buffer, offset, length, clock.nanoTime()),
                    () -> {},
                    true,
                    PATIENCE_NS,
                    _ -> {});
        }
    }

    /** The publisher was called silent though all that it had sent was there. */
    @Test
    void shouldReadWhatCameWhileItsThreadStood() {
        final Stands subscription = new Stands();
        subscription.coming = 2;

        final RoleResult result = receive(subscription);

        assertThat(result.failure()).isEmpty();
        assertThat(result.steps())
                .singleElement()
                .satisfies(step -> assertThat(step.counts()).containsEntry(Counts.RECEIVED, 1L));
    }

    /** Each trial of a search would wait for it. */
    @ParameterizedTest
    @CsvSource({"0, 90", "30, 120", "80, 170", "1000, 200"})
    void shouldStayForAsLongAsTheEndIsRepeatedButNotForOthersOnly(
            final long repeatedMs, final long staysMs) {
        assertThat(receive(new Repeats(repeatedMs * 1_000_000)).failure()).isEmpty();

        assertThat(clock.nanoTime() / 1_000_000)
                .as("a repeated end and a look at the clock may come a little earlier")
                .isBetween(staysMs - 6, staysMs + 2);
    }

    @Test
    void shouldSayThatThePublisherFellSilent() {
        assertThat(receive(new Stands()).failure())
                .contains("fell silent for 10s; if longer gaps are normal there");
    }

    /** Nobody waits longer for a server that is gone. */
    @Test
    void shouldNotBlameThePublisherForWhatTheEngineSays() {
        final String broke = "The connection to the server broke (it was closed).";
        final Stands subscription =
                new Stands() {
                    private boolean isBroken;

                    @Override
                    public void await(final long timeoutNs) {
                        super.await(timeoutNs);
                        isBroken = true;
                    }

                    @Override
                    public Optional<String> engineErrors() {
                        return isBroken ? Optional.of(broke) : Optional.empty();
                    }
                };

        final RoleResult result = receive(subscription);

        assertThat(result.failure())
                .startsWith(broke + " Nothing arrived from the publisher at ")
                .endsWith(" for 10s.");
        assertThat(result.warnings()).as("said once").doesNotContain(broke);
    }
}

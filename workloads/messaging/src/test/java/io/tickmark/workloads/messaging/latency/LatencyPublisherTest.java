package io.tickmark.workloads.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.messaging.latency.LatencySubscriber.LatencySubSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class LatencyPublisherTest {
    private static final long EACH_READING_NS = 50_000_000;

    /** The machine's clock until the role begins, and from then on one that each reading moves. */
    private static final class FastClock implements NanoClock {
        private final AtomicLong ahead = new AtomicLong();
        private volatile boolean isFast;

        @Override
        public long nanoTime() {
            return System.nanoTime() + (isFast ? ahead.addAndGet(EACH_READING_NS) : ahead.get());
        }
    }

    private final FastClock clock = new FastClock();

    /** Of 10,000 pings each took its second, and the controller called the trial void. */
    @Test
    void shouldEndAStepByCountWhoseEchoesDoNotCome() {
        final List<StepResult> steps =
                steps(Map.of("sizes", "64,128", "samples", 10_000, "pingTimeout", "1s"));

        assertThat(steps)
                .extracting(step -> step.counts().get(Counts.SENT))
                .containsExactly(30L, 1L);
        assertThat(steps)
                .extracting(step -> step.counts().get(Counts.TIMED_OUT))
                .containsExactly(30L, 1L);
        assertThat(steps.get(0).reasons())
                .containsExactly(
                        "30 pings had no echo within 1s, and the step ended after 30 of 10000.");
        assertThat(steps.get(1).reasons())
                .containsExactly(
                        "1 ping had no echo within 1s, and the step ended after 1 of 10000.");
    }

    /** One missing echo in 2,000 is for the criterion to judge, not a reason to end. */
    @Test
    void shouldBearMoreMissesAmongEchoesThanInARow() {
        final LatencyPubSettings settings =
                Settings.read(
                        LatencyPubSettings.class,
                        Map.of("samples", 100_000, "pingTimeout", "1s"),
                        key -> key);

        assertThat(settings.mostInARow()).isEqualTo(30);
        assertThat(settings.mostTimedOut()).isEqualTo(120);
        assertThat(settings.longestSilenceNs())
                .isEqualTo((30L + settings.sweep().size() - 1) * 1_000_000_000L);
    }

    @Test
    void shouldNotEndAStepEarlyWhoseLastPingIsMissing() {
        final List<StepResult> steps =
                steps(Map.of("sizes", "64", "samples", 30, "pingTimeout", "1s"));

        assertThat(steps.getFirst().counts())
                .containsEntry(Counts.SENT, 30L)
                .containsEntry(Counts.TIMED_OUT, 30L);
        assertThat(steps.getFirst().reasons()).isEmpty();
    }

    /** What the publisher reports where no ping arrives. */
    private List<StepResult> steps(final Map<String, Object> settings) {
        final Map<String, Object> all = new java.util.HashMap<>(settings);
        all.put("channel", "null:?lossPart=1");
        all.put("warmUp", "0ms");
        final TestContext context =
                new TestContext(1, 1, clock) {
                    @Override
                    public void began() {
                        clock.isFast = true;
                    }
                };
        final CompletableFuture<Void> subscriber;
        final List<StepResult> steps;
        try (Role publisher =
                new LatencyPublisher.Factory()
                        .create(
                                Settings.read(LatencyPubSettings.class, all, key -> key),
                                context)) {
            final Endpoints endpoints = publisher.prepare().boundBy("publisher", 1);
            subscriber = CompletableFuture.runAsync(() -> receive(endpoints));
            publisher.connect(Endpoints.NONE);
            steps = publisher.run(0).steps();
        }
        subscriber.join();
        return steps;
    }

    private static void receive(final Endpoints endpoints) {
        final LatencySubSettings settings =
                Settings.read(LatencySubSettings.class, Map.of("idleTimeout", "5s"), key -> key);
        try (Role subscriber =
                new LatencySubscriber.Factory().create(settings, new TestContext(1, 1))) {
            subscriber.prepare();
            subscriber.connect(endpoints);
            subscriber.run(0);
        }
    }
}

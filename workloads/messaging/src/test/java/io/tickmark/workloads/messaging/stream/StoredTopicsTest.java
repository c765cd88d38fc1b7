package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Deliveries.AfterFault;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.store.FlightSettings;
import io.tickmark.workloads.messaging.store.StoreWaitSettings;
import io.tickmark.workloads.messaging.store.StoredPublishing;
import io.tickmark.workloads.messaging.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two topics, a store each, on a clock that stands still. */
@Timeout(120)
final class StoredTopicsTest {
    private static final long INTERVAL_NS = 1_000_000_000;
    private static final long LATE_NS = 1_000;
    private static final int BYTES = 100;
    private static final int PASSES = 20;

    private final VirtualClock clock = new VirtualClock(0);
    private final TestContext context = new TestContext(1, 1, clock);

    @TempDir Path folder;

    /** Makes all its messages stable whenever its publication works. */
    private StoreServer store(final int index) throws IOException {
        final ChannelUri channel = ChannelUri.parse("filestore:?syncEvery=1000");
        final StoreServer server =
                Stores.of(channel)
                        .store(channel, Files.createDirectory(folder.resolve("store-" + index)));
        server.start();
        return server;
    }

    private StoredPublishing publishing(final StoreServer first, final StoreServer second) {
        final StoredPublishing publishing =
                new StoredPublishing(
                        first.endpoint(),
                        endpoint(1, first).and(endpoint(2, second)),
                        Topic.of(List.of("one", "two")),
                        new StoredPublishing.Load(
                                BYTES,
                                false,
                                new FlightSettings(1000, 0, Duration.ZERO),
                                new StoreWaitSettings(Duration.ofSeconds(30))),
                        context);
        publishing.countIn();
        publishing.takeCounts();
        return publishing;
    }

    private static Endpoints endpoint(final int index, final StoreServer server) {
        return Endpoints.of(Map.of(Stores.STORE, server.endpoint().toString()))
                .boundBy("store", index);
    }

    /** One message a second; the first one is due, and a little late. */
    private SendLoop loop(final StoredPublishing publishing) {
        final SendLoop loop =
                new SendLoop(
                        publishing.publications(),
                        2,
                        new OutgoingMessage(BYTES, publishing.trialId(), false),
                        false,
                        BYTES,
                        0,
                        context);
        context.recording().beginStep(0, "two topics");
        loop.start(0, 0, Schedules.fixedRate(1), clock.nanoTime(), 10, Long.MAX_VALUE);
        clock.advance(LATE_NS);
        return loop;
    }

    private static void passes(final SendLoop loop) {
        for (int pass = 0; pass < PASSES; pass++) {
            loop.doWork();
        }
    }

    @Test
    void shouldNoticeWhatIsStableBeforeTheTurnOfItsTopicComesAgain() throws Exception {
        try (StoreServer first = store(1);
                StoreServer second = store(2);
                StoredPublishing publishing = publishing(first, second)) {
            final SendLoop loop = loop(publishing);

            passes(loop);

            assertThat(loop.sentByTopic()).as("the second topic's turn").containsExactly(0, 1, 0);
            assertThat(publishing.takeCounts())
                    .containsEntry(Counts.ACKNOWLEDGED, 1L)
                    .containsEntry(Counts.MAX_STABLE_GAP_NS, 0L);
            final Histogram stable =
                    context.recording().endStep().latencies().get(Latencies.STABLE_NS);
            assertThat(stable.getTotalCount()).isEqualTo(1);
            assertThat(stable.getMaxValue()).isEqualTo(LATE_NS);
        }
    }

    @Test
    void shouldNoticeWhatIsStableWhileTheStoreOfAnotherTopicIsGone() throws Exception {
        try (StoreServer first = store(1);
                StoreServer second = store(2);
                StoredPublishing publishing = publishing(first, second)) {
            final SendLoop loop = loop(publishing);
            loop.doWork();
            clock.advance(INTERVAL_NS);
            loop.doWork();
            assertThat(loop.sentByTopic()).containsExactly(0, 1, 1);
            first.kill(1);
            clock.advance(INTERVAL_NS);

            passes(loop);

            assertThat(loop.sentByTopic()).as("the store is gone").containsExactly(0, 1, 1);
            assertThat(publishing.takeCounts())
                    .as("the second topic's message")
                    .containsEntry(Counts.ACKNOWLEDGED, 1L);
        }
    }

    /** The time to recover was that of the topic whose store had not been killed. */
    @Test
    void shouldTellWhenEachTopicIsStableAgain() throws Exception {
        try (StoreServer first = store(1);
                StoreServer second = store(2);
                StoredPublishing publishing = publishing(first, second)) {
            context.recording().watchFaults(clock.nanoTime() + INTERVAL_NS + 1);
            final SendLoop loop = loop(publishing);
            for (int interval = 0; interval < 3; interval++) {
                passes(loop);
                clock.advance(INTERVAL_NS);
            }

            assertThat(loop.sentByTopic()).as("in turn").containsExactly(0, 2, 1);
            final AfterFault after =
                    context.recording().deliveries().get(Latencies.STABLE_NS).getFirst();
            assertThat(after.streams()).as("before the fault").isEqualTo(2);
            assertThat(after.first()).as("after it").first().matches(all -> all.streams() == 1);
        }
    }
}

package io.tickmark.workloads.market.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.ItemList;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.publisher.PublisherConnection.PublisherCounts;
import io.tickmark.workloads.market.source.FeedSink;
import io.tickmark.workloads.market.source.SentItem;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PublisherConnectionTest {
    private static final int ITEMS = 3;
    private static final long PATIENCE_NS = 5_000_000_000L;

    /** Time passes with waits and with messages. */
    private final VirtualClock clock = new VirtualClock(1_000_000_000);

    private final TestContext context = new TestContext(1, 1, clock).connectingFor(PATIENCE_NS);
    private final Queue<LoopCounts.Row<PublisherCounts>> rows = new ArrayDeque<>();
    private final FreeHub api = new FreeHub();
    private final PublisherShared shared = shared();
    private final PublisherConnection connection =
            new PublisherConnection(
                    shared,
                    new PublisherConnection.Parts(
                            1, ItemList.own(ITEMS, "--item-count"), api, rows));

    /** A hub that is available, and takes as many images and updates as the test allows. */
    private final class FreeHub implements PublisherApi, FeedSink {
        private int refusesImages;
        private int failsAfterUpdates = Integer.MAX_VALUE;
        private int updates;
        private long posts;
        private long noBuffer;
        private int waits;

        @Override
        public boolean image(final SentItem item, final Tracking tracking) {
            if (refusesImages > 0) {
                refusesImages--;
                noBuffer++;
                return false;
            }
            return true;
        }

        @Override
        public boolean message(
                final SentItem item, final MessageTemplate template, final Tracking tracking) {
            clock.advance(1_000);
            if (updates++ == failsAfterUpdates) {
                throw new IllegalStateException("a message cannot be encoded");
            }
            return true;
        }

        @Override
        public void flush() {}

        @Override
        public void open() {}

        @Override
        public void dispatch(final long nowNs) {}

        @Override
        public void idle(final long forNs) {
            waits++;
            clock.advance(Math.max(1, forNs));
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public FeedSink sink() {
            return this;
        }

        @Override
        public long noBuffer() {
            return noBuffer;
        }

        @Override
        public long loginNs() {
            return 0;
        }

        @Override
        public long posts() {
            return posts;
        }

        @Override
        public String diagnosis() {
            return "";
        }

        @Override
        public void close() {}
    }

    private PublisherShared shared() {
        final PublisherSettings settings =
                Settings.read(
                        PublisherSettings.class,
                        Map.of("itemCount", ITEMS, "updateRate", 1000, "runTime", "5s"),
                        key -> key);
        final FieldDictionary dictionary = FieldDictionary.own();
        context.recording().beginStep(1, "steady state");
        return new PublisherShared(
                settings,
                context,
                new Peer("127.0.0.1", 14_003),
                dictionary,
                MessageFile.own(dictionary));
    }

    @Test
    void shouldNotCountRefusedImagesInTheSteadyState() {
        api.refusesImages = 2;
        connection.publishImages();
        assertThat(shared.failure()).isEmpty();
        assertThat(api.waits).isEqualTo(2);

        shared.startAt(context.clock().nanoTime());
        connection.publishUpdates();
        assertThat(connection.counts().live().images().get()).isEqualTo(ITEMS);
        final PublisherCounts steady = connection.counts().steady();
        assertThat(steady.updates().get()).isPositive();
        assertThat(steady.noBuffer().get()).isZero();
    }

    @Test
    void shouldGiveUpAHubThatTakesNoImage() {
        api.refusesImages = Integer.MAX_VALUE;
        connection.publishImages();
        assertThat(shared.failure())
                .isEqualTo(
                        "The hub at 127.0.0.1:14003 has accepted no image for 5s, and only 0 of 3 before: it no "
                                + "longer reads.");
    }

    @Test
    void shouldReportThePostsThatTheHubPassedOn() {
        api.posts = 4;
        assertThat(new MarketPublisher.PublisherResult(shared, List.of(connection)).metrics())
                .containsEntry("posts", 4L);
    }

    @Test
    void shouldKeepItsFiguresWhereItFails() {
        api.failsAfterUpdates = 5;
        connection.publishImages();
        shared.startAt(context.clock().nanoTime());
        shared.run(List.of(connection::publishUpdates));
        assertThat(shared.failure()).contains("failed because of a defect");
        final PublisherCounts steady = connection.counts().steady();
        assertThat(steady.updates().get()).isEqualTo(5);
        assertThat(steady.steadyNs().get()).isPositive();
        assertThat(rows)
                .hasSize(1)
                .allSatisfy(row -> assertThat(row.counts().updates().get()).isEqualTo(5));
    }
}

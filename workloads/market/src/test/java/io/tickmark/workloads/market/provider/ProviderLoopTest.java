package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.SteadyCost;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.FeedSink;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SentItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ProviderLoopTest {
    private static final int RATE = 1000;
    private static final int TICK_RATE = 1000;
    private static final double E6 = 1e6;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long PATIENCE_NS = 30 * SECOND_NS;

    /** More than images may be apart. */
    private static final long LONG_NS = SECOND_NS / 4;

    private final LocalContext context = new LocalContext(Optional.empty(), PATIENCE_NS, List.of());
    private final Queue<LoopCounts.Row<ProviderCounts>> rows = new ArrayDeque<>();
    private final MessageFile messages = MessageFile.own(FieldDictionary.own());
    private final ProviderShared shared = shared();
    private final OneConsumer api = new OneConsumer();
    private final ProviderLoop loop = new ProviderLoop(shared, api, rows);

    private ProviderShared shared() {
        final ProviderSettings settings =
                Settings.read(ProviderSettings.class, Map.of("runTime", "30s"), key -> key);
        context.recording().beginStep(0, LoopGroup.STARTUP);
        return new ProviderShared(settings, context, FieldDictionary.own(), messages);
    }

    /** Takes images and updates, and other messages unless that is switched off. */
    private static final class Sink implements FeedSink {
        private boolean takesGenerics = true;
        private Predicate<SentItem> takesImages = item -> true;

        @Override
        public boolean image(final SentItem item, final Tracking tracking) {
            return takesImages.test(item);
        }

        @Override
        public boolean message(
                final SentItem item, final MessageTemplate template, final Tracking tracking) {
            return takesGenerics || template.kind() != MessageKind.GENERIC;
        }

        @Override
        public void flush() {}
    }

    private static final class Served extends ServedConsumer {
        private String failure = "";

        Served(final ItemFeed feed, final FeedSink sink, final ProviderCounts counts) {
            super(feed, sink, counts);
        }

        @Override
        void forgetAnswers(final long handle) {}

        @Override
        void sendWaiting() {}

        @Override
        long waitingBytes() {
            return 0;
        }

        @Override
        long noBuffer() {
            return 0;
        }

        @Override
        int buffersInUse() {
            return 0;
        }

        @Override
        String failure() {
            return failure;
        }
    }

    /** One consumer of one item. */
    private final class OneConsumer implements ProviderApi {
        private final LoopCounts<ProviderCounts> counts =
                new LoopCounts<>(ProviderCounts.COLUMNS, 1, context.recording());
        private final Sink sink = new Sink();
        private final Served served =
                new Served(
                        new ItemFeed(
                                context.clock(),
                                new TickBursts(RATE, 0, TICK_RATE, 1),
                                new TickBursts(RATE, 0, TICK_RATE, 1)),
                        sink,
                        counts.live());
        private final SentItem item = new SentItem(1, "A", messages.messages(6), true);
        private final List<Served> connections = new ArrayList<>(List.of(served));
        private Runnable onDispatch = () -> {};

        OneConsumer() {
            served.open(item);
        }

        @Override
        public List<? extends ServedConsumer> connections() {
            return connections;
        }

        @Override
        public boolean dispatch(final long nowNs) {
            onDispatch.run();
            return false;
        }

        @Override
        public void idle(final long forNs) {
            Thread.onSpinWait();
        }

        @Override
        public LoopCounts<ProviderCounts> counts() {
            return counts;
        }

        @Override
        public boolean hasOtherClock() {
            return false;
        }

        @Override
        public void sendRoundTrips() {}

        @Override
        public void close() {}
    }

    @Test
    void shouldKeepItsFiguresWhereItFails() {
        shared.consumerJoined();
        shared.beginSteady();
        api.onDispatch =
                () -> {
                    if (api.served.feed().updatesSent() > 1) { // it counts from the first burst
                        throw new IllegalStateException("a defect");
                    }
                };
        final long beganNs = context.clock().nanoTime();
        assertThatThrownBy(loop::run).hasMessage("a defect");
        final double seconds = (context.clock().nanoTime() - beganNs) / 1e9;

        final ProviderCounts steady = loop.findings().counts().steady();
        assertThat(steady.wantedUpdatesE6().get() / E6)
                .isGreaterThan(0)
                .isLessThanOrEqualTo(RATE * seconds);
        final long updates = steady.updates().get();
        assertThat(updates).isEqualTo(api.served.feed().updatesSent());
        assertThat(rows)
                .singleElement()
                .satisfies(row -> assertThat(row.totals().updates().get()).isEqualTo(updates));
    }

    /** True from a while after the first time that it is so. */
    private BooleanSupplier aWhileAfter(final BooleanSupplier condition) {
        final long[] sinceNs = new long[1];
        return () -> {
            if (sinceNs[0] == 0 && condition.getAsBoolean()) {
                sinceNs[0] = context.clock().nanoTime();
            }
            return sinceNs[0] != 0 && context.clock().nanoTime() - sinceNs[0] > LONG_NS;
        };
    }

    private void endOnceSteady() {
        if (shared.isSteady()) {
            shared.fail("enough");
        }
    }

    @Test
    void shouldBeginNoSteadyStateWhileAnImageFindsNoBuffer() {
        shared.consumerJoined();
        final ItemFeed feed = api.served.feed();
        feed.wantImage(new SentItem(2, "B", messages.messages(6), true), true);
        final BooleanSupplier hasWaited = aWhileAfter(() -> feed.imagesSent() == 1);
        api.sink.takesImages = item -> item == api.item || hasWaited.getAsBoolean();
        final List<Long> imagesAtSteady = new ArrayList<>();
        api.onDispatch =
                () -> {
                    if (shared.isSteady()) {
                        imagesAtSteady.add(feed.imagesSent());
                    }
                    endOnceSteady();
                };
        loop.run();
        assertThat(shared.failure()).isEqualTo("enough");
        assertThat(imagesAtSteady).containsExactly(2L);
    }

    @Test
    void shouldBeginNoSteadyStateWhileAnotherThreadSendsImages() {
        shared.consumerJoined();
        shared.sendsImages(true);
        final BooleanSupplier hasWaited = aWhileAfter(() -> api.served.feed().imagesSent() == 1);
        final List<Boolean> steadyBefore = new ArrayList<>();
        api.onDispatch =
                () -> {
                    if (steadyBefore.isEmpty() && hasWaited.getAsBoolean()) {
                        steadyBefore.add(shared.isSteady());
                        shared.sendsImages(false);
                    }
                    endOnceSteady();
                };
        loop.run();
        assertThat(steadyBefore).containsExactly(false);
        assertThat(shared.failure()).isEqualTo("enough");
    }

    /** Each connection had a turn of its own: the more there were, the later the loop read. */
    @Test
    void shouldReadAfterATurnHoweverManyConnectionsAreBehind() {
        final int tooFast = 1_000_000_000;
        final int count = 8;
        shared.consumerJoined();
        api.connections.clear();
        for (int i = 0; i < count; i++) {
            final ItemFeed feed =
                    new ItemFeed(
                            context.clock(),
                            new TickBursts(tooFast, 0, TICK_RATE, 1),
                            new TickBursts(tooFast, 0, TICK_RATE, 1));
            feed.wantImage(new SentItem(1, "A", messages.messages(6), true), true);
            api.connections.add(new Served(feed, api.sink, api.counts.live()));
        }
        final List<Long> sent = new ArrayList<>();
        api.onDispatch =
                () -> {
                    sent.add(
                            api.connections.stream()
                                    .map(Served::feed)
                                    .mapToLong(feed -> feed.updatesSent() + feed.genericsSent())
                                    .sum());
                    if (sent.size() == 3 * count) {
                        shared.fail("enough");
                    }
                };
        loop.run();

        for (int i = 1; i < sent.size(); i++) {
            assertThat(sent.get(i) - sent.get(i - 1))
                    .isLessThanOrEqualTo(TickBursts.MOST_IN_A_TURN);
        }
        assertThat(api.connections)
                .allSatisfy(each ->
                        assertThat(each.feed().updatesSent())
                                .isPositive()
                                .isEqualTo(each.feed().genericsSent()));
    }

    private StepResult steadyStep() {
        return result(Set.of()).steps().get(1);
    }

    private RoleResult result(final Set<String> asked) {
        api.counts.live().servedNs().set(SECOND_NS);
        final ProviderLoop.Findings findings =
                new ProviderLoop.Findings(
                        api.counts, new SteadyCost(() -> CpuCost.NONE), api.hasOtherClock());
        return new MarketProvider.ProviderResult(shared, List.of(findings), asked)
                .of(context.recording().endStep(), List.of());
    }

    @Test
    void shouldReportUnusedBuffersWhereTheLibraryHasThemAlone() {
        shared.consumerJoined();
        shared.beginSteady();
        api.counts.beginSteady();

        assertThat(result(Set.of(ProviderCounts.BUFFERS)).metrics())
                .containsKey("mostBuffersInUse");
        assertThat(result(Set.of()).metrics()).doesNotContainKey("mostBuffersInUse");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailTheRowWhereItsGenericMessagesAreNotSent(final boolean takesGenerics) {
        shared.consumerJoined();
        shared.beginSteady();
        api.counts.beginSteady();
        final ServedConsumer served = api.served;
        served.sendImages(1);
        served.sendBursts(SECOND_NS, TickBursts.MOST_IN_A_TURN);
        served.beginSteady(SECOND_NS);
        api.sink.takesGenerics = takesGenerics;
        served.sendBursts(2 * SECOND_NS - 1, TickBursts.MOST_IN_A_TURN);
        served.leave(2 * SECOND_NS);
        served.settle();

        final List<String> reasons = steadyStep().reasons();
        if (takesGenerics) {
            assertThat(reasons).isEmpty();
        } else {
            assertThat(reasons)
                    .containsExactly(
                            "The provider sent 1 generic messages/s of the requested 1000/s; either it sends too "
                                    + "slowly, or the consumer reads too slowly.");
        }
    }

    /** What is not asked for cannot be missing from the rate that was held. */
    @Test
    void shouldWantNoUpdatesWhileNoItemIsOpen() {
        final ServedConsumer served = api.served;
        served.sendImages(1);
        served.sendBursts(SECOND_NS, TickBursts.MOST_IN_A_TURN);
        served.beginSteady(SECOND_NS);
        served.close(api.item.handle(), 2 * SECOND_NS);
        assertThat(served.isCounted()).isFalse();
        assertThat(api.counts.live().wantedUpdatesE6().get() / E6).isEqualTo(RATE);

        served.feed().wantImage(new SentItem(2, "B", messages.messages(6), true), true);
        served.sendImages(1);
        served.joinSteady(60 * SECOND_NS);
        assertThat(served.isCounted()).isFalse();
        served.sendBursts(60 * SECOND_NS, TickBursts.MOST_IN_A_TURN);
        served.joinSteady(60 * SECOND_NS);
        served.leave(61 * SECOND_NS);
        assertThat(api.counts.live().wantedUpdatesE6().get() / E6).isEqualTo(2 * RATE);
    }

    @Test
    void shouldEndWhereTheLibraryTakesMessagesNoMore() {
        shared.consumerJoined();
        api.served.failure = "not like this";
        loop.run();
        assertThat(shared.failure()).isEqualTo("A message cannot be sent: not like this.");
    }
}

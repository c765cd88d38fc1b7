package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.ItemList;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.OtherClock;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ConsumerConnectionTest {
    private static final int ITEMS = 2;

    private final LocalContext context =
            new LocalContext(Optional.empty(), 10_000_000_000L, List.of());
    private final Queue<LoopCounts.Row<ConsumerCounts>> rows = new ArrayDeque<>();
    private final List<Long> userIds = new ArrayList<>();
    private final List<ItemIntake> intakes = new ArrayList<>();
    private final ConsumerShared shared = shared();
    private boolean isClosed;

    private ConsumerShared shared() {
        final ConsumerSettings settings =
                Settings.read(ConsumerSettings.class, Map.of("itemCount", ITEMS), key -> key);
        context.recording().beginStep(0, LoopGroup.STARTUP);
        return new ConsumerShared(
                settings,
                context,
                new Peer("127.0.0.1", 1),
                FieldDictionary.own(),
                new OtherClock(false));
    }

    private ConsumerConnection connection(final Runnable onDispatch) {
        final ConsumerApi api =
                (ConsumerApi)
                        Proxy.newProxyInstance(
                                ConsumerApi.class.getClassLoader(),
                                new Class<?>[] {ConsumerApi.class},
                                (proxy, method, arguments) -> {
                                    switch (method.getName()) {
                                        case "dispatch" -> onDispatch.run();
                                        case "close" -> isClosed = true;
                                        default -> {}
                                    }
                                    return switch (method.getName()) {
                                        case "phase" ->
                                                arguments == null ? ConsumerApi.Phase.LOGIN : null;
                                        case "isReady", "asksAgain" -> false;
                                        case "loginNs", "libraryThread" -> 0L;
                                        default -> null;
                                    };
                                });
        return new ConsumerConnection(
                shared,
                new ConsumerConnection.Parts(
                        1,
                        ItemList.own(ITEMS, "--item-count"),
                        new ConsumerConnection.Share(1, 1),
                        new ConsumerConnection.Share(1, 1),
                        (items, intake, ownUserId) -> {
                            userIds.add(ownUserId);
                            intakes.add(intake);
                            return api;
                        },
                        rows,
                        LatencyListener.NONE));
    }

    /** Those of other processes and hosts are numbered alike, and so may be their processes. */
    @Test
    void shouldNotTakeThePostsOfAnotherConsumerForItsOwn() {
        connection(() -> {});
        connection(() -> {});
        assertThat(userIds).doesNotHaveDuplicates().allMatch(id -> id >= 0 && id < 1L << 32);
    }

    @Test
    void shouldKeepItsFiguresWhereItFails() {
        final ConsumerConnection connection =
                connection(() -> {
                    intakes.getFirst().garbled();
                    throw new IllegalStateException("a defect");
                });
        final long beganNs = context.clock().nanoTime();
        assertThatThrownBy(connection::run).hasMessage("a defect");
        assertThat(connection.findings().times().endNs())
                .isEqualTo(connection.findings().times().steadyNs())
                .isBetween(beganNs, context.clock().nanoTime());
        assertThat(rows)
                .singleElement()
                .satisfies(row -> assertThat(row.counts().garbled().get()).isEqualTo(1));
        assertThat(isClosed).isTrue();
    }

    @Test
    void shouldWarnOfPostsThatTheProviderRefuses() {
        final ConsumerConnection connection =
                connection(() -> {
                    intakes.getFirst().acknowledged(true);
                    intakes.getFirst().acknowledged(false);
                    shared.end();
                });
        connection.run();
        assertThat(
                        new MarketConsumer.ConsumerResult(
                                        shared,
                                        new OtherClock(false),
                                        List.of(connection.findings()))
                                .of(context.recording().endStep(), List.of())
                                .warnings())
                .contains("1 post was refused by the provider.");
    }
}

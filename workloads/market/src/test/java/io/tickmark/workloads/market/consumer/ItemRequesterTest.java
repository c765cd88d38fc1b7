package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.consumer.ConsumerConnection.ItemRequester;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.measure.TickBursts;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ItemRequesterTest {
    private static final int ITEMS = 95;
    private static final int TICKS_PER_SECOND = 1000;
    private static final int BURST = 10;

    private final List<Integer> requested = new ArrayList<>();
    private boolean hasBuffers = true;

    private final ConsumerLine line =
            (ConsumerLine)
                    Proxy.newProxyInstance(
                            ConsumerLine.class.getClassLoader(),
                            new Class<?>[] {ConsumerLine.class},
                            (proxy, method, arguments) ->
                                    method.getName().equals("request")
                                            ? request((int) arguments[0])
                                            : null);

    private boolean request(final int index) {
        if (hasBuffers) {
            requested.add(index);
        }
        return hasBuffers;
    }

    private static ItemRequester requester() {
        return requester(items());
    }

    private static WatchedItems items() {
        final List<Item> items =
                IntStream.range(0, ITEMS)
                        .mapToObj(number -> new Item(6, "ITEM" + number, false, false, false))
                        .toList();
        return new WatchedItems(items);
    }

    private static ItemRequester requester(final WatchedItems items) {
        final ItemRequester requester =
                new ItemRequester(
                        items,
                        new TickBursts((long) BURST * TICKS_PER_SECOND, 0, TICKS_PER_SECOND, 1),
                        false);
        requester.start(0);
        return requester;
    }

    @Test
    void shouldCatchUpBurstByBurst() {
        final ItemRequester requester = requester();
        final long lateNs = TimeUnit.SECONDS.toNanos(1);

        for (int turn = 1; turn <= ITEMS / BURST; turn++) {
            assertThat(requester.send(line, lateNs)).isEqualTo(BURST);
            assertThat(requester.nextTickNs()).as("not to be waited for").isLessThan(lateNs);
        }
        assertThat(requester.send(line, lateNs)).isEqualTo(ITEMS % BURST);

        assertThat(requester.isDone()).isTrue();
        assertThat(requested).isEqualTo(IntStream.range(0, ITEMS).boxed().toList());
    }

    @Test
    void shouldAskAgainForWhatIsNotAnswered() {
        final WatchedItems items = items();
        final ItemRequester requester = requester(items);
        final long timeoutNs = TimeUnit.SECONDS.toNanos(2);
        requester.send(line, 0);
        for (int index = 0; index < BURST; index++) {
            if (index != 3 && index != 7) {
                items.answer(index);
            }
        }
        assertThat(requester.repeat(line, timeoutNs - 1, timeoutNs)).isZero();
        requested.clear();
        assertThat(requester.repeat(line, 2 * timeoutNs, timeoutNs)).isEqualTo(2);
        assertThat(requested).containsExactly(3, 7);
        assertThat(requester.repeat(line, 3 * timeoutNs - 1, timeoutNs)).isZero();
        assertThat(requester.repeat(line, 4 * timeoutNs, 0)).as("switched off").isZero();
    }

    @Test
    void shouldSendNothingBeforeItsTick() {
        final ItemRequester requester = requester();

        assertThat(requester.send(line, 0)).isEqualTo(BURST);
        assertThat(requester.send(line, 0)).isZero();
        assertThat(requester.nextTickNs()).isEqualTo(1_000_000);
    }

    @Test
    void shouldGoOnWithWhatFoundNoBuffer() {
        final ItemRequester requester = requester();
        hasBuffers = false;
        assertThat(requester.send(line, 0)).isZero();

        hasBuffers = true;
        assertThat(requester.send(line, 0)).isEqualTo(BURST);
    }
}

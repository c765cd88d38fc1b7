package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.OmmProvider;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.ItemFeed;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

class EmaServedTest {
    private static final int SNAPSHOTS = 100;

    private final NanoClock clock = () -> 1;
    private final FieldDictionary dictionary = FieldDictionary.own();
    private final MessageFile.Messages messages = MessageFile.own(dictionary).messages(6);
    private final List<Object> handles = new ArrayList<>();
    private final ProviderTotals totals = new ProviderTotals();
    private final EmaServed served =
            EmaServed.of(
                    new ItemFeed(
                            clock, new TickBursts(100, 0, 100, 1), new TickBursts(0, 0, 100, 1)),
                    provider(),
                    new EmaContent(dictionary, TimeUnit.NANOSECONDS),
                    1,
                    new EncodeTime(clock, null),
                    totals);

    private OmmProvider provider() {
        return (OmmProvider)
                Proxy.newProxyInstance(
                        OmmProvider.class.getClassLoader(),
                        new Class<?>[] {OmmProvider.class},
                        (proxy, method, arguments) -> {
                            handles.add(arguments[1]);
                            return null;
                        });
    }

    @Test
    void shouldSubmitToTheHandlesThatWereAskedWith() {
        served.request(5_000_000_007L, "A", messages, true);
        served.sendImages(1);
        served.sendBursts(1);
        assertThat(handles).containsExactly(5_000_000_007L, 5_000_000_007L);
    }

    /** The library, which ends their streams by itself, calls nobody. */
    @Test
    void shouldForgetSnapshotsOnceTheyAreSent() {
        served.request(1, "A", messages, true);
        for (long handle = 2; handle < 2 + SNAPSHOTS; handle++) {
            served.request(handle, "B", messages, false);
            served.generic(handle, 1);
            served.sendImages(2);
        }
        assertThat(served.feed().imagesSent()).isEqualTo(1 + SNAPSHOTS);
        assertThat(served.items()).isEqualTo(2);
    }

    @Test
    void shouldSendNoSnapshotThatWasClosedBeforeItsTurn() {
        served.request(1, "A", messages, false);
        served.close(1, clock.nanoTime());
        served.request(2, "B", messages, false);
        served.sendImages(2);
        assertThat(handles).containsExactly(2L);
    }

    @Test
    void shouldKeepNoNumbersOfStreamsThatAreNotOpen() {
        served.generic(1, 1);
        served.generic(1, 5);
        served.settle();
        assertThat(totals.genericsLost).isZero();
    }
}

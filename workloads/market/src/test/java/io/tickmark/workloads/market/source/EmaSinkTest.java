package io.tickmark.workloads.market.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.Tracking;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class EmaSinkTest {
    private static final long FILLING_NS = 1000;

    private final AtomicLong nowNs = new AtomicLong(1);

    /** Each look takes a while. */
    private final NanoClock clock = () -> nowNs.addAndGet(FILLING_NS);

    /** Takes a second for each message, as one whose socket is full. */
    private final OmmProvider slow =
            (OmmProvider)
                    Proxy.newProxyInstance(
                            OmmProvider.class.getClassLoader(),
                            new Class<?>[] {OmmProvider.class},
                            (proxy, method, arguments) -> {
                                nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
                                return null;
                            });

    @Test
    void shouldTimeTheFillingOfMessagesAndNotTheirSubmission() {
        final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        final EncodeTime encodeTime = new EncodeTime(clock, recording.latency("encodeNs"));
        recording.beginStep(0, "test");
        final FieldDictionary dictionary = FieldDictionary.own();
        final MessageFile.Messages messages =
                MessageFile.own(dictionary).messages(DomainTypes.MARKET_PRICE);
        final EmaSink sink =
                new EmaSink(
                        slow,
                        new EmaContent(dictionary, TimeUnit.NANOSECONDS),
                        1,
                        streamId -> streamId,
                        encodeTime);
        final FedItem item = new FedItem(7, "ITEM", messages, true);
        final Tracking tracking = new Tracking().plain(1);
        assertThat(sink.message(item, messages.updates().getFirst(), tracking)).isTrue();
        assertThat(sink.message(item, messages.generics().getFirst(), tracking)).isTrue();

        final Histogram times = recording.endStep().latencies().get("encodeNs");
        assertThat(times.getTotalCount()).isEqualTo(2);
        assertThat(times.getMaxValue()).isEqualTo(FILLING_NS);
        recording.close();
    }
}

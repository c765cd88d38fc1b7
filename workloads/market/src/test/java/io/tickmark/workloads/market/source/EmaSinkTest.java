package io.tickmark.workloads.market.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.OmmInvalidUsageException.ErrorCode;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.EmaRefusals;
import io.tickmark.workloads.market.rssl.EmaRefusalsTest;
import java.lang.reflect.InvocationHandler;
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

    private final FieldDictionary dictionary = FieldDictionary.own();
    private final MessageFile.Messages messages =
            MessageFile.own(dictionary).messages(DomainTypes.MARKET_PRICE);
    private final SentItem item = new SentItem(7, "ITEM", messages, true);
    private final Tracking tracking = new Tracking().plain(1);

    private static OmmProvider provider(final InvocationHandler submit) {
        return (OmmProvider)
                Proxy.newProxyInstance(
                        OmmProvider.class.getClassLoader(),
                        new Class<?>[] {OmmProvider.class},
                        submit);
    }

    private EmaSink sink(final OmmProvider provider, final EncodeTime encodeTime) {
        return new EmaSink(
                provider,
                new EmaContent(dictionary, TimeUnit.NANOSECONDS),
                1,
                streamId -> streamId,
                encodeTime);
    }

    @Test
    void shouldTimeTheFillingOfMessagesAndNotTheirSubmission() {
        final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        final EncodeTime encodeTime = new EncodeTime(clock, recording.latency("encodeNs"));
        recording.beginStep(0, "test");
        final EmaSink sink =
                sink(
                        provider((proxy, method, arguments) -> { // as one whose socket is full
                            nowNs.addAndGet(EmaRefusals.LASTING_NS);
                            return null;
                        }),
                        encodeTime);
        assertThat(sink.message(item, messages.updates().getFirst(), tracking)).isTrue();
        assertThat(sink.message(item, messages.generics().getFirst(), tracking)).isTrue();

        final Histogram times = recording.endStep().latencies().get("encodeNs");
        assertThat(times.getTotalCount()).isEqualTo(2);
        assertThat(times.getMaxValue()).isEqualTo(FILLING_NS);
        recording.close();
    }

    @Test
    void shouldCountWantOfBuffersAlone() {
        final EmaSink sink =
                sink(
                        provider((proxy, method, arguments) -> {
                            throw arguments[0] instanceof RefreshMsg
                                    ? EmaRefusalsTest.refusal(ErrorCode.NO_BUFFERS, "no buffers")
                                    : EmaRefusalsTest.refusal(ErrorCode.FAILURE, "gone");
                        }),
                        new EncodeTime(clock, null));
        assertThat(sink.image(item, tracking)).isFalse();
        assertThat(sink.message(item, messages.updates().getFirst(), tracking)).isFalse();
        assertThat(sink.message(item, messages.generics().getFirst(), tracking)).isFalse();
        assertThat(sink.noBuffer()).isEqualTo(1);
        assertThat(sink.failure()).isEmpty();
    }

    /** It would hold all images that wait behind it for ever. */
    @Test
    void shouldSayWhyAnImageIsRefusedWhileUpdatesAreTaken() {
        final EmaSink sink =
                sink(
                        provider((proxy, method, arguments) -> {
                            if (arguments[0] instanceof RefreshMsg) {
                                throw EmaRefusalsTest.refusal(ErrorCode.FAILURE, "not like this");
                            }
                            return null;
                        }),
                        new EncodeTime(clock, null));
        assertThat(sink.image(item, tracking)).isFalse();
        nowNs.addAndGet(EmaRefusals.LASTING_NS);
        assertThat(sink.message(item, messages.updates().getFirst(), tracking)).isTrue();
        assertThat(sink.failure()).isEmpty();
        assertThat(sink.image(item, tracking)).isFalse();
        assertThat(sink.failure()).isEqualTo("not like this");
        assertThat(sink.noBuffer()).isZero();
    }
}

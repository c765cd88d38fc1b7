package io.tickmark.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.role.TestContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoopCountsTest {
    private final TestContext context = new TestContext(1, 1);
    private final LoopCounts<Sample> loop =
            new LoopCounts<>(Columns.of(Sample.class), 2, context.recording());
    private final Sample live = loop.live();

    record Sample(
            @Column(recorded = "sent") Counter sent,
            @Column Timings latency,
            @Column(isLargest = true) Counter longestNs) {}

    @Test
    void shouldDivideWhatItCountsIntoIntervals() {
        live.sent().add(3); // before the first interval begins
        loop.beginIntervals(100);
        live.sent().add(2);
        live.latency().add(5000);
        final LoopCounts.Row<Sample> first = loop.takeInterval(150);
        assertThat(first.number()).isEqualTo(2);
        assertThat(first.endNs()).isEqualTo(150);
        assertThat(first.lengthNs()).isEqualTo(50);
        assertThat(first.counts().sent().get()).isEqualTo(5);
        assertThat(first.counts().latency().count()).isEqualTo(1);

        live.sent().add(4);
        live.longestNs().set(7);
        final LoopCounts.Row<Sample> second = loop.takeInterval(250);
        assertThat(second.lengthNs()).isEqualTo(100);
        assertThat(second.counts().sent().get()).isEqualTo(4);
        assertThat(second.counts().latency().count()).isZero();
        assertThat(second.counts().longestNs().get()).isEqualTo(7);
        assertThat(second.totals().sent().get()).isEqualTo(9);
        assertThat(first.counts().sent().get()).isEqualTo(5); // a row is not changed
    }

    @Test
    void shouldTellTheStartFromTheSteadyStateWhateverTheIntervals() {
        live.sent().add(3);
        live.latency().add(5000);
        assertThat(loop.startup().sent().get()).isEqualTo(3);
        assertThat(loop.steady().sent().get()).isZero();

        loop.beginSteady();
        live.sent().add(10);
        live.latency().add(1000);
        live.latency().add(1000);
        assertThat(loop.takeInterval(10).counts().latency().count()).isEqualTo(3);
        assertThat(loop.startup().sent().get()).isEqualTo(3);
        assertThat(loop.startup().latency().maxUs()).isEqualTo(5);
        assertThat(loop.steady().sent().get()).isEqualTo(10);
        assertThat(loop.steady().latency().count()).isEqualTo(2);
        assertThat(loop.steady().latency().maxUs()).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatItDidToWarmUp() {
        live.sent().add(3);
        live.latency().add(5000);
        loop.clear();
        assertThat(loop.startup().sent().get()).isZero();
        assertThat(loop.startup().latency().count()).isZero();
    }

    @Test
    void shouldCountForTheRecordingUnderTheNumberOfTheLoop() {
        live.sent().add(3);
        assertThat(context.recording().counter("sent-2").get()).isEqualTo(3);
    }

    @Test
    void shouldJoinTheLatenciesOfAllLoops() {
        final Map<String, Histogram> byLoop = new LinkedHashMap<>();
        for (final String name : new String[] {"serviceNs", "decodeNs", "serviceNs-2"}) {
            final Histogram histogram = new Histogram(3);
            histogram.recordValue(5);
            byLoop.put(name, histogram);
        }
        assertThat(LoopCounts.joined(byLoop)).containsOnlyKeys("serviceNs", "decodeNs");
        assertThat(LoopCounts.joined(byLoop).get("decodeNs").getTotalCount()).isEqualTo(1);
    }
}

package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.lab.verdict.HostClockRule;
import io.tickmark.wire.match.WireFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge knows figures of the wire by name alone. */
class WireClocksTest {
    private static final String STREAM = "stream";
    private static final String LATENCY = "latency";

    @Test
    void shouldKnowWhichFiguresAreFromTheClockOfASenderToThatOfTheCapture() {
        for (final String workload : List.of(STREAM, LATENCY)) {
            assertThat(HostClockRule.isOneWay(workload, WireFigures.INTENDED_TO_WIRE_NS)).isTrue();
            assertThat(HostClockRule.isOneWay(workload, WireFigures.SENT_TO_WIRE_NS)).isTrue();
            assertThat(HostClockRule.isOneWay(workload, WireFigures.ROUND_TRIP_NS)).isFalse();
            assertThat(HostClockRule.isOneWay(workload, WireFigures.EACH_COPY_NS)).isFalse();
            assertThat(HostClockRule.isOneWay(workload, Latencies.SEND_NS)).isFalse();
        }
    }

    @Test
    void shouldTakeWhatTheApplicationMeasuredOfRoundTripsForOneClock() {
        for (final String name :
                List.of(
                        WireFigures.APPLICATION_NS,
                        WireFigures.SAME_ON_WIRE_NS,
                        WireFigures.APPLICATION_MINUS_WIRE_NS,
                        Latencies.RESPONSE_NS,
                        Latencies.SERVICE_NS + "-2")) {
            assertThat(HostClockRule.isOneWay(STREAM, name)).as(name).isTrue();
            assertThat(HostClockRule.isOneWay(LATENCY, name)).as(name).isFalse();
        }
        assertThat(HostClockRule.isOneWay(STREAM, "postResponseNs")).isFalse();
    }
}

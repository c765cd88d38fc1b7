package io.tickmark.workloads.feed.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.Deliveries.AfterFault;
import io.tickmark.kernel.record.Deliveries.FirstMessages;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which messages belong to the measured time, and which are timed, on this clock and on another.
 */
class TallyTest {
    private static final long FROM_NS = 1_000_000;
    private static final long TO_NS = 2_000_000;

    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
    private final Tally tally = new Tally(recording);
    private final Client.ClientSession session = new Client.ClientSession(tally);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);

    private void hello(final String host, final long epochNs) {
        recording.beginStep(0, "it");
        session.onNote(
                "{\"note\":\"hello\",\"session\":\"ab\",\"epochNs\":%d,\"host\":\"%s\"}"
                        .formatted(epochNs, host),
                0);
        tally.measure(FROM_NS, TO_NS);
    }

    private void message(final long intendedNs, final long nowNs) {
        Tick.times(message, 0, intendedNs, 50);
        tally.message(0, message, 0, nowNs);
    }

    @Test
    void shouldTimeWhatWasWantedInTheMeasuredTime() {
        hello(HostId.text(), 400_000);
        message(599_999, FROM_NS + 100);
        message(600_000, FROM_NS + 100);
        message(1_599_999, TO_NS + 100);
        message(1_600_000, TO_NS + 100);
        assertThat(tally.received()).isEqualTo(2);
        assertThat(recording.counter(Counts.RECEIVED).get()).isEqualTo(2);
        final StepRecording step = recording.endStep();
        assertThat(step.latencies().get(Latencies.RESPONSE_NS).getMaxValue()).isEqualTo(101);
        assertThat(step.latencies().get(Latencies.SERVICE_NS).getMaxValue()).isEqualTo(51);
    }

    /** How long it took to the server is not known. */
    @Test
    void shouldRecordNoResponseTimeWhereTheSourceHasAnotherClockThanTheServer() {
        hello(HostId.text(), 0);
        Tick.times(message, 0, FROM_NS, Tick.NO_LAG);
        tally.message(0, message, 0, FROM_NS + 700);
        Tick.times(message, 0, FROM_NS - 1, Tick.NO_LAG);
        tally.message(0, message, 0, FROM_NS + 700);
        assertThat(tally.received()).isEqualTo(1);
        assertThat(tally.counts().fromArrival().get()).isEqualTo(1);
        final StepRecording step = recording.endStep();
        assertThat(step.latencies()).containsOnlyKeys(Latencies.SERVICE_NS);
        assertThat(step.latencies().get(Latencies.SERVICE_NS).getMaxValue()).isEqualTo(700);
    }

    /** The lag was cut to 4.29 s, and what it was longer counted as service time. */
    @ParameterizedTest
    @ValueSource(longs = {Tick.MAX_LAG_NS + 1, 5_000_000_000L, 60_000_000_000L, Tick.LONG_LAG})
    void shouldRecordNoServiceTimeBehindALagThatIsLongerThanItsField(final long lagNs) {
        hello(HostId.text(), 0);
        Tick.times(message, 0, FROM_NS, lagNs);
        tally.message(0, message, 0, FROM_NS + 61_000_000_000L);
        Tick.times(message, 0, FROM_NS - 1, lagNs);
        tally.message(0, message, 0, FROM_NS + 61_000_000_000L);
        Tick.times(message, 0, FROM_NS, Tick.MAX_LAG_NS);
        tally.message(0, message, 0, FROM_NS + Tick.MAX_LAG_NS + 700);
        assertThat(tally.received()).isEqualTo(2);
        assertThat(tally.counts().lagTooLong().get()).isEqualTo(1);
        assertThat(tally.counts().fromArrival().get()).isZero();
        final StepRecording step = recording.endStep();
        assertThat(step.latencies().get(Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(2);
        assertThat(step.latencies().get(Latencies.SERVICE_NS).getTotalCount()).isEqualTo(1);
        assertThat(step.latencies().get(Latencies.SERVICE_NS).getMaxValue()).isEqualTo(700);
    }

    private void flushed(final long nowNs, final long flushes, final long late) {
        session.onNote(
                "{\"note\":\"status\",\"flushes\":%d,\"lateFlushes\":%d}".formatted(flushes, late),
                nowNs);
    }

    private void assertFlushed(final long flushes, final long late) {
        assertThat(session.flushed().flushes()).isEqualTo(flushes);
        assertThat(session.flushed().late()).isEqualTo(late);
    }

    @Test
    void shouldCountTheFlushesThatTheServerReportsInTheMeasuredTime() {
        hello(HostId.text(), 0);
        flushed(FROM_NS - 1, 100, 50);
        flushed(FROM_NS, 110, 60);
        flushed(TO_NS - 1, 210, 65);
        flushed(TO_NS, 300, 99);
        assertFlushed(100, 5);
    }

    /** The server reports once a second, and at the end of a session. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountTheFlushesBetweenTheNearestReportsWhereItHasTooFew(final boolean hasOne) {
        hello(HostId.text(), 0);
        flushed(FROM_NS - 2, 90, 50);
        flushed(FROM_NS - 1, 100, 50);
        if (hasOne) {
            flushed(FROM_NS, 110, 60);
        }
        flushed(TO_NS, 150, 62);
        flushed(TO_NS + 1, 400, 99);
        assertFlushed(hasOne ? 40 : 50, hasOne ? 2 : 12);
    }

    /** One client that got through at once had hidden the others of its thread. */
    @Test
    void shouldTellTheClientsOfAThreadApart() {
        recording.watchFaults(FROM_NS + 100);
        assertThat(tally.newClient()).isEqualTo(1);
        hello(HostId.text(), 400_000);
        Tick.times(message, 0, FROM_NS - 400_000, 0);
        tally.message(0, message, 0, FROM_NS + 10);
        tally.message(1, message, 0, FROM_NS + 10);
        Tick.times(message, 0, FROM_NS - 400_000 + 100, 0);
        tally.message(1, message, 0, FROM_NS + 110);
        tally.message(0, message, 0, FROM_NS + 500_000);

        assertThat(recording.deliveries().get(Latencies.RESPONSE_NS))
                .containsExactly(
                        new AfterFault(
                                0,
                                2,
                                0,
                                List.of(
                                        new FirstMessages(
                                                FROM_NS + 100,
                                                FROM_NS + 100,
                                                FROM_NS + 500_000,
                                                2))));
    }

    /** The clock there may be years away: nothing would be of the measured time. */
    @Test
    void shouldCountWhatComesInTheMeasuredTimeFromAnotherHostAndTimeNothing() {
        hello("0123456789abcdef", 7_000_000_000_000_000L);
        assertThat(tally.isOnServersClock()).isFalse();
        message(5, FROM_NS - 1);
        message(5, FROM_NS);
        message(5, TO_NS - 1);
        message(5, TO_NS);
        assertThat(tally.received()).isEqualTo(2);
        assertThat(recording.endStep().latencies()).isEmpty();
    }
}

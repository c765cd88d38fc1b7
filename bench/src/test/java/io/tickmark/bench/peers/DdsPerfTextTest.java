package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.bench.contest.NotMeasured;
import org.junit.jupiter.api.Test;

class DdsPerfTextTest {
    @Test
    void shouldDoubleTheHalfRoundTripsAndLeaveOutTheFirstSecond() {
        assertThat(
                        DdsContest.DdsPerfText.medianRoundTripNs(
                                """
                                [1] 1.000  vm:2 size 64 mean 9.0us min 6.5us 50% 9.000us 90% 7.4us
                                [1] 2.000  vm:2 size 64 mean 7.2us min 6.5us 50% 6.859us 90% 7.4us
                                """))
                .isEqualTo(13_718);
    }

    @Test
    void shouldTakeWholeSecondsOnly() {
        assertThat(
                        DdsContest.DdsPerfText.receivedPerSecond(
                                """
                                [1] 1.000  size 64 total 5 lost 0 delta 5 lost 0 rate 0.50 kS/s
                                [1] 2.000  size 64 total 9 lost 0 delta 4 lost 0 rate 1076.64 kS/s
                                [1] 3.000  size 64 total 9 lost 0 delta 4 lost 0 rate 0.10 kS/s
                                """))
                .isEqualTo(1_076_640);
    }

    @Test
    void shouldSayThatNothingWasPrinted() {
        assertThatThrownBy(() -> DdsContest.DdsPerfText.medianRoundTripNs(""))
                .isInstanceOf(NotMeasured.class);
        assertThatThrownBy(() -> DdsContest.DdsPerfText.receivedPerSecond(""))
                .isInstanceOf(NotMeasured.class);
    }
}

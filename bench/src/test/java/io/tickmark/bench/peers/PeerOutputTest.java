package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.bench.contest.NotMeasured;
import org.junit.jupiter.api.Test;

final class PeerOutputTest {
    private static final String C_LINE =
            "tool=udp_pingpong size=64 lost=0 count=20000 min_ns=4226 p50_ns=4556 p99_ns=5989 max_ns=112007119\n";

    private static final String SOCKPERF =
            """
            sockperf: \u001b[2;35mTotal 1339 observations\u001b[0m; each percentile contains 13.39 observations
            sockperf: ---> <MAX> observation = 64821.938
            sockperf: ---> percentile 99.999 = 64821.938
            sockperf: ---> percentile 90.000 =    2.949
            sockperf: ---> percentile 50.000 =    2.709
            sockperf: ---> <MIN> observation =    2.523
            """;

    private static final String SOCKET =
            "   42: 0100007F:464F 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1234 2";

    @Test
    void shouldReadAFigureOfACProgram() {
        assertThat(FigureLine.figure(C_LINE, "p50_ns")).isEqualTo(4556);
    }

    @Test
    void shouldFindTheLineOfFiguresAmongOthers() {
        assertThat(FigureLine.figure("warning: x\n" + C_LINE + "bye\n", "lost")).isZero();
    }

    @Test
    void shouldNotTakeAKeyForAnotherThatEndsLikeIt() {
        assertThatThrownBy(() -> FigureLine.figure(C_LINE, "50_ns"))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("50_ns");
    }

    @Test
    void shouldSayWhatWasThereInsteadOfAFigure() {
        assertThatThrownBy(() -> FigureLine.figure("tool=shm_pingpong count=0", "p50_ns"))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("count=0");
        assertThatThrownBy(() -> FigureLine.figure("tool=x p50_ns=many", "p50_ns"))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("p50_ns=many");
    }

    @Test
    void shouldDoubleTheHalfRoundTripsOfSockperf() {
        assertThat(Sockperf.SockperfText.medianRoundTripNs(SOCKPERF)).isEqualTo(5418);
    }

    @Test
    void shouldSayThatSockperfHasNoMedian() {
        assertThatThrownBy(() ->
                        Sockperf.SockperfText.medianRoundTripNs("sockperf: No valid observations"))
                .isInstanceOf(NotMeasured.class);
    }

    @Test
    void shouldSeeWhoListensOnAPort() {
        assertThat(UdpPorts.isBoundTo(SOCKET, 0x464F)).isTrue();
        assertThat(UdpPorts.isBoundTo(SOCKET, 0x464E)).isFalse();
        assertThat(UdpPorts.isBoundTo("  sl  local_address rem_address", 0x464F)).isFalse();
    }
}

package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BoundedCloseTest {
    private static final long USUAL_NS = TimeUnit.SECONDS.toNanos(5);

    private long nowNs = Long.MAX_VALUE - USUAL_NS;
    private final BoundedClose.Silence silence = new BoundedClose.Silence(() -> nowNs);

    private long waitInVain() {
        final long beganNs = nowNs;
        final long waitedNs = silence.longestNs(USUAL_NS, beganNs);
        nowNs += waitedNs;
        silence.note(beganNs);
        return waitedNs;
    }

    /** After fifteen seconds a role counts as hung. */
    @Test
    void shouldNotAddUpTheWaitsForASilentServer() {
        assertThat(waitInVain()).isEqualTo(USUAL_NS);
        assertThat(waitInVain()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));

        final long startNs = nowNs;
        for (int wait = 0; wait < 3 * 150; wait++) {
            waitInVain();
        }
        assertThat(nowNs - startNs).isLessThan(TimeUnit.SECONDS.toNanos(8));
    }

    /** Also where ends were closed meanwhile: their servers may only have needed longer. */
    @Test
    void shouldWaitAsUsualTenSecondsLater() {
        waitInVain();
        nowNs += TimeUnit.SECONDS.toNanos(9);
        assertThat(waitInVain()).isLessThan(USUAL_NS);

        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertThat(silence.longestNs(USUAL_NS, nowNs)).isEqualTo(USUAL_NS);
        assertThat(silence.longestNs(1, nowNs)).isOne();
    }

    /** It began within the ten seconds and ended after them. */
    @Test
    void shouldNotTakeABriefWaitForASilence() {
        waitInVain();
        nowNs += TimeUnit.MILLISECONDS.toNanos(9_995);
        assertThat(waitInVain()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));

        assertThat(waitInVain()).isEqualTo(USUAL_NS);
    }

    /** One that was started again was waited for as briefly as the one that had been silent. */
    @Test
    void shouldWaitAsUsualOnceAServerHasAnswered() {
        waitInVain();
        silence.forget();

        assertThat(waitInVain()).isEqualTo(USUAL_NS);
        assertThat(waitInVain()).isLessThan(USUAL_NS);
    }

    @Test
    void shouldNotTakeALaterSilenceForTheFirst() {
        waitInVain();
        nowNs += TimeUnit.SECONDS.toNanos(60);
        waitInVain();

        assertThat(waitInVain()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }
}

package io.tickmark.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    @Test
    void shouldBoundTheTrueOffsetWhateverTheWaysTake() {
        final SplittableRandom random = new SplittableRandom(7);
        for (int run = 0; run < 1_000; run++) {
            final long offsetNs = random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
            final double drift = random.nextDouble(-50e-6, 50e-6);
            final ClockOffset.Estimator estimator = new ClockOffset.Estimator();
            long nowNs = 1_000;
            for (int i = 0; i < 200; i++) {
                final long thereNs = 2_000 + random.nextLong(100_000);
                final long remoteNs = nowNs + thereNs;
                final long backNs = 2_000 + random.nextLong(10_000);
                final long inRemoteNs = remoteNs + offsetNs + (long) (drift * (remoteNs - 1_000));
                estimator.add(nowNs, inRemoteNs, inRemoteNs + 300, remoteNs + 300 + backNs);
                nowNs = remoteNs + 300 + backNs;
            }
            final ClockOffset found = estimator.estimate();
            assertThat(Math.abs(found.offsetNs() - offsetNs)).isLessThanOrEqualTo(found.boundNs());
            assertThat(found.boundNs()).isLessThan(10_000);
            assertThat(found.exchanges()).isEqualTo(200);
        }
    }

    @Test
    void shouldTakeTheQuickestExchangeWhereAClockStepped() {
        final ClockOffset.Estimator estimator = new ClockOffset.Estimator();
        estimator.add(0, 1_005, 1_005, 10);
        estimator.add(20, 5_000_021, 5_000_021, 22);
        assertThat(estimator.estimate()).isEqualTo(new ClockOffset(5_000_000, 2, 2));
    }

    @Test
    void shouldNotGuessWithoutExchanges() {
        assertThatThrownBy(() -> new ClockOffset.Estimator().estimate())
                .isInstanceOf(IllegalStateException.class);
    }
}

package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
    private long nowNs = 5_000_000_000L;
    private int clockReads;

    private final Heartbeat heartbeat =
            new Heartbeat(
                    () -> {
                        clockReads++;
                        return nowNs;
                    },
                    buffer,
                    0);

    @Test
    void shouldBeatWhenItsTimeHasComeAndNotBefore() {
        assertThat(looks()).isZero();
        nowNs += 250_000_000;

        assertThat(looks()).isOne();
        assertThat(buffer.getLong(0)).isEqualTo(nowNs);
    }

    @Test
    void shouldReadTheClockSeldom() {
        clockReads = 0;

        looks();

        assertThat(clockReads).isOne();
    }

    @Test
    void shouldCallAnotherHeartbeatOldAfterASecond() {
        buffer.putLong(8, nowNs);
        assertThat(heartbeat.isOld(8)).isFalse();

        nowNs += 1_000_000_001;

        assertThat(heartbeat.isOld(8)).isTrue();
    }

    private int looks() {
        int looks = 0;
        for (int i = 0; i < Heartbeat.CALLS_PER_LOOK; i++) {
            looks += heartbeat.beat() ? 1 : 0;
        }
        return looks;
    }
}

package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GroupSizeTest {
    private static final int MOST = 64;

    private final SendLoop.GroupSize size = new SendLoop.GroupSize(1, MOST);
    private long nowNs = 1_000_000_000;

    private int afterNs(final long ns) {
        nowNs += ns;
        return size.next(nowNs);
    }

    @Test
    void shouldBeginWithOneMessageAndGrowWhileSendsAreCheap() {
        assertThat(afterNs(0)).isEqualTo(1);
        for (int expected = 2; expected <= MOST; expected *= 2) {
            assertThat(afterNs(expected * 15L)).isEqualTo(expected);
        }
        assertThat(afterNs(1_900)).isEqualTo(MOST);
    }

    @Test
    void shouldGiveADearSendAClockReadOfItsOwn() {
        for (int i = 0; i < 10; i++) {
            afterNs(100);
        }
        for (int i = 0; i < 10; i++) {
            afterNs(4_100);
        }

        assertThat(afterNs(4_100)).isEqualTo(1);
    }

    @Test
    void shouldNotTakeWaitingForRoomForACost() {
        afterNs(0);
        afterNs(100);
        assertThat(afterNs(100)).isEqualTo(4);

        nowNs += 1_000_000;
        size.again(nowNs);

        assertThat(afterNs(100)).isEqualTo(8);
    }

    @Test
    void shouldNotDivideWhatTheEngineSendsByOneCall() {
        final SendLoop.GroupSize ofBatches = new SendLoop.GroupSize(20, 60);

        assertThat(ofBatches.next(1_000)).isEqualTo(40);
        assertThat(ofBatches.next(2_000)).isEqualTo(60);
        assertThat(ofBatches.next(101_000)).isEqualTo(20);
        assertThat(ofBatches.next(201_000)).isEqualTo(20);
        assertThat(new SendLoop.GroupSize(64, 8).next(1_000)).isEqualTo(8);
    }
}

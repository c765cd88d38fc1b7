package io.tickmark.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** No machine of ours has a card that stamps, so that what such a driver says is made up. */
class KernelTimesDeviceTest {
    private static final int SOFTWARE_ONLY = 1 << 1 | 1 << 3 | 1 << 4;
    private static final int HARDWARE = 1 | 1 << 2 | 1 << 6;
    private static final int SENDS_ALONE = 1 | 1 << 6;

    @Test
    void shouldSayWhetherADeviceCouldStampByItself() {
        assertThat(KernelTimes.stampedBy("lo", SOFTWARE_ONLY, -1))
                .isEqualTo("software; lo offers no others");
        assertThat(KernelTimes.stampedBy("eth0", SOFTWARE_ONLY | SENDS_ALONE, 0))
                .isEqualTo("software; eth0 offers no others");
        assertThat(KernelTimes.stampedBy("eth0", SOFTWARE_ONLY | HARDWARE, 2))
                .isEqualTo(
                        "software; eth0 could stamp by its own clock (/dev/ptp2), which is not used");
    }

    @Test
    void shouldSayThatADeviceIsNotKnown() {
        final SocketCalls calls = new SocketCalls();
        final int fd = calls.socket(2, 2);
        try {
            assertThat(KernelTimes.stampedBy(fd, "no-such-device"))
                    .isEqualTo(
                            "software; no-such-device does not say whether it has a clock of its own");
        } finally {
            calls.close(fd);
        }
    }
}

package io.tickmark.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** No machine of ours has a card that stamps, so that what such a driver says is made up. */
class KernelTimesDeviceTest {
    private static final int SOFTWARE_ONLY = 1 << 1 | 1 << 3 | 1 << 4;
    private static final int HARDWARE = 1 | 1 << 2 | 1 << 6;
    private static final int SENT = 0;
    private static final int SCHEDULED = 1;
    private static final int STAMPS_BYTES = 16 + 3 * 16;
    private static final int SENDS_ALONE = 1 | 1 << 6;

    @Test
    void shouldSayWhetherADeviceCouldStampByItself() {
        assertThat(KernelTimes.stampedBy("lo", SOFTWARE_ONLY, -1))
                .isEqualTo("software; lo offers no others");
        assertThat(KernelTimes.stampedBy("eth0", SOFTWARE_ONLY | SENDS_ALONE, 0))
                .isEqualTo("software; eth0 offers no others");
        assertThat(KernelTimes.stampedBy("eth0", SOFTWARE_ONLY | HARDWARE, 2))
                .isEqualTo(
                        "software, and eth0 by its own clock (/dev/ptp2) once enabled by hwstamp_ctl -i eth0 -t 1 -r 1");
    }

    /**
     * The control messages of one send, as Linux writes them on a 64-bit machine: the kernel's two
     * reports, and that of the card, which comes last and has its time in the third place.
     */
    @Test
    void shouldTellTheStampsOfACardFromThoseOfTheKernel() {
        final KernelTimes times = new KernelTimes(new SocketCalls(), -1);
        final int first = times.sent(1);
        final int second = times.sent(1);

        times.take(report(SCHEDULED, 1, 1_000_000_000, 0), 0);
        times.take(report(SENT, 1, 1_000_000_700, 0), 0);
        times.take(report(SENT, 1, 0, 77_000_000_900L), 0);

        assertThat(times.queuedNs(second)).isEqualTo(1_000_000_000);
        assertThat(times.departedNs(second)).isEqualTo(1_000_000_700);
        assertThat(times.cardDepartedNs(second)).isEqualTo(77_000_000_900L);
        assertThat(times.departedNs(first)).isZero();
        assertThat(times.cardDepartedNs(first)).isZero();
    }

    @Test
    void shouldKnowWhenACardStampedWhatWasReceived() {
        final KernelTimes times = new KernelTimes(new SocketCalls(), -1);
        final ReceiveBuffer received = new ReceiveBuffer(64, 0);
        stamps(control(received), 0, 1_000_000_000, 77_000_000_123L);
        filled(received, STAMPS_BYTES);

        times.received(received);

        assertThat(received.cardArrivedNs()).isEqualTo(77_000_000_123L);
        assertThat(received.arrivedNs()).isNotZero();

        stamps(control(received), 0, 1_000_000_000, 0);
        times.received(received);

        assertThat(received.cardArrivedNs()).as("the next one, which it did not stamp").isZero();
    }

    /** SCM_TIMESTAMPING, then IP_RECVERR with struct sock_extended_err and an address. */
    private static ReceiveBuffer report(
            final int kind, final int number, final long kernelNs, final long cardNs) {
        final ReceiveBuffer report = new ReceiveBuffer(1, 0);
        final UnsafeBuffer control = control(report);
        stamps(control, 0, kernelNs, cardNs);
        control.putLong(STAMPS_BYTES, 16 + 16 + 16);
        control.putInt(STAMPS_BYTES + 8, 0); // IPPROTO_IP
        control.putInt(STAMPS_BYTES + 12, 11); // IP_RECVERR
        control.putInt(STAMPS_BYTES + 16, 42); // ENOMSG
        control.putByte(STAMPS_BYTES + 20, (byte) 4); // SO_EE_ORIGIN_TIMESTAMPING
        control.putInt(STAMPS_BYTES + 24, kind);
        control.putInt(STAMPS_BYTES + 28, number);
        filled(report, STAMPS_BYTES + 16 + 16 + 16);
        return report;
    }

    private static void stamps(
            final UnsafeBuffer control, final int at, final long kernelNs, final long cardNs) {
        control.putLong(at, STAMPS_BYTES);
        control.putInt(at + 8, 1); // SOL_SOCKET
        control.putInt(at + 12, 37); // SCM_TIMESTAMPING
        final long[] times = {kernelNs, 0, cardNs};
        for (int i = 0; i < times.length; i++) {
            control.putLong(at + 16 + 16 * i, times[i] / 1_000_000_000);
            control.putLong(at + 24 + 16 * i, times[i] % 1_000_000_000);
        }
    }

    /** Where the header of a message, 56 bytes, says that its control messages are. */
    private static UnsafeBuffer control(final ReceiveBuffer buffer) {
        final UnsafeBuffer header = new UnsafeBuffer(buffer.header(), 56);
        return new UnsafeBuffer(header.getLong(32), 256);
    }

    private static void filled(final ReceiveBuffer buffer, final long bytes) {
        new UnsafeBuffer(buffer.header(), 56).putLong(40, bytes);
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

package io.tickmark.workloads.market.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class OtherClockTest {
    /** Of no machine: reserved for examples. */
    private static final String ELSEWHERE = "192.0.2.1";

    private final OtherClock byHand = new OtherClock(true);

    @Test
    void shouldTakeAnAddressOfAnInterfaceForThisMachine() throws SocketException {
        assertThat(byHand.isElsewhere("127.0.0.1")).isFalse();
        assertThat(byHand.isElsewhere("localhost")).isFalse();
        assertThat(byHand.isElsewhere("[::1]")).isFalse();
        assertThat(
                        NetworkInterface.networkInterfaces()
                                .flatMap(NetworkInterface::inetAddresses)
                                .map(address -> address.getHostAddress()))
                .isNotEmpty()
                .noneMatch(byHand::isElsewhere);
    }

    @Test
    void shouldTakeAnyOtherAddressForAnotherMachine() {
        assertThat(byHand.isElsewhere(ELSEWHERE)).isTrue();
        assertThat(byHand.isElsewhere("[no address]")).isTrue();
        assertThat(byHand.isElsewhere("")).as("not known").isTrue();
    }

    @Test
    void shouldNotGoByTheAddressWhereThePlanAlignsTheClocks() {
        assertThat(new OtherClock(false).isElsewhere(ELSEWHERE)).isFalse();
        assertThat(new OtherClock(false).isElsewhere("")).isFalse();
    }
}

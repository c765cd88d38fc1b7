package io.tickmark.engines.dds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import org.junit.jupiter.api.Test;

class DomainConfigTest {
    @Test
    void shouldStayOnThisHostWhereNothingElseIsSaid() {
        assertThat(of("dds://0"))
                .contains(
                        "<NetworkInterface address=\"127.0.0.1\"/>",
                        "<AllowMulticast>false</AllowMulticast>",
                        "<Peer address=\"127.0.0.1\"/>");
    }

    @Test
    void shouldFindPeersByUnicastAndSendDataByMulticast() {
        assertThat(
                        of(
                                "dds://88?nic=192.0.2.1&peer=4@192.0.2.2,udpv4://192.0.2.3&multicast=225.1.2.3&ttl=1"))
                .contains(
                        "address=\"192.0.2.1\" multicast=\"true\" prefer_multicast=\"true\"",
                        "<AllowMulticast>asm</AllowMulticast>",
                        "<Peers><Peer address=\"192.0.2.2\"/><Peer address=\"192.0.2.3\"/></Peers>",
                        "<DefaultMulticastAddress>225.1.2.3</DefaultMulticastAddress>",
                        "<MulticastTimeToLive>1</MulticastTimeToLive>");
    }

    @Test
    void shouldFindOthersByMulticastOnAnInterfaceWithoutPeers() {
        assertThat(of("dds://0?nic=eth0"))
                .contains(
                        "<NetworkInterface name=\"eth0\" multicast=\"true\"/>",
                        "<AllowMulticast>spdp</AllowMulticast>")
                .doesNotContain("<Peers>");
    }

    @Test
    void shouldTakeOtherToolsNumbersForTransports() {
        assertThat(of("dds://0?transport=8")).contains("<Transport>udp6</Transport>", "::1");
        assertThat(of("dds://0?transport=2&peer=shmem://"))
                .contains("<SharedMemory><Enable>true</Enable>", "<Peer address=\"127.0.0.1\"/>");
    }

    @Test
    void shouldLeaveNoParticipantBeyondTheLastPort() {
        assertThat(of("dds://0")).contains("<MaxAutoParticipantIndex>99<");
        assertThat(of("dds://232")).contains("<MaxAutoParticipantIndex>62<");
    }

    @Test
    void shouldRefuseAConfigurationWhoseFileIsNotThere() {
        check("dds://0");
        check("dds://0?config=/etc/hostname");
        check("dds://0?config=<Domain/>");
        assertThatThrownBy(() -> check("dds://0?config=/nowhere/at/all.xml"))
                .isInstanceOfSatisfying(
                        UserError.class,
                        error -> assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE))
                .hasMessageContaining("?config=/nowhere/at/all.xml cannot be read (");
    }

    private static void check(final String channel) {
        Domains.checkConfig(DdsChannel.of(ChannelUri.parse(channel)));
    }

    private static String of(final String channel) {
        return Domains.Config.of(DdsChannel.of(ChannelUri.parse(channel)));
    }
}

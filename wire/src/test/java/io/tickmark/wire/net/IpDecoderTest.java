package io.tickmark.wire.net;

import static io.tickmark.wire.Frames.CLIENT;
import static io.tickmark.wire.Frames.GATEWAY;
import static io.tickmark.wire.Frames.ethernet;
import static io.tickmark.wire.Frames.ipv4;
import static io.tickmark.wire.Frames.ipv6;
import static io.tickmark.wire.Frames.join;
import static io.tickmark.wire.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.wire.file.Packet;
import io.tickmark.wire.net.IpDecoder.DuplicateRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpDecoderTest {
    private static final byte[] HELLO = ipv4(CLIENT, GATEWAY, IpPacket.UDP, 7, 0, text("hello"));

    private final List<String> seen = new ArrayList<>();
    private IpDecoder decoder = decoder(DuplicateRule.AUTO);
    private long timeNs;

    private IpDecoder decoder(final DuplicateRule rule) {
        return new IpDecoder(
                (ip, timeNs, position) ->
                        seen.add(
                                "%d %s"
                                        .formatted(
                                                ip.protocol(),
                                                ip.buffer()
                                                        .getStringWithoutLengthAscii(
                                                                ip.payload(),
                                                                ip.limit() - ip.payload()))),
                rule);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 00000000000000000000000008 00",
        "1, 00000000000000000000000081 00 0007 08 00",
        "1, 00000000000000000000000088 a8 0007 81 00 0008 08 00",
        "113, 0000 0001 0006 0000000000000000 0800",
        "276, 0800 0000 00000001 0001 00 06 0000000000000000",
        "0, 02000000",
        "0, 00000002",
        "108, 00000002",
        "101, ''",
        "12, ''",
        "14, ''",
        "228, ''"
    })
    void shouldFindIpBehindEachLinkLayer(final int linkType, final String header) {
        take(linkType, join(java.util.HexFormat.of().parseHex(header.replace(" ", "")), HELLO));

        assertThat(seen).containsExactly("17 hello");
    }

    @Test
    void shouldCountWhatIsNotIp() {
        take(1, new byte[60]);
        take(1, new byte[5]);
        take(147, HELLO);
        take(101, new byte[] {0x45, 0});

        assertThat(seen).isEmpty();
        assertThat(decoder.notIp()).isEqualTo(2);
        assertThat(decoder.unknownLink()).isEqualTo(1);
        assertThat(decoder.unknownLinkType()).isEqualTo(147);
        assertThat(decoder.malformed()).isEqualTo(1);
        assertThat(decoder.packets()).isEqualTo(4);
    }

    @Test
    void shouldGoBehindTheExtensionHeadersOfIpv6() {
        final byte[] routing = {60, 0, 0, 0, 0, 0, 0, 0};
        final byte[] options = {51, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        final byte[] authentication = {17, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

        take(1, ethernet(ipv6(43, join(routing, options, authentication, text("hello")))));

        assertThat(seen).containsExactly("17 hello");
    }

    @Test
    void shouldNotBelieveAnExtensionHeaderThatIsLongerThanItsPacket() {
        take(1, ethernet(ipv6(0, new byte[] {17, 100, 0, 0, 0, 0, 0, 0})));

        assertThat(decoder.malformed()).isEqualTo(1);
    }

    @Test
    void shouldLeaveThePaddingOfShortFramesOut() {
        take(1, Arrays.copyOf(ethernet(HELLO), 60));

        assertThat(seen).containsExactly("17 hello");
    }

    @Test
    void shouldJoinFragmentsInAnyOrderOnce() {
        final byte[] first = fragment(7, 0, true, "12345678");
        final byte[] second = fragment(7, 8, true, "abcdefgh");
        final byte[] third = fragment(7, 16, false, "end");
        take(1, third);
        take(1, first);
        take(1, first);
        assertThat(seen).isEmpty();
        take(1, second);

        assertThat(seen).containsExactly("17 12345678abcdefghend");
        assertThat(decoder.fragments()).isEqualTo(4);
        assertThat(decoder.incompleteDatagrams()).isZero();
    }

    @Test
    void shouldJoinFragmentsOfIpv6() {
        final byte[] first = {17, 0, 0, 1, 0, 0, 0, 9};
        final byte[] last = {17, 0, 0, 8, 0, 0, 0, 9};
        take(1, ethernet(ipv6(44, join(first, text("12345678")))));
        take(1, ethernet(ipv6(44, join(last, text("end")))));

        assertThat(seen).containsExactly("17 12345678end");
    }

    @Test
    void shouldBoundTheDatagramsThatWaitForFragments() {
        for (int id = 0; id < 1000; id++) {
            take(1, fragment(id, 0, true, "12345678"));
        }
        assertThat(decoder.incompleteDatagrams()).isEqualTo(1000);
        timeNs += 60_000_000_000L;
        take(1, fragment(999, 8, false, "late"));

        assertThat(seen).as("after half a minute it is another datagram").isEmpty();
    }

    @Test
    void shouldRefuseFragmentsBeyondTheLongestDatagram() {
        take(1, fragment(7, 65_528, false, "123456789"));
        take(1, fragment(7, 0, true, "12345678"));

        assertThat(seen).isEmpty();
    }

    @Test
    void shouldRemoveCopiesOfACaptureOnAllDevicesOnly() {
        final byte[] cooked =
                join(java.util.HexFormat.of().parseHex("00000001000600000000000000000800"), HELLO);
        take(113, cooked);
        take(113, cooked);
        assertThat(seen).hasSize(1);
        assertThat(decoder.copies()).isEqualTo(1);

        take(1, ethernet(HELLO));
        take(1, ethernet(HELLO));
        assertThat(seen).hasSize(3);

        decoder = decoder(DuplicateRule.REMOVE);
        take(1, ethernet(HELLO));
        take(1, ethernet(HELLO));
        assertThat(seen).hasSize(4);

        decoder = decoder(DuplicateRule.KEEP);
        take(113, cooked);
        take(113, cooked);
        assertThat(seen).hasSize(6);
    }

    @Test
    void shouldKeepWhatIsSentAgainLaterOrWithAnotherIdentification() {
        decoder = decoder(DuplicateRule.REMOVE);
        take(1, ethernet(HELLO));
        take(1, ethernet(ipv4(CLIENT, GATEWAY, IpPacket.UDP, 8, 0, text("hello"))));
        timeNs += 200_000_000;
        take(1, ethernet(HELLO));

        assertThat(seen).hasSize(3);
    }

    private static byte[] fragment(
            final int id, final int offset, final boolean hasMore, final String payload) {
        return ethernet(
                ipv4(
                        CLIENT,
                        GATEWAY,
                        IpPacket.UDP,
                        id,
                        (hasMore ? 0x2000 : 0) | offset / 8,
                        text(payload)));
    }

    private void take(final int linkType, final byte[] bytes) {
        final Packet packet = new Packet();
        packet.bytes(new UnsafeBuffer(bytes), 0, bytes.length, bytes.length);
        packet.stamp(timeNs, linkType, 0);
        decoder.onPacket(packet);
    }
}

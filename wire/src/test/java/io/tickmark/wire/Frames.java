package io.tickmark.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Makes packets, layer by layer. */
public final class Frames {
    public static final int SYN = 2;
    public static final int FIN = 1;
    public static final int ACK = 16;
    public static final int GATEWAY = 0x0a000001;
    public static final int CLIENT = 0x0a000002;

    private Frames() {}

    public static byte[] ethernet(final byte[] ip) {
        return join(new byte[12], etherType(ip), ip);
    }

    public static byte[] etherType(final byte[] ip) {
        return (ip[0] >> 4 & 0xf) == 6 ? new byte[] {(byte) 0x86, (byte) 0xdd} : new byte[] {8, 0};
    }

    /** An IPv4 datagram; {@code fragment} is the field of flags and offset. */
    public static byte[] ipv4(
            final int source,
            final int destination,
            final int protocol,
            final int id,
            final int fragment,
            final byte[] payload) {
        final ByteBuffer header = ByteBuffer.allocate(20);
        header.put((byte) 0x45).put((byte) 0).putShort((short) (20 + payload.length));
        header.putShort((short) id).putShort((short) fragment);
        header.put((byte) 64).put((byte) protocol).putShort((short) 0);
        header.putInt(source).putInt(destination);
        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += header.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        header.putShort(10, (short) ~(sum + (sum >>> 16)));
        return join(header.array(), payload);
    }

    public static byte[] ipv6(final int protocol, final byte[] payload) {
        final ByteBuffer header = ByteBuffer.allocate(40);
        header.putInt(0x6000_0000).putShort((short) payload.length);
        header.put((byte) protocol).put((byte) 64);
        header.putLong(0x2001_0db8_0000_0000L).putLong(2);
        header.putLong(0x2001_0db8_0000_0000L).putLong(1);
        return join(header.array(), payload);
    }

    public static byte[] tcp(
            final int sourcePort,
            final int destinationPort,
            final int sequence,
            final int acknowledged,
            final int flags,
            final byte[] payload) {
        final ByteBuffer header = ByteBuffer.allocate(20);
        header.putShort((short) sourcePort).putShort((short) destinationPort);
        header.putInt(sequence).putInt(acknowledged);
        header.put((byte) 0x50).put((byte) flags).putShort((short) 0xffff);
        return join(header.array(), payload);
    }

    public static byte[] udp(
            final int sourcePort, final int destinationPort, final byte[] payload) {
        final ByteBuffer header = ByteBuffer.allocate(8);
        header.putShort((short) sourcePort).putShort((short) destinationPort);
        header.putShort((short) (8 + payload.length)).putShort((short) 0);
        return join(header.array(), payload);
    }

    public static byte[] join(final byte[]... parts) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public static byte[] text(final String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}

package io.tickmark.wire.tcp;

import io.tickmark.wire.net.IpPacket;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** A view of a TCP segment (RFC 9293, section 3.1). Single thread, allocates nothing. */
final class TcpSegment {
    private static final int MIN_HEADER_BYTES = 20;
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;
    private static final ByteOrder NETWORK = ByteOrder.BIG_ENDIAN;

    private DirectBuffer buffer;
    private int sourcePort;
    private int destinationPort;
    private int sequence;
    private int acknowledged;
    private int flags;
    private int payload;
    private int payloadBytes;
    private int capturedBytes;
    private long timeNs;
    private long position;

    TcpSegment() {}

    /** Whether the header is there and can be right. */
    boolean wrap(final IpPacket ip, final long newTimeNs, final long newPosition) {
        final int at = ip.payload();
        if (ip.limit() - at < MIN_HEADER_BYTES) {
            return false;
        }
        buffer = ip.buffer();
        sourcePort = buffer.getShort(at, NETWORK) & 0xffff;
        destinationPort = buffer.getShort(at + 2, NETWORK) & 0xffff;
        sequence = buffer.getInt(at + 4, NETWORK);
        acknowledged = buffer.getInt(at + 8, NETWORK);
        final int headerBytes = (buffer.getByte(at + 12) >>> 4 & 0xf) * 4;
        flags = buffer.getByte(at + 13) & 0xff;
        timeNs = newTimeNs;
        position = newPosition;
        payload = at + headerBytes;
        payloadBytes = ip.payloadBytes() - headerBytes;
        capturedBytes = Math.max(0, Math.min(payloadBytes, ip.limit() - payload));
        return headerBytes >= MIN_HEADER_BYTES && payloadBytes >= 0;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    int sourcePort() {
        return sourcePort;
    }

    int destinationPort() {
        return destinationPort;
    }

    int sequence() {
        return sequence;
    }

    int acknowledged() {
        return acknowledged;
    }

    int payload() {
        return payload;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    int capturedBytes() {
        return capturedBytes;
    }

    long timeNs() {
        return timeNs;
    }

    long position() {
        return position;
    }

    boolean isSyn() {
        return (flags & SYN) != 0;
    }

    boolean isAck() {
        return (flags & ACK) != 0;
    }

    boolean isFin() {
        return (flags & FIN) != 0;
    }

    boolean isLast() {
        return (flags & (FIN | RST)) != 0;
    }

    /** Whether it may be a keep-alive probe: such carry at most one byte, which is an old one. */
    boolean isProbeSized() {
        return payloadBytes <= 1 && (flags & (SYN | FIN | RST)) == 0;
    }
}

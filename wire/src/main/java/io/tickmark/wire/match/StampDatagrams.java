package io.tickmark.wire.match;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.wire.net.Addresses;
import io.tickmark.wire.net.IpPacket;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Stamped messages in UDP datagrams. Where the sender leaves the cutting to the kernel
 * (UDP_SEGMENT), a capture sees one large datagram of several messages of one length; the length is
 * found by looking for the next sequence number. Single thread; allocates one object for each
 * datagram between ends that it has not just seen.
 */
final class StampDatagrams {
    private static final int HEADER_BYTES = 8;
    private static final int MAX_SEGMENTS = 128;

    private final StampHandler handler;
    private StampHandler.Way way = new StampHandler.Way(0, 0);
    private int segmentBytes;

    StampDatagrams(final StampHandler handler) {
        this.handler = handler;
    }

    /** Whether it holds stamped messages, which were handed on. */
    boolean onDatagram(final IpPacket ip, final long timeNs) {
        final int stamp = ip.payload() + HEADER_BYTES;
        final DirectBuffer buffer = ip.buffer();
        final int length = ip.payloadBytes() - HEADER_BYTES;
        final int there = ip.limit() - stamp;
        if (there < Math.min(length, Stamp.FULL_LENGTH)
                || !Stamp.isStamped(buffer, stamp, length)) {
            return false;
        }
        final long source =
                Addresses.hash(ip.sourceHigh(), ip.sourceLow(), port(buffer, ip.payload()));
        final long destination =
                Addresses.hash(
                        ip.destinationHigh(), ip.destinationLow(), port(buffer, ip.payload() + 2));
        if (way.source() != source || way.destination() != destination) {
            way = new StampHandler.Way(source, destination);
        }
        final int segment = segmentBytes(buffer, stamp, there);
        for (int at = 0; at < length; at += segment) {
            final int message = Math.min(segment, length - at);
            if (there - at >= Math.min(message, Stamp.FULL_LENGTH)
                    && Stamp.isStamped(buffer, stamp + at, message)) {
                handler.onStamped(
                        way, buffer, stamp + at, message, Math.min(message, there - at), timeNs);
            }
        }
        return true;
    }

    private static int port(final DirectBuffer buffer, final int at) {
        return buffer.getShort(at, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /** Length of the messages of a datagram, all of it where it holds one. */
    private int segmentBytes(final DirectBuffer buffer, final int stamp, final int there) {
        if (segmentBytes > 0 && isNext(buffer, stamp, segmentBytes, there)) {
            return segmentBytes;
        }
        final int least = Math.max(Stamp.SHORT_LENGTH, there / MAX_SEGMENTS);
        for (int bytes = least; bytes <= there - Stamp.SHORT_LENGTH; bytes++) {
            if (isNext(buffer, stamp, bytes, there)) {
                segmentBytes = bytes;
                return bytes;
            }
        }
        return Integer.MAX_VALUE / 2;
    }

    /** Whether the message behind so many bytes follows the first one. */
    private static boolean isNext(
            final DirectBuffer buffer, final int stamp, final int bytes, final int there) {
        final int next = stamp + bytes;
        return there - bytes >= Stamp.SHORT_LENGTH
                && Stamp.isStamped(buffer, next, Stamp.SHORT_LENGTH)
                && Stamp.sequence(buffer, next) == Stamp.sequence(buffer, stamp) + 1
                && Stamp.source(buffer, next) == Stamp.source(buffer, stamp)
                && Stamp.step(buffer, next) == Stamp.step(buffer, stamp)
                && Stamp.flags(buffer, next) == Stamp.flags(buffer, stamp);
    }
}

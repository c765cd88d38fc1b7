package io.tickmark.wire.file;

import java.nio.ByteOrder;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The classic format: a header of 24 bytes, then records of 16 bytes and a packet
 * (draft-ietf-opsawg-pcap, sections 4 and 5). Byte order and the unit of fractions of a second are
 * told by the first four bytes.
 */
final class PcapFormat {
    private static final int MICROSECONDS = 0xa1b2c3d4;
    private static final int NANOSECONDS = 0xa1b23c4d;
    private static final int HEADER_BYTES = 24;
    private static final int LINK_TYPE_OFFSET = 20;

    /**
     * Above it stands how long the check sequence is at the end of each frame, where the file has
     * them: bytes behind the IP datagram, whose own length leaves them out.
     */
    private static final int LINK_TYPE_MASK = 0xffff;

    private static final int RECORD_BYTES = 16;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MICROSECOND_NS = 1_000L;

    private final FileWindow window;
    private final PacketHandler handler;
    private final ByteOrder order;
    private final long unitNs;
    private final Packet packet = new Packet();

    private PcapFormat(
            final FileWindow window,
            final PacketHandler handler,
            final ByteOrder order,
            final long unitNs) {
        this.window = window;
        this.handler = handler;
        this.order = order;
        this.unitNs = unitNs;
    }

    /** A reader of the format that these first four bytes, taken as big-endian, tell; or none. */
    static Optional<PcapFormat> of(
            final int magic, final FileWindow window, final PacketHandler handler) {
        final int swapped = Integer.reverseBytes(magic);
        if (magic == MICROSECONDS || magic == NANOSECONDS) {
            return Optional.of(
                    new PcapFormat(window, handler, ByteOrder.BIG_ENDIAN, unitNs(magic)));
        }
        return swapped == MICROSECONDS || swapped == NANOSECONDS
                ? Optional.of(
                        new PcapFormat(window, handler, ByteOrder.LITTLE_ENDIAN, unitNs(swapped)))
                : Optional.empty();
    }

    private static long unitNs(final int magic) {
        return magic == NANOSECONDS ? 1 : MICROSECOND_NS;
    }

    Ending read() {
        final long size = window.size();
        if (size < HEADER_BYTES) {
            return Ending.cutOff(0, "the file header");
        }
        final int linkType = window.getInt(LINK_TYPE_OFFSET, order) & LINK_TYPE_MASK;
        final UnsafeBuffer buffer = window.buffer();
        long at = HEADER_BYTES;
        while (at < size) {
            if (size - at < RECORD_BYTES) {
                return Ending.cutOff(at, "a packet");
            }
            final int record = window.at(at, RECORD_BYTES);
            final int captured = buffer.getInt(record + 8, order);
            if (captured < 0 || captured > CaptureFile.MAX_RECORD_BYTES) {
                return Ending.broken(
                        at,
                        "a packet that says it has %d bytes (at most %d are taken)"
                                .formatted(captured & 0xffff_ffffL, CaptureFile.MAX_RECORD_BYTES));
            }
            if (size - at - RECORD_BYTES < captured) {
                return Ending.cutOff(at, "a packet");
            }
            final int whole = window.at(at, RECORD_BYTES + captured);
            final long seconds = buffer.getInt(whole, order) & 0xffff_ffffL;
            final long fraction = buffer.getInt(whole + 4, order) & 0xffff_ffffL;
            packet.bytes(buffer, whole + RECORD_BYTES, captured, buffer.getInt(whole + 12, order));
            packet.stamp(seconds * SECOND_NS + fraction * unitNs, linkType, at);
            handler.onPacket(packet);
            at += RECORD_BYTES + captured;
        }
        return Ending.whole(size);
    }
}

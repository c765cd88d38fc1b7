package io.tickmark.wire.file;

import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The block format (draft-ietf-opsawg-pcapng): sections, each with its own byte order, interfaces
 * and packets. Packets without a time (simple packet blocks) are handed on at the time of the one
 * before; blocks of other kinds are passed over.
 */
final class PcapngFormat {
    /** The same in both byte orders. */
    static final int SECTION_HEADER = 0x0a0d0d0a;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int INTERFACE = 1;
    private static final int OBSOLETE_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int STATISTICS = 5;
    private static final int ENHANCED_PACKET = 6;
    private static final int OPTION_INTERFACE_DROPS = 5;
    private static final int OPTION_SYSTEM_DROPS = 7;
    private static final int MIN_BLOCK_BYTES = 12;
    private static final int MIN_SECTION_BYTES = 28;
    private static final int BODY = 8;
    private static final int MAX_INTERFACES = 4096;

    /** Longest block that is looked into: a packet, its head and its options. */
    private static final int MAX_BLOCK_BYTES = CaptureFile.MAX_RECORD_BYTES + (1 << 16);

    private final FileWindow window;
    private final UnsafeBuffer buffer;
    private final PacketHandler handler;
    private final List<PcapngInterface> interfaces = new ArrayList<>();
    private final Packet packet = new Packet();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private long lastTimeNs;
    private long dropped = -1;

    PcapngFormat(final FileWindow window, final PacketHandler handler) {
        this.window = window;
        this.handler = handler;
        buffer = window.buffer();
    }

    /** What the statistics blocks add up to, -1 where there are none. */
    long dropped() {
        return dropped;
    }

    CaptureEnd read() {
        final long size = window.size();
        long at = 0;
        while (at < size) {
            if (size - at < MIN_BLOCK_BYTES) {
                return CaptureEnd.cutOff(at, "a block");
            }
            final int type = window.getInt(at, order);
            if (type == SECTION_HEADER) {
                final int magic = window.getInt(at + BODY, ByteOrder.BIG_ENDIAN);
                if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
                    return CaptureEnd.broken(at, "a section header without byte-order magic");
                }
                order = magic == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
                interfaces.clear();
            }
            final long length = window.getInt(at + 4, order) & 0xffff_ffffL;
            if (length < (type == SECTION_HEADER ? MIN_SECTION_BYTES : MIN_BLOCK_BYTES)
                    || length % 4 != 0) {
                return CaptureEnd.broken(at, "a block that says it has " + length + " bytes");
            }
            if (size - at < length) {
                return CaptureEnd.cutOff(at, "a block");
            }
            if (window.getInt(at + length - 4, order) != (int) length) {
                return CaptureEnd.broken(at, "a block whose two lengths differ");
            }
            final String problem = block(type, at, length);
            if (!problem.isEmpty()) {
                return CaptureEnd.broken(at, problem);
            }
            at += length;
        }
        return CaptureEnd.whole(size);
    }

    /** What is wrong with it, empty where nothing is. */
    private String block(final int type, final long at, final long length) {
        final boolean isKnown =
                switch (type) {
                    case INTERFACE, OBSOLETE_PACKET, SIMPLE_PACKET, STATISTICS, ENHANCED_PACKET ->
                            true;
                    default -> false;
                };
        if (!isKnown) {
            return "";
        }
        if (length > MAX_BLOCK_BYTES) {
            return "a block of %d bytes (at most %d are taken)".formatted(length, MAX_BLOCK_BYTES);
        }
        final int block = window.at(at, (int) length);
        final int end = block + (int) length - 4;
        return switch (type) {
            case INTERFACE -> newInterface(block + BODY, end);
            case SIMPLE_PACKET -> simple(block + BODY, end, at);
            case STATISTICS -> statistics(block + BODY, end);
            case OBSOLETE_PACKET ->
                    end - block < BODY + 20
                            ? "a packet block that is too short"
                            : timed(
                                    buffer.getShort(block + BODY, order) & 0xffff,
                                    block + BODY + 4,
                                    end,
                                    at);
            default ->
                    end - block < BODY + 20
                            ? "a packet block that is too short"
                            : timed(buffer.getInt(block + BODY, order), block + BODY + 4, end, at);
        };
    }

    private String newInterface(final int body, final int end) {
        if (end - body < 8) {
            return "an interface description that is too short";
        }
        if (interfaces.size() == MAX_INTERFACES) {
            return "more than " + MAX_INTERFACES + " interfaces";
        }
        interfaces.add(PcapngInterface.read(buffer, body, end, order));
        return "";
    }

    /** Time, lengths and bytes of a packet; {@code head} is where its time begins. */
    private String timed(final int number, final int head, final int end, final long at) {
        if (number < 0 || number >= interfaces.size()) {
            return "a packet of interface %d, of which there are %d"
                    .formatted(number & 0xffff_ffffL, interfaces.size());
        }
        final long high = buffer.getInt(head, order) & 0xffff_ffffL;
        final long low = buffer.getInt(head + 4, order) & 0xffff_ffffL;
        lastTimeNs = interfaces.get(number).timeNs(high << Integer.SIZE | low);
        return packet(
                number,
                head + 16,
                end,
                buffer.getInt(head + 8, order),
                buffer.getInt(head + 12, order),
                at);
    }

    private String simple(final int body, final int end, final long at) {
        if (interfaces.isEmpty() || end - body < 4) {
            return "a packet without an interface";
        }
        final int original = buffer.getInt(body, order);
        final long snapLength = interfaces.getFirst().snapLength();
        final long captured = Math.min(original & 0xffff_ffffL, snapLength);
        return packet(0, body + 4, end, (int) captured, original, at);
    }

    private String packet(
            final int number,
            final int offset,
            final int end,
            final int captured,
            final int original,
            final long at) {
        if (captured < 0 || captured > end - offset || captured > CaptureFile.MAX_RECORD_BYTES) {
            return "a packet that says it has %d bytes in a block that has room for %d"
                    .formatted(captured & 0xffff_ffffL, end - offset);
        }
        packet.bytes(buffer, offset, captured, original);
        packet.stamp(lastTimeNs, interfaces.get(number).linkType(), at);
        handler.onPacket(packet);
        return "";
    }

    private String statistics(final int body, final int end) {
        if (end - body < 12) {
            return "an interface statistics block that is too short";
        }
        PcapngOptions.each(
                buffer,
                body + 12,
                end,
                order,
                (code, offset, length) -> {
                    final boolean isDrops =
                            code == OPTION_INTERFACE_DROPS || code == OPTION_SYSTEM_DROPS;
                    if (isDrops && length == Long.BYTES) {
                        dropped = Math.max(0, dropped) + Math.max(0, buffer.getLong(offset, order));
                    }
                });
        return "";
    }

    /**
     * An interface of a pcapng section.
     *
     * @param linkType LINKTYPE number
     * @param snapLength most bytes of a packet
     * @param unitsPerSecond of its times
     * @param offsetSeconds added to its times
     */
    private record PcapngInterface(
            int linkType, long snapLength, BigInteger unitsPerSecond, long offsetSeconds) {
        private static final int OPTION_RESOLUTION = 9;
        private static final int OPTION_OFFSET = 14;
        private static final long SECOND_NS = 1_000_000_000L;
        private static final BigInteger MICROSECONDS = BigInteger.valueOf(1_000_000);
        private static final int POWER_OF_TWO = 0x80;

        /** The defaults are the format's: microseconds, no offset. */
        static PcapngInterface read(
                final DirectBuffer buffer, final int body, final int end, final ByteOrder order) {
            final int snapLength = buffer.getInt(body + 4, order);
            final BigInteger[] units = {MICROSECONDS};
            final long[] offsetSeconds = {0};
            PcapngOptions.each(
                    buffer,
                    body + 8,
                    end,
                    order,
                    (code, offset, length) -> {
                        if (code == OPTION_RESOLUTION && length == 1) {
                            units[0] = units(buffer.getByte(offset) & 0xff);
                        } else if (code == OPTION_OFFSET && length == Long.BYTES) {
                            offsetSeconds[0] = buffer.getLong(offset, order);
                        }
                    });
            return new PcapngInterface(
                    buffer.getShort(body, order) & 0xffff,
                    snapLength == 0 ? Integer.MAX_VALUE : snapLength & 0xffff_ffffL,
                    units[0],
                    offsetSeconds[0]);
        }

        /** A power of ten, or of two where the highest bit is set. */
        private static BigInteger units(final int resolution) {
            return (resolution & POWER_OF_TWO) == 0
                    ? BigInteger.TEN.pow(resolution)
                    : BigInteger.TWO.pow(resolution & ~POWER_OF_TWO);
        }

        /** A time of this interface, unsigned 64 bits, in ns since the epoch. */
        long timeNs(final long units) {
            if (unitsPerSecond.bitLength() > 31) {
                return slowNs(units);
            }
            final long perSecond = unitsPerSecond.longValue();
            final long seconds = Long.divideUnsigned(units, perSecond);
            final long rest = Long.remainderUnsigned(units, perSecond);
            return (seconds + offsetSeconds) * SECOND_NS + rest * SECOND_NS / perSecond;
        }

        /** Units finer than half a nanosecond would overflow. */
        private long slowNs(final long units) {
            return new BigInteger(Long.toUnsignedString(units))
                            .multiply(BigInteger.valueOf(SECOND_NS))
                            .divide(unitsPerSecond)
                            .longValue()
                    + offsetSeconds * SECOND_NS;
        }
    }

    /** Options at the end of a block: code, length, value, padding to four bytes. */
    private static final class PcapngOptions {
        private static final int END = 0;
        private static final int HEAD_BYTES = 4;

        /** Takes an option. */
        @FunctionalInterface
        interface Taker {
            void take(int code, int offset, int length);
        }

        private PcapngOptions() {}

        /**
         * Goes through them; those that do not fit the block end it, as nothing depends on them.
         */
        static void each(
                final DirectBuffer buffer,
                final int from,
                final int end,
                final ByteOrder order,
                final Taker taker) {
            int at = from;
            while (end - at >= HEAD_BYTES) {
                final int code = buffer.getShort(at, order) & 0xffff;
                final int length = buffer.getShort(at + 2, order) & 0xffff;
                if (code == END || length > end - at - HEAD_BYTES) {
                    return;
                }
                taker.take(code, at + HEAD_BYTES, length);
                at += HEAD_BYTES + (length + 3 & ~3);
            }
        }
    }
}

package io.tickmark.wire.file;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A capture file of either format. The bytes are not trusted: each length is checked before it is
 * used, whatever they say, and no record is longer than {@link #MAX_RECORD_BYTES}.
 */
public final class CaptureFile {
    /** Longest packet that is taken; four times what tcpdump captures at most. */
    public static final int MAX_RECORD_BYTES = 1 << 20;

    private static final int GZIP = 0x1f8b;
    private static final int ZSTANDARD = 0xfd2fb528;

    private final Path file;
    private final int windowBytes;
    private long dropped = -1;

    /**
     * A file; nothing is opened yet.
     *
     * @param file to read
     */
    public CaptureFile(final Path file) {
        this(file, FileWindow.WINDOW_BYTES);
    }

    CaptureFile(final Path file, final int windowBytes) {
        this.file = file;
        this.windowBytes = windowBytes;
    }

    /**
     * Reads all packets, in the order of the file.
     *
     * @param handler takes them
     * @return how it ended
     * @throws UserError if the file cannot be read or is no capture
     */
    public CaptureEnd read(final PacketHandler handler) {
        if (!Files.isRegularFile(file)) {
            throw UserError.usage(
                    file
                            + (Files.exists(file) ? " is not a file" : " does not exist")
                            + "; name a capture file (pcap or pcapng).");
        }
        try (FileWindow window = new FileWindow(file, windowBytes)) {
            return read(window, handler);
        } catch (final IOException e) {
            throw unreadable(e);
        } catch (final UncheckedIOException e) {
            throw unreadable(e.getCause());
        }
    }

    private UserError unreadable(final IOException e) {
        if (e instanceof EOFException) {
            return UserError.environment(
                    file + " became shorter while it was read; read it again once it is written.",
                    e);
        }
        return UserError.environment(file + " cannot be read (" + IoReason.of(e) + ").", e);
    }

    private CaptureEnd read(final FileWindow window, final PacketHandler handler) {
        if (window.size() < Integer.BYTES) {
            throw UserError.usage(
                    "%s has %d bytes: that is not a capture file (pcap or pcapng)."
                            .formatted(file, window.size()));
        }
        final int magic = window.getInt(0, ByteOrder.BIG_ENDIAN);
        if (magic == PcapngFormat.SECTION_HEADER) {
            final PcapngFormat format = new PcapngFormat(window, handler);
            final CaptureEnd ending = format.read();
            dropped = format.dropped();
            return ending;
        }
        return PcapFormat.of(magic, window, handler)
                .orElseThrow(() -> UserError.usage("%s, byte 0: %s.".formatted(file, not(magic))))
                .read();
    }

    private static String not(final int magic) {
        if (magic >>> Short.SIZE == GZIP) {
            return "this is a compressed file; unpack it with gunzip first";
        }
        if (Integer.reverseBytes(magic) == ZSTANDARD) {
            return "this is a compressed file; unpack it with unzstd first";
        }
        return "%08x does not begin a capture file of a known kind (pcap, pcapng)".formatted(magic);
    }

    /**
     * Packets that the capture lost, as far as the file says so (pcapng may); after reading.
     *
     * @return the count, empty where the file does not say
     */
    public OptionalLong dropped() {
        return dropped < 0 ? OptionalLong.empty() : OptionalLong.of(dropped);
    }

    /**
     * The classic format: a header of 24 bytes, then records of 16 bytes and a packet
     * (draft-ietf-opsawg-pcap, sections 4 and 5). Byte order and the unit of fractions of a second
     * are told by the first four bytes.
     */
    private static final class PcapFormat {
        private static final int MICROSECONDS = 0xa1b2c3d4;
        private static final int NANOSECONDS = 0xa1b23c4d;
        private static final int HEADER_BYTES = 24;
        private static final int LINK_TYPE_OFFSET = 20;

        /**
         * Above it stands how long the check sequence is at the end of each frame, where the file
         * has them: bytes after the IP datagram, whose own length leaves them out.
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

        /**
         * A reader of the format that these first four bytes, taken as big-endian, tell; or none.
         */
        static Optional<PcapFormat> of(
                final int magic, final FileWindow window, final PacketHandler handler) {
            final int swapped = Integer.reverseBytes(magic);
            if (magic == MICROSECONDS || magic == NANOSECONDS) {
                return Optional.of(
                        new PcapFormat(window, handler, ByteOrder.BIG_ENDIAN, unitNs(magic)));
            }
            return swapped == MICROSECONDS || swapped == NANOSECONDS
                    ? Optional.of(
                            new PcapFormat(
                                    window, handler, ByteOrder.LITTLE_ENDIAN, unitNs(swapped)))
                    : Optional.empty();
        }

        private static long unitNs(final int magic) {
            return magic == NANOSECONDS ? 1 : MICROSECOND_NS;
        }

        CaptureEnd read() {
            final long size = window.size();
            if (size < HEADER_BYTES) {
                return CaptureEnd.cutOff(0, "the file header");
            }
            final int linkType = window.getInt(LINK_TYPE_OFFSET, order) & LINK_TYPE_MASK;
            final UnsafeBuffer buffer = window.buffer();
            long at = HEADER_BYTES;
            while (at < size) {
                if (size - at < RECORD_BYTES) {
                    return CaptureEnd.cutOff(at, "a packet");
                }
                final int record = window.at(at, RECORD_BYTES);
                final int captured = buffer.getInt(record + 8, order);
                if (captured < 0 || captured > CaptureFile.MAX_RECORD_BYTES) {
                    return CaptureEnd.broken(
                            at,
                            "a packet that says it has %d bytes (at most %d are taken)"
                                    .formatted(
                                            captured & 0xffff_ffffL, CaptureFile.MAX_RECORD_BYTES));
                }
                if (size - at - RECORD_BYTES < captured) {
                    return CaptureEnd.cutOff(at, "a packet");
                }
                final int whole = window.at(at, RECORD_BYTES + captured);
                final long seconds = buffer.getInt(whole, order) & 0xffff_ffffL;
                final long fraction = buffer.getInt(whole + 4, order) & 0xffff_ffffL;
                packet.bytes(
                        buffer, whole + RECORD_BYTES, captured, buffer.getInt(whole + 12, order));
                packet.stamp(seconds * SECOND_NS + fraction * unitNs, linkType, at);
                handler.onPacket(packet);
                at += RECORD_BYTES + captured;
            }
            return CaptureEnd.whole(size);
        }
    }

    /**
     * The block format (draft-ietf-opsawg-pcapng): sections, each with its own byte order,
     * interfaces and packets. Packets without a time (simple packet blocks) are handed on at the
     * time of the one before; blocks of other kinds are passed over.
     */
    private static final class PcapngFormat {
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

        /** Of earlier sections; -1 where no statistics block was there. */
        private long droppedBefore = -1;

        /**
         * Of this section, by the number of the interface and the option: each block counts from
         * the beginning of the capture (section 4.6 of the draft), so the last one counts.
         */
        private final Map<Long, Long> dropped = new HashMap<>();

        PcapngFormat(final FileWindow window, final PacketHandler handler) {
            this.window = window;
            this.handler = handler;
            buffer = window.buffer();
        }

        /** What the last statistics of all interfaces add up to, -1 where there are none. */
        long dropped() {
            return dropped.isEmpty()
                    ? droppedBefore
                    : Math.max(0, droppedBefore)
                            + dropped.values().stream().mapToLong(Long::longValue).sum();
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
                    if (magic != BYTE_ORDER_MAGIC
                            && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
                        return CaptureEnd.broken(at, "a section header without byte-order magic");
                    }
                    order =
                            magic == BYTE_ORDER_MAGIC
                                    ? ByteOrder.BIG_ENDIAN
                                    : ByteOrder.LITTLE_ENDIAN;
                    interfaces.clear();
                    droppedBefore = dropped();
                    dropped.clear();
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
                        case INTERFACE,
                                OBSOLETE_PACKET,
                                SIMPLE_PACKET,
                                STATISTICS,
                                ENHANCED_PACKET ->
                                true;
                        default -> false;
                    };
            if (!isKnown) {
                return "";
            }
            if (length > MAX_BLOCK_BYTES) {
                return "a block of %d bytes (at most %d are taken)"
                        .formatted(length, MAX_BLOCK_BYTES);
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
                                : timed(
                                        buffer.getInt(block + BODY, order),
                                        block + BODY + 4,
                                        end,
                                        at);
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
            if (captured < 0
                    || captured > end - offset
                    || captured > CaptureFile.MAX_RECORD_BYTES) {
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
            final int number = buffer.getInt(body, order);
            if (number < 0 || number >= interfaces.size()) {
                return "statistics of interface %d, of which there are %d"
                        .formatted(number & 0xffff_ffffL, interfaces.size());
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
                            dropped.put(
                                    (long) number << Short.SIZE | code,
                                    Math.max(0, buffer.getLong(offset, order)));
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
                    final DirectBuffer buffer,
                    final int body,
                    final int end,
                    final ByteOrder order) {
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
             * Goes through them; those that do not fit the block end it, as nothing depends on
             * them.
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

    /**
     * A file, read piece by piece into one buffer that the processor's cache holds: the memory of
     * the process does not grow with the file, and the decoder finds the bytes in the cache.
     * Copying them costs less than the page faults and cache misses of a mapping, and a file that
     * is cut meanwhile is an error and not a signal. Single-threaded.
     */
    private static final class FileWindow implements AutoCloseable {
        /** A part of a processor's second cache, many packets long. */
        static final int WINDOW_BYTES = 1 << 18;

        private final FileChannel channel;
        private final long size;
        private final UnsafeBuffer buffer = new UnsafeBuffer();
        private ByteBuffer bytes;
        private long begin;

        FileWindow(final Path file, final int windowBytes) throws IOException {
            bytes = ByteBuffer.allocateDirect(windowBytes).limit(0);
            channel = FileChannel.open(file, StandardOpenOption.READ);
            size = channel.size();
        }

        /** Length of the file when it was opened. */
        long size() {
            return size;
        }

        /** The bytes that the last {@link #at} made readable. */
        UnsafeBuffer buffer() {
            return buffer;
        }

        /** Makes bytes of the file readable; the offset of the first in {@link #buffer()}. */
        int at(final long position, final int length) {
            final long offset = position - begin;
            if (offset >= 0 && offset + length <= buffer.capacity()) {
                return (int) offset;
            }
            move(position, length);
            return 0;
        }

        private void move(final long position, final int length) {
            if (position + length > size) {
                throw new IllegalArgumentException(
                        "bytes %d to %d of %d".formatted(position, position + length, size));
            }
            if (length > bytes.capacity()) {
                bytes = ByteBuffer.allocateDirect(length);
            }
            bytes.clear();
            begin = position;
            try {
                while (bytes.hasRemaining()
                        && channel.read(bytes, position + bytes.position()) > 0) {
                    // more may follow
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
            if (bytes.position() < length) {
                throw new UncheckedIOException(
                        new EOFException("became shorter while it was read"));
            }
            buffer.wrap(bytes, 0, bytes.position());
        }

        int getInt(final long position, final ByteOrder order) {
            final int offset = at(position, Integer.BYTES);
            return buffer.getInt(offset, order);
        }

        @Override
        public void close() {
            buffer.wrap(0, 0);
            try {
                channel.close();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Takes packets one by one. */
    @FunctionalInterface
    public interface PacketHandler {
        /**
         * A packet.
         *
         * @param packet valid until this returns
         */
        void onPacket(Packet packet);
    }
}

package io.tickmark.wire.file;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
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
                            + (Files.exists(file) ? " is no file" : " does not exist")
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
                    file + " became shorter while it was read; read it again when it is written.",
                    e);
        }
        return UserError.environment(file + " cannot be read (" + IoReason.of(e) + ").", e);
    }

    private CaptureEnd read(final FileWindow window, final PacketHandler handler) {
        if (window.size() < Integer.BYTES) {
            throw UserError.usage(
                    "%s has %d bytes: that is no capture file (pcap or pcapng)."
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
        return "%08x begins no capture file that is known (pcap, pcapng)".formatted(magic);
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
         * has them: bytes behind the IP datagram, whose own length leaves them out.
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
}

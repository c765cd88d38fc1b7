package io.tickmark.wire.file;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

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
    public Ending read(final PacketHandler handler) {
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

    private Ending read(final FileWindow window, final PacketHandler handler) {
        if (window.size() < Integer.BYTES) {
            throw UserError.usage(
                    "%s has %d bytes: that is no capture file (pcap or pcapng)."
                            .formatted(file, window.size()));
        }
        final int magic = window.getInt(0, ByteOrder.BIG_ENDIAN);
        if (magic == PcapngFormat.SECTION_HEADER) {
            final PcapngFormat format = new PcapngFormat(window, handler);
            final Ending ending = format.read();
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
}

package io.tickmark.lab.control;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * What a role process wrote besides messages: in its {@code role.log} up to a bound, the rest
 * counted. Never fails; any thread.
 */
final class RoleLog implements AutoCloseable {
    /** Most that is kept. */
    static final long KEPT_BYTES = 4L << 20;

    /** More than this is a flood. */
    static final long FLOOD_BYTES = 16L << 20;

    private static final int LONGEST_LAST_LINE = 300;

    private final OutputStream out;
    private final StringBuilder lastLine = new StringBuilder();
    private String lastWords = "";
    private long written;

    RoleLog(final Optional<Path> file) {
        out = file.map(RoleLog::open).orElseGet(OutputStream::nullOutputStream);
    }

    private static OutputStream open(final Path file) {
        try {
            return Files.newOutputStream(
                    file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            return OutputStream.nullOutputStream(); // the run tells about its folder elsewhere
        }
    }

    /** Takes bytes; true while it is no flood. */
    synchronized boolean add(final byte[] bytes, final int length) {
        final int kept = (int) Math.max(0, Math.min(length, KEPT_BYTES - written));
        try {
            out.write(bytes, 0, kept);
        } catch (final IOException e) {
            // a full disk costs the log and not the measurement
        }
        written += length;
        for (int i = 0; i < length; i++) {
            remember((char) (bytes[i] & 0xff));
        }
        return written <= FLOOD_BYTES;
    }

    synchronized void addLine(final String line) {
        final byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        add(bytes, bytes.length);
    }

    private void remember(final char c) {
        if (c == '\n') {
            if (!lastLine.toString().isBlank()) {
                lastWords = lastLine.toString();
            }
            lastLine.setLength(0);
        } else if (lastLine.length() < LONGEST_LAST_LINE) {
            lastLine.append(c < ' ' || c > '~' ? '?' : c);
        }
    }

    /** The last line that is not blank. */
    synchronized String lastWords() {
        return lastLine.toString().isBlank() ? lastWords : lastLine.toString();
    }

    @Override
    public synchronized void close() {
        try (out) {
            if (written > KEPT_BYTES) {
                out.write(
                        ("\n... and %d bytes more.\n".formatted(written - KEPT_BYTES))
                                .getBytes(StandardCharsets.UTF_8));
            }
        } catch (final IOException e) {
            // as above
        }
    }
}

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

    /** Why not all of it is in its file; empty where it is, and once it is told. */
    private Optional<IOException> loss = Optional.empty();

    private boolean hasLost;

    RoleLog(final Optional<Path> file) {
        out = file.map(this::open).orElseGet(OutputStream::nullOutputStream);
    }

    private OutputStream open(final Path file) {
        try {
            return Files.newOutputStream(
                    file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            lose(e);
            return OutputStream.nullOutputStream();
        }
    }

    /** Takes bytes; true while it is no flood. */
    synchronized boolean add(final byte[] bytes, final int length) {
        final int kept = (int) Math.max(0, Math.min(length, KEPT_BYTES - written));
        try {
            out.write(bytes, 0, kept);
        } catch (final IOException e) {
            lose(e); // a full disk costs the log and not the measurement
        }
        written += length;
        for (int i = 0; i < length; i++) {
            remember((char) (bytes[i] & 0xff));
        }
        return written <= FLOOD_BYTES;
    }

    private void lose(final IOException e) {
        if (!hasLost) {
            hasLost = true;
            loss = Optional.of(e);
        }
    }

    /** Why its file lacks something, told once. */
    synchronized Optional<IOException> takeLoss() {
        final Optional<IOException> taken = loss;
        loss = Optional.empty();
        return taken;
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

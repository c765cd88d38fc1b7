package io.tickmark.engines.redis;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The append-only files of a server, read directly: commands as clients send them (Redis
 * documentation, "Redis serialization protocol specification"): {@code *N\r\n}, then N times {@code
 * $LENGTH\r\n} with that many bytes and {@code \r\n}. Servers that we start never rewrite them, so
 * they contain every message. Malformed data ends the reading, as it does for the server.
 */
final class AppendOnlyFiles implements StoredFiles {
    private static final String FOLDER = "appendonlydir";
    private static final String SUFFIX = ".incr.aof";
    private static final byte[] ADD = {'X', 'A', 'D', 'D'};
    private static final byte[] TRIM = {'X', 'T', 'R', 'I', 'M'};
    private static final int READ_BYTES = 1 << 20;
    private static final int MOST_PARTS = 1 << 20;
    private static final int MOST_BYTES = 512 << 20;

    private final Path folder;
    private final byte[] key;

    /** Of one stream in the folder of a server. */
    AppendOnlyFiles(final Path member, final byte[] key) {
        folder = member.resolve(FOLDER);
        this.key = key;
    }

    /** Counts the messages that are not deleted; a server that never started has no files. */
    @Override
    public Verification verify() {
        if (!Files.isDirectory(folder)) {
            return Verification.EMPTY;
        }
        final Tally tally = new Tally(firstKept(), -1, null);
        final Tally found = walk(tally);
        return new Verification(found.messages, found.torn, found.corrupted);
    }

    /**
     * Passes on whole messages that are not deleted.
     *
     * @return how many
     * @throws UncheckedIOException if they cannot be read or there is no folder for them, which
     *     does not show that nothing was stored
     */
    @Override
    public long read(final long fromOrdinal, final MessageHandler handler) {
        return walk(new Tally(firstKept(), fromOrdinal, handler)).handed;
    }

    private long firstKept() {
        return walk(new Tally(0, -1, null)).trimmedBelow;
    }

    private Tally walk(final Tally tally) {
        try {
            for (final Path file : files()) {
                try (Commands commands = new Commands(file)) {
                    List<byte[]> command = commands.next();
                    while (!command.isEmpty()) {
                        tally.onCommand(command);
                        command = commands.next();
                    }
                    tally.torn += commands.torn;
                    tally.corrupted += commands.isMalformed ? 1 : 0;
                }
            }
            return tally;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    /** The result of the commands for one stream. */
    private final class Tally {
        private final long firstKept;
        private final long fromOrdinal;
        private final MessageHandler handler;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long messages;
        private long corrupted;
        private long torn;
        private long handed;
        private long trimmedBelow;

        Tally(final long firstKept, final long fromOrdinal, final MessageHandler handler) {
            this.firstKept = firstKept;
            this.fromOrdinal = fromOrdinal;
            this.handler = handler;
        }

        void onCommand(final List<byte[]> command) {
            if (command.size() < 4 || !Arrays.equals(command.get(1), key)) {
                return;
            }
            if (Arrays.equals(command.getFirst(), TRIM)) {
                trimmedBelow = Math.max(trimmedBelow, ordinal(command.getLast()));
            } else if (Arrays.equals(command.getFirst(), ADD)) {
                onAdded(command);
            }
        }

        private void onAdded(final List<byte[]> command) {
            if (command.size() != 7) {
                corrupted++;
                return;
            }
            final StoredEntry entry =
                    new StoredEntry(ordinal(command.get(2)), command.get(4), command.get(6));
            if (!entry.isWhole()) {
                corrupted++;
            } else if (entry.ordinal() >= firstKept) {
                messages++;
                if (handler != null && entry.ordinal() >= fromOrdinal) {
                    buffer.wrap(entry.payload());
                    handler.onMessage(buffer, 0, entry.payload().length);
                    handed++;
                }
            }
        }

        private static long ordinal(final byte[] id) {
            try {
                return StoredEntry.ordinal(new String(id, StandardCharsets.US_ASCII));
            } catch (final NumberFormatException e) {
                return -1; // an invalid id does not belong to one of our messages
            }
        }
    }

    /** Reads a file command by command. */
    private static final class Commands implements AutoCloseable {
        private final InputStream in;
        private final long length;
        private long at;
        private long torn;
        private boolean isMalformed;

        Commands(final Path file) throws IOException {
            length = Files.size(file);
            in = new BufferedInputStream(Files.newInputStream(file), READ_BYTES);
        }

        /** The parts of the next command; empty at the end, and where it cannot be read. */
        List<byte[]> next() throws IOException {
            final long startedAt = at;
            final long parts = number('*', MOST_PARTS);
            if (parts < 1) {
                return end(startedAt);
            }
            final byte[][] command = new byte[(int) parts][];
            for (int i = 0; i < parts; i++) {
                final long bytes = number('$', Math.min(MOST_BYTES, length - at));
                if (bytes < 0) {
                    return end(startedAt);
                }
                command[i] = in.readNBytes((int) bytes);
                at += command[i].length;
                if (command[i].length < bytes || !reads('\r') || !reads('\n')) {
                    return end(startedAt);
                }
            }
            return List.of(command);
        }

        private List<byte[]> end(final long startedAt) {
            torn = length - startedAt;
            return List.of();
        }

        /** A number after its mark; -1 where the file ends, or something else is there. */
        private long number(final char mark, final long most) throws IOException {
            if (!reads(mark)) {
                return -1;
            }
            long value = 0;
            int digits = 0;
            int next = read();
            while (next >= '0' && next <= '9' && digits < 10) {
                value = value * 10 + next - '0';
                digits++;
                next = read();
            }
            if (next == '\r' && digits > 0 && value <= most && reads('\n')) {
                return value;
            }
            isMalformed |= at < length && (next != '\r' || digits == 0);
            return -1;
        }

        private boolean reads(final char expected) throws IOException {
            final int next = read();
            isMalformed |= next >= 0 && next != expected;
            return next == expected;
        }

        private int read() throws IOException {
            final int next = in.read();
            at += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}

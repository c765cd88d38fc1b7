package io.tickmark.lab.protocol;

import io.tickmark.lab.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** Bounded lines, and messages on them. */
public final class Lines {
    /** Longest line, including its line end. */
    public static final int MAX_BYTES = 1 << 20;

    private Lines() {}

    /** Reads lines; one thread. */
    public static final class Reader {
        private final InputStream in;
        private final byte[] chunk = new byte[8192];
        private int next;
        private int end;
        private byte[] line = new byte[256];

        /**
         * Reads from a stream.
         *
         * @param in not used by other readers
         */
        public Reader(final InputStream in) {
            this.in = in;
        }

        /**
         * The next line; waits for it.
         *
         * @return without its end, empty when there is no more; a last line without an end counts
         * @throws ProtocolException if it is longer than {@link #MAX_BYTES}
         * @throws IOException if the stream fails
         */
        public Optional<String> next() throws IOException {
            int length = 0;
            while (true) {
                if (next == end) {
                    next = 0;
                    end = Math.max(0, in.read(chunk));
                    if (end == 0) {
                        return length == 0 ? Optional.empty() : Optional.of(text(length));
                    }
                }
                final int from = next;
                while (next < end && chunk[next] != '\n') {
                    next++;
                }
                if (length + next - from > MAX_BYTES) {
                    throw new ProtocolException("a line is longer than " + MAX_BYTES + " bytes");
                }
                final boolean isWhole = next < end;
                if (isWhole && length == 0) {
                    return Optional.of(
                            new String(chunk, from, next++ - from, StandardCharsets.UTF_8));
                }
                length = append(from, length);
                if (isWhole) {
                    next++;
                    return Optional.of(text(length));
                }
            }
        }

        private int append(final int from, final int length) {
            final int longer = length + next - from;
            if (longer > line.length) {
                line = Arrays.copyOf(line, Math.max(longer, Math.min(2 * length, MAX_BYTES)));
            }
            System.arraycopy(chunk, from, line, length, next - from);
            return longer;
        }

        private String text(final int length) {
            return new String(line, 0, length, StandardCharsets.UTF_8);
        }
    }

    /**
     * Parses a line.
     *
     * @param <M> {@link ToRole} or {@link FromRole}
     * @param line as read
     * @param type of message
     * @return the message
     * @throws ProtocolException if it is not a message
     */
    public static <M> M parse(final String line, final Class<M> type) throws ProtocolException {
        try {
            final M message = Json.line().readValue(line, type);
            if (message == null) {
                throw new ProtocolException("null is not a message");
            }
            return message;
        } catch (final JacksonException e) {
            throw new ProtocolException(e.getOriginalMessage());
        }
    }

    /**
     * Sends a message; any thread.
     *
     * @param out to write to; also the lock
     * @param message to send
     * @throws ProtocolException if it would be longer than {@link #MAX_BYTES}
     * @throws IOException if the other side is gone
     */
    public static void send(final OutputStream out, final Object message) throws IOException {
        final byte[] line =
                (Json.line().writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
        if (line.length > MAX_BYTES) {
            throw new ProtocolException("a message of " + line.length + " bytes is too long");
        }
        synchronized (out) {
            out.write(line);
            out.flush();
        }
    }
}

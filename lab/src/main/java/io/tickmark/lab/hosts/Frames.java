package io.tickmark.lab.hosts;

import io.tickmark.lab.json.Json;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * Several streams on one: each frame is the number of its channel and the length of its bytes, both
 * as four bytes with the highest first, and the bytes. Channel 0 carries messages in JSON, channel
 * 1 files, and of process n channel {@code 4n} its input, {@code 4n + 1} its output, {@code 4n + 2}
 * its errors. A frame without bytes ends the stream. Writing is thread-safe; one thread reads.
 */
final class Frames {
    static final int MESSAGES = 0;
    static final int FILES = 1;
    static final int OUTPUT = 1;
    static final int ERRORS = 2;

    /** Most bytes in a frame. */
    static final int MAX_BYTES = 1 << 20;

    /** Sent first, so that output of a login shell is distinguished from an agent. */
    static final byte[] MAGIC = "tickmark-agent\n".getBytes(StandardCharsets.US_ASCII);

    private final DataInputStream in;
    private final DataOutputStream out;

    Frames(final InputStream in, final OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(out);
    }

    /** One frame. */
    record Frame(int channel, byte[] bytes) {
        int process() {
            return channel >>> 2;
        }

        int stream() {
            return channel & 3;
        }
    }

    static int input(final int process) {
        return 4 * process;
    }

    static int output(final int process) {
        return 4 * process + OUTPUT;
    }

    static int errors(final int process) {
        return 4 * process + ERRORS;
    }

    /** Writes bytes, in as many frames as they need; an empty array ends the stream. */
    void write(final int channel, final byte[] bytes, final int offset, final int length)
            throws IOException {
        synchronized (out) {
            int at = offset;
            int left = length;
            do {
                final int part = Math.min(left, MAX_BYTES);
                out.writeInt(channel);
                out.writeInt(part);
                out.write(bytes, at, part);
                at += part;
                left -= part;
            } while (left > 0);
            out.flush();
        }
    }

    void end(final int channel) throws IOException {
        write(channel, new byte[0], 0, 0);
    }

    void say(final Object message) throws IOException {
        final byte[] text =
                Json.line().writeValueAsString(message).getBytes(StandardCharsets.UTF_8);
        if (text.length > MAX_BYTES) {
            throw new IOException("a message of " + text.length + " bytes is too long");
        }
        write(MESSAGES, text, 0, text.length);
    }

    /** The next frame, empty at the end of the stream. */
    Optional<Frame> next() throws IOException {
        final int channel;
        try {
            channel = in.readInt();
        } catch (final EOFException e) {
            return Optional.empty();
        }
        final int length = in.readInt();
        if (channel < 0 || length < 0 || length > MAX_BYTES) {
            throw new IOException(
                    "no frame of an agent: channel " + channel + ", " + length + " bytes");
        }
        final byte[] bytes = new byte[length];
        in.readFully(bytes);
        return Optional.of(new Frame(channel, bytes));
    }

    static <M> M message(final Frame frame, final Class<M> type) throws IOException {
        try {
            return Json.line().readValue(new String(frame.bytes(), StandardCharsets.UTF_8), type);
        } catch (final JacksonException e) {
            throw new IOException("not understood: " + e.getOriginalMessage(), e);
        }
    }
}

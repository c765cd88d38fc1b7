package io.tickmark.workloads.feed.client;

import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Parses responses of one connection in place, leaving only their bodies, one after the other.
 * Single-threaded; allocates only for heads.
 */
final class ResponseBody {
    private static final int HEXADECIMAL = 16;

    private enum Part {
        HEAD,
        SIZE,
        EXTENSION,
        DATA,
        AFTER_DATA,
        AFTER_LAST
    }

    private final ResponseHead head = new ResponseHead();
    private Part part = Part.HEAD;
    private int left;
    private long whole;
    private int keptHead;

    /** Number of complete responses. */
    long whole() {
        return whole;
    }

    /** Bytes at the end that belong to an incomplete head. */
    int keptHead() {
        return keptHead;
    }

    /**
     * Parses bytes.
     *
     * @param buffer that holds them
     * @param from where they begin; the bodies are moved here
     * @param end of them
     * @return end of the bodies; {@link #keptHead} bytes follow
     */
    int read(final UnsafeBuffer buffer, final int from, final int end) throws IOException {
        int at = from;
        int to = from;
        keptHead = 0;
        while (at < end) {
            if (part == Part.HEAD) {
                final int bodyAt = head.read(buffer, at, end);
                if (!head.isWhole()) {
                    keptHead = end - at;
                    buffer.putBytes(to, buffer, at, keptHead);
                    return to;
                }
                at = bodyAt;
                begin();
            } else if (part == Part.DATA) {
                final int length = Math.min(left, end - at);
                buffer.putBytes(to, buffer, at, length);
                to += length;
                at += length;
                left -= length;
                if (left == 0) {
                    endData();
                }
            } else {
                between(buffer.getByte(at++));
            }
        }
        return to;
    }

    private void begin() {
        if (head.isChunked()) {
            left = 0;
            part = Part.SIZE;
        } else {
            left = head.contentLength();
            part = Part.DATA;
            if (left == 0) {
                end();
            }
        }
    }

    private void endData() {
        if (head.isChunked()) {
            part = Part.AFTER_DATA;
        } else {
            end();
        }
    }

    private void end() {
        head.clear();
        part = Part.HEAD;
        whole++;
    }

    /** A byte of the framing of chunks. */
    private void between(final byte c) throws IOException {
        if (c == '\n') {
            line();
        } else if (part == Part.SIZE && c != '\r') {
            final int digit = Character.digit(c, HEXADECIMAL);
            if (digit < 0 && c != ';' || left >> 24 != 0) {
                throw new IOException("what it answers is not HTTP");
            }
            part = digit < 0 ? Part.EXTENSION : part;
            left = digit < 0 ? left : left * HEXADECIMAL + digit;
        }
    }

    /** A line of the framing of chunks has ended. */
    private void line() {
        switch (part) {
            case SIZE, EXTENSION -> part = left == 0 ? Part.AFTER_LAST : Part.DATA;
            case AFTER_DATA -> part = Part.SIZE;
            default -> end();
        }
    }
}

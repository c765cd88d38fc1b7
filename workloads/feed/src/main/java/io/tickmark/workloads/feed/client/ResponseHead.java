package io.tickmark.workloads.feed.client;

import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;

/** The head of a response (RFC 9112); allocates, once for each. */
final class ResponseHead {
    private static final String END = "\r\n\r\n";
    private static final int MAX_BYTES = 16_384;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int STATUS_END = STATUS_AT + 3;
    private static final int SWITCHING = 101;
    private static final int REFUSED = 300;
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+)\r\n");
    private static final Pattern DETAIL = Pattern.compile("\"detail\":\"([^\"]*)\"");

    private boolean isWhole;
    private boolean isChunked;
    private int contentLength;

    boolean isWhole() {
        return isWhole;
    }

    boolean isChunked() {
        return isChunked;
    }

    /** Bytes of a body that is not in chunks. */
    int contentLength() {
        return contentLength;
    }

    void clear() {
        isWhole = false;
    }

    /** Reads the head if it is complete; returns its end, or {@code from} if it is not. */
    int read(final DirectBuffer buffer, final int from, final int end) throws IOException {
        final String text = buffer.getStringWithoutLengthAscii(from, end - from);
        final int headEnd = text.indexOf(END);
        if (headEnd < 0) {
            if (text.length() > MAX_BYTES) {
                throw new IOException("its response is not HTTP");
            }
            return from;
        }
        final String head = text.substring(0, headEnd + 2).toLowerCase(Locale.ROOT);
        final int status = status(head);
        if (status >= REFUSED || status < SWITCHING) {
            final Matcher detail = DETAIL.matcher(text);
            throw new IOException(
                    detail.find() ? detail.group(1) : text.lines().findFirst().orElse("no answer"));
        }
        isChunked = head.contains("\r\ntransfer-encoding: chunked\r\n");
        final Matcher length = LENGTH.matcher(head);
        contentLength = length.find() ? Integer.parseInt(length.group(1)) : 0;
        isWhole = true;
        return from + headEnd + END.length();
    }

    private static int status(final String head) throws IOException {
        try {
            return Integer.parseInt(head.substring(STATUS_AT, STATUS_END));
        } catch (final NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new IOException("its response is not HTTP", e);
        }
    }
}

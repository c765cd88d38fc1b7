package io.tickmark.wire.fix;

import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes FIX messages of readable text, {@code |} for SOH. */
public final class FixText {
    private FixText() {}

    /** A whole message with right length and checksum around these fields. */
    public static String message(final String fields) {
        return framed("FIX.4.4", fields);
    }

    public static String framed(final String version, final String fields) {
        final String body = fields.endsWith("|") ? fields : fields + "|";
        final String head = "8=" + version + "|9=" + body.length() + "|" + body;
        int sum = 0;
        for (final byte each : bytes(head)) {
            sum += each & 0xff;
        }
        return head + "10=%03d|".formatted(sum & 0xff);
    }

    public static byte[] bytes(final String text) {
        return text.replace('|', '\u0001').getBytes(StandardCharsets.ISO_8859_1);
    }

    public static UnsafeBuffer buffer(final String text) {
        return new UnsafeBuffer(bytes(text));
    }
}

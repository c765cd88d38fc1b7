package io.tickmark.engines.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import java.io.IOException;

/** Reads what a server answers to a message that is to be stored. */
final class Acknowledgement {
    /** Nobody took the message: the stream has no leader, or JetStream is not ready. */
    static final long NOBODY = -1;

    /** Refused; {@link #reason} tells why. */
    static final long REFUSED = -2;

    private static final byte[] SEQUENCE =
            "\"seq\":".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private static final byte[] ERROR =
            "{\"error\"".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private Acknowledgement() {}

    /** The message's sequence in the stream, from 1, or a negative code. */
    static long sequence(final Message answer) {
        if (answer.isStatusMessage()) {
            return NOBODY;
        }
        final byte[] json = answer.getData();
        if (startsWith(json, 0, ERROR)) {
            return REFUSED;
        }
        for (int i = 0; i < json.length - SEQUENCE.length; i++) {
            if (startsWith(json, i, SEQUENCE)) {
                return number(json, i + SEQUENCE.length);
            }
        }
        return REFUSED;
    }

    private static boolean startsWith(final byte[] text, final int at, final byte[] wanted) {
        return at + wanted.length <= text.length
                && java.util.Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length);
    }

    private static long number(final byte[] json, final int from) {
        long value = 0;
        for (int i = from; i < json.length; i++) {
            final int digit = json[i] - '0';
            if (digit < 0 || digit > 9) {
                if (value > 0) {
                    break;
                }
            } else {
                value = value * 10 + digit;
            }
        }
        return value > 0 ? value : REFUSED;
    }

    /** Which message it answers: the last token of its subject. */
    static long ordinal(final Message answer) {
        final String subject = answer.getSubject();
        return Long.parseLong(subject, subject.lastIndexOf('.') + 1, subject.length(), 10);
    }

    /** Why it was refused. */
    static Reason reason(final Message answer) {
        try {
            return new Reason(0, "an answer without a sequence: " + new PublishAck(answer));
        } catch (final JetStreamApiException e) {
            return new Reason(e.getApiErrorCode(), e.getErrorDescription());
        } catch (final IOException e) {
            return new Reason(0, Connections.sentencePart(e));
        }
    }

    /**
     * Why a message was refused.
     *
     * @param code of JetStream's
     * @param text in words
     */
    record Reason(int code, String text) {
        private static final int WRONG_LAST_SEQUENCE = 10_071;

        /** One before it is missing, or somebody else wrote. */
        boolean isOutOfPlace() {
            return code == WRONG_LAST_SEQUENCE;
        }
    }
}

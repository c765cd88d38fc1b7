package io.tickmark.workloads.fix.message;

import io.tickmark.workloads.fix.session.InboundMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the stamp of a message, directly where it is as {@link StampedMessage} writes it.
 * Single-threaded, allocates nothing.
 */
public final class StampFields {
    private static final byte SOH = 1;
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int FIELDS = 6;
    private static final int[] WIDTHS = {
        1,
        StampTags.TIME_DIGITS,
        StampTags.TIME_DIGITS,
        StampTags.PRODUCER_DIGITS + 1 + StampTags.NUMBER_DIGITS,
        StampTags.NUMBER_DIGITS,
        16
    };
    private static final int TAG_BYTES = 5;

    private final int[] offsets = new int[FIELDS];
    private final int length;
    private byte[] bytes;
    private int begin;

    /** A reader. */
    public StampFields() {
        int at = 0;
        for (int i = 0; i < FIELDS; i++) {
            offsets[i] = at + TAG_BYTES;
            at += TAG_BYTES + WIDTHS[i] + 1;
        }
        length = at;
    }

    /**
     * Looks for the fields, from the first one after the header.
     *
     * @param message received
     * @return whether they are present
     */
    public boolean wrap(final InboundMessage message) {
        bytes = message.bytes();
        int at = message.fieldsBegin();
        final int end = message.fieldsEnd();
        while (end - at >= length) {
            if (isFirst(at)) {
                begin = at;
                return isWhole();
            }
            while (at < end && bytes[at] != SOH) {
                at++;
            }
            at++;
        }
        return false;
    }

    private boolean isFirst(final int at) {
        return bytes[at] == '9'
                && bytes[at + 1] == '7'
                && bytes[at + 2] == '0'
                && bytes[at + 3] == '0'
                && bytes[at + 4] == '=';
    }

    /** Every field begins with 970 and its number, and ends where it should. */
    private boolean isWhole() {
        for (int i = 0; i < FIELDS; i++) {
            final int value = begin + offsets[i];
            if (bytes[value - 1] != '='
                    || bytes[value - 2] != '0' + i
                    || bytes[value - 3] != '0'
                    || bytes[value + WIDTHS[i]] != SOH) {
                return false;
            }
        }
        return isNumber(begin + offsets[3], StampTags.PRODUCER_DIGITS);
    }

    /** A foreign gateway may send anything; the producer's number is an index. */
    private boolean isNumber(final int from, final int digits) {
        for (int i = from; i < from + digits; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
        }
        return true;
    }

    /** Eight digits at a time, in three multiplications. */
    private long number(final int from, final int digits) {
        final int end = from + digits;
        int at = from;
        long value = 0;
        for (; (end - at & Long.BYTES - 1) != 0; at++) {
            value = value * 10 + (bytes[at] - '0');
        }
        for (; at < end; at += Long.BYTES) {
            value = value * 100_000_000 + eight((long) WORD.get(bytes, at));
        }
        return value;
    }

    /** Neighbours are joined: digits to pairs, pairs to fours, fours to the number. */
    private static long eight(final long text) {
        long left = text & 0x0f0f_0f0f_0f0f_0f0fL;
        left = left * 10 + (left >>> 8) & 0x00ff_00ff_00ff_00ffL;
        left = left * 100 + (left >>> 16) & 0x0000_ffff_0000_ffffL;
        return (left * 10_000 + (left >>> 32)) & 0xffff_ffffL;
    }

    /**
     * Whether the message was to fan out.
     *
     * @return true where its producer marked it
     */
    public boolean isMarked() {
        return bytes[begin + offsets[0]] == 'Y';
    }

    /**
     * Intended time.
     *
     * @return ns
     */
    public long intendedNs() {
        return number(begin + offsets[1], StampTags.TIME_DIGITS);
    }

    /**
     * Actual send time.
     *
     * @return ns
     */
    public long sentNs() {
        return number(begin + offsets[2], StampTags.TIME_DIGITS);
    }

    /**
     * The producer.
     *
     * @return from 1
     */
    public int producer() {
        return (int) number(begin + offsets[3], StampTags.PRODUCER_DIGITS);
    }

    /**
     * The part of the run.
     *
     * @return ordinal of a {@link StampTags.Phase}
     */
    public int phase() {
        return bytes[begin + offsets[3] + StampTags.PRODUCER_DIGITS] - '0';
    }

    /**
     * Number among those of the producer and phase that fan out.
     *
     * @return from 0
     */
    public long fanOutNumber() {
        return number(begin + offsets[4], StampTags.NUMBER_DIGITS);
    }

    /**
     * Whether the message was created on a host.
     *
     * @param hostId its identity, as 16 hexadecimal digits
     * @return true if it was
     */
    public boolean isOfHost(final byte[] hostId) {
        final int at = begin + offsets[5];
        return java.util.Arrays.equals(bytes, at, at + hostId.length, hostId, 0, hostId.length);
    }
}

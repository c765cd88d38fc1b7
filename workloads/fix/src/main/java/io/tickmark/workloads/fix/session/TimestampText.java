package io.tickmark.workloads.fix.session;

import org.agrona.DirectBuffer;

/**
 * A UTCTimestamp with milliseconds, {@code 20261120-09:30:00.123}: written once for each
 * millisecond and copied from then on. Single-threaded, allocates nothing.
 */
public final class TimestampText {
    /** Bytes of the text. */
    public static final int LENGTH = 21;

    /** Bytes up to the second. */
    static final int SECONDS_LENGTH = 17;

    private static final long DAY_MS = 86_400_000;

    private final byte[] bytes =
            "19700101-00:00:00.000".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private long shownMs = -1;
    private long shownDay = -1;
    private int sum;

    /** The beginning of 1970. */
    public TimestampText() {
        update(0);
    }

    /**
     * Shows a time.
     *
     * @param epochMs since 1970, not negative
     */
    public void update(final long epochMs) {
        if (epochMs == shownMs) {
            return;
        }
        shownMs = epochMs;
        final long day = epochMs / DAY_MS;
        if (day != shownDay) {
            shownDay = day;
            final java.time.LocalDate date = java.time.LocalDate.ofEpochDay(day);
            put(0, 4, date.getYear());
            put(4, 2, date.getMonthValue());
            put(6, 2, date.getDayOfMonth());
        }
        final int ms = (int) (epochMs - day * DAY_MS);
        put(9, 2, ms / 3_600_000);
        put(12, 2, ms / 60_000 % 60);
        put(15, 2, ms / 1_000 % 60);
        put(18, 3, ms % 1_000);
        int total = 0;
        for (final byte each : bytes) {
            total += each;
        }
        sum = total;
    }

    private void put(final int at, final int digits, final int value) {
        int left = value;
        for (int i = at + digits - 1; i >= at; i--) {
            bytes[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /** Sum of its bytes, for the checksum. */
    int sum() {
        return sum;
    }

    /** Its bytes; not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    /**
     * Reads a UTCTimestamp: with seconds, or any number of decimals up to nanoseconds.
     *
     * @param buffer to read
     * @param offset of the value
     * @param length of the value
     * @return ms since 1970, -1 where it is no such time
     */
    public static long parse(final DirectBuffer buffer, final int offset, final int length) {
        if (length < SECONDS_LENGTH || length > 27 || buffer.getByte(offset + 8) != '-') {
            return -1;
        }
        if (buffer.getByte(offset + 11) != ':' || buffer.getByte(offset + 14) != ':') {
            return -1;
        }
        final int year = number(buffer, offset, 4);
        final int month = number(buffer, offset + 4, 2);
        final int day = number(buffer, offset + 6, 2);
        final int hour = number(buffer, offset + 9, 2);
        final int minute = number(buffer, offset + 12, 2);
        final int second = number(buffer, offset + 15, 2);
        final int ms = decimals(buffer, offset + SECONDS_LENGTH, length - SECONDS_LENGTH);
        final boolean isTime =
                year >= 0
                        && month >= 1
                        && month <= 12
                        && day >= 1
                        && day <= 31
                        && hour >= 0
                        && hour <= 23
                        && minute >= 0
                        && minute <= 59
                        && second >= 0
                        && second <= 60
                        && ms >= 0;
        return isTime
                ? epochDay(year, month, day) * DAY_MS
                        + ((hour * 60L + minute) * 60 + second) * 1_000
                        + ms
                : -1;
    }

    private static int decimals(final DirectBuffer buffer, final int offset, final int length) {
        if (length == 0) {
            return 0;
        }
        if (length < 2 || buffer.getByte(offset) != '.') {
            return -1;
        }
        int ms = 0;
        for (int i = 1; i < Math.max(4, length); i++) {
            final int digit = i < length ? buffer.getByte(offset + i) - '0' : 0;
            if (digit < 0 || digit > 9) {
                return -1;
            }
            ms = i < 4 ? ms * 10 + digit : ms;
        }
        return ms;
    }

    private static int number(final DirectBuffer buffer, final int offset, final int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            final int digit = buffer.getByte(offset + i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /**
     * Days since 1970 in the proleptic Gregorian calendar: years begin in March, so that leap days
     * end one.
     */
    private static long epochDay(final int year, final int month, final int day) {
        final long shiftedYear = month > 2 ? year : year - 1L;
        final long era = shiftedYear / 400;
        final long yearOfEra = shiftedYear - era * 400;
        final long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        final long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097 + dayOfEra - 719_468;
    }
}

package io.tickmark.workloads.fix.dictionary;

/** Data types of FIX fields, as far as their values look different. */
public enum ValueType {
    /** A whole number, with a sign or without. */
    INT {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            final int sign = bytes[at] == '-' ? 1 : 0;
            return areDigits(bytes, at + sign, length - sign);
        }
    },
    /** A whole number that is not negative: Length, NumInGroup, SeqNum. */
    COUNT {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return areDigits(bytes, at, length);
        }
    },
    /** Digits with one point among them or none, with a sign or without: Price, Qty, Amt. */
    FLOAT {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            int points = 0;
            int digits = 0;
            for (int i = bytes[at] == '-' ? 1 : 0; i < length; i++) {
                if (bytes[at + i] == '.') {
                    points++;
                } else if (isDigit(bytes[at + i])) {
                    digits++;
                } else {
                    return false;
                }
            }
            return points <= 1 && digits > 0;
        }
    },
    /** One character. */
    CHAR {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return length == 1;
        }
    },
    /** {@code Y} or {@code N}; other letters are invalid values. */
    BOOLEAN {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return true;
        }
    },
    /** {@code YYYYMMDD-HH:MM:SS}, with decimals or without. */
    TIMESTAMP {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return length > DATE_LENGTH
                    && bytes[at + DATE_LENGTH] == '-'
                    && DATE.fits(bytes, at, DATE_LENGTH)
                    && TIME.fits(bytes, at + DATE_LENGTH + 1, length - DATE_LENGTH - 1);
        }
    },
    /** {@code YYYYMMDD}. */
    DATE {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return length == DATE_LENGTH
                    && areDigits(bytes, at, DATE_LENGTH)
                    && isBetween(bytes, at + 4, 1, 12)
                    && isBetween(bytes, at + 6, 1, 31);
        }
    },
    /** {@code HH:MM:SS}, with decimals or without. */
    TIME {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return length >= TIME_LENGTH
                    && bytes[at + 2] == ':'
                    && bytes[at + 5] == ':'
                    && isBetween(bytes, at, 0, 23)
                    && isBetween(bytes, at + 3, 0, 59)
                    && isBetween(bytes, at + 6, 0, 60)
                    && (length == TIME_LENGTH
                            || bytes[at + TIME_LENGTH] == '.'
                                    && areDigits(
                                            bytes, at + TIME_LENGTH + 1, length - TIME_LENGTH - 1));
        }
    },
    /** {@code YYYYMM}, and then a day, or a week as {@code w1} to {@code w5}, or nothing. */
    MONTH {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            if (length < 6 || !areDigits(bytes, at, 6) || !isBetween(bytes, at + 4, 1, 12)) {
                return false;
            }
            return length == 6
                    || length == 8
                            && (isBetween(bytes, at + 6, 1, 31)
                                    || bytes[at + 6] == 'w'
                                            && bytes[at + 7] >= '1'
                                            && bytes[at + 7] <= '5');
        }
    },
    /** Any text. */
    TEXT {
        @Override
        boolean fits(final byte[] bytes, final int at, final int length) {
            return true;
        }
    };

    private static final int DATE_LENGTH = 8;
    private static final int TIME_LENGTH = 8;

    /** Whether a value that is not empty is of this type. */
    abstract boolean fits(byte[] bytes, int at, int length);

    private static boolean areDigits(final byte[] bytes, final int at, final int length) {
        for (int i = at; i < at + length; i++) {
            if (!isDigit(bytes[i])) {
                return false;
            }
        }
        return length > 0;
    }

    private static boolean isDigit(final byte value) {
        return value >= '0' && value <= '9';
    }

    /** Two digits. */
    private static boolean isBetween(
            final byte[] bytes, final int at, final int least, final int most) {
        final int number = (bytes[at] - '0') * 10 + bytes[at + 1] - '0';
        return areDigits(bytes, at, 2) && number >= least && number <= most;
    }
}

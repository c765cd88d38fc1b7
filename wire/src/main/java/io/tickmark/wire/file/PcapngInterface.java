package io.tickmark.wire.file;

import java.math.BigInteger;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * An interface of a pcapng section.
 *
 * @param linkType LINKTYPE number
 * @param snapLength most bytes of a packet
 * @param unitsPerSecond of its times
 * @param offsetSeconds added to its times
 */
record PcapngInterface(
        int linkType, long snapLength, BigInteger unitsPerSecond, long offsetSeconds) {
    private static final int OPTION_RESOLUTION = 9;
    private static final int OPTION_OFFSET = 14;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final BigInteger MICROSECONDS = BigInteger.valueOf(1_000_000);
    private static final int POWER_OF_TWO = 0x80;

    /** The defaults are the format's: microseconds, no offset. */
    static PcapngInterface read(
            final DirectBuffer buffer, final int body, final int end, final ByteOrder order) {
        final int snapLength = buffer.getInt(body + 4, order);
        final BigInteger[] units = {MICROSECONDS};
        final long[] offsetSeconds = {0};
        PcapngOptions.each(
                buffer,
                body + 8,
                end,
                order,
                (code, offset, length) -> {
                    if (code == OPTION_RESOLUTION && length == 1) {
                        units[0] = units(buffer.getByte(offset) & 0xff);
                    } else if (code == OPTION_OFFSET && length == Long.BYTES) {
                        offsetSeconds[0] = buffer.getLong(offset, order);
                    }
                });
        return new PcapngInterface(
                buffer.getShort(body, order) & 0xffff,
                snapLength == 0 ? Integer.MAX_VALUE : snapLength & 0xffff_ffffL,
                units[0],
                offsetSeconds[0]);
    }

    /** A power of ten, or of two where the highest bit is set. */
    private static BigInteger units(final int resolution) {
        return (resolution & POWER_OF_TWO) == 0
                ? BigInteger.TEN.pow(resolution)
                : BigInteger.TWO.pow(resolution & ~POWER_OF_TWO);
    }

    /** A time of this interface, unsigned 64 bits, in ns since the epoch. */
    long timeNs(final long units) {
        if (unitsPerSecond.bitLength() > 31) {
            return slowNs(units);
        }
        final long perSecond = unitsPerSecond.longValue();
        final long seconds = Long.divideUnsigned(units, perSecond);
        final long rest = Long.remainderUnsigned(units, perSecond);
        return (seconds + offsetSeconds) * SECOND_NS + rest * SECOND_NS / perSecond;
    }

    /** Units finer than half a nanosecond would overflow. */
    private long slowNs(final long units) {
        return new BigInteger(Long.toUnsignedString(units))
                        .multiply(BigInteger.valueOf(SECOND_NS))
                        .divide(unitsPerSecond)
                        .longValue()
                + offsetSeconds * SECOND_NS;
    }
}

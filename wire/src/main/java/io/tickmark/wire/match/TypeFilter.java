package io.tickmark.wire.match;

import io.tickmark.wire.fix.FixFramer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;

/** Tells messages of the session from those of the application. Allocates nothing. */
final class TypeFilter {
    private static final int MAX_TYPE_BYTES = Long.BYTES - 1;

    private final long[] wanted;

    TypeFilter(final List<String> types) {
        wanted = types.stream().mapToLong(TypeFilter::packed).toArray();
    }

    private static long packed(final String type) {
        long packed = 0;
        for (final byte each : type.getBytes(StandardCharsets.US_ASCII)) {
            packed = packed << Byte.SIZE | each & 0xff;
        }
        return packed;
    }

    /** The type whose value begins here, packed; 0 where it is too long to be one. */
    static long typeAt(final DirectBuffer buffer, final int offset) {
        long packed = 0;
        for (int i = 0; i <= MAX_TYPE_BYTES; i++) {
            final byte each = buffer.getByte(offset + i);
            if (each == FixFramer.SOH) {
                return packed;
            }
            packed = packed << Byte.SIZE | each & 0xff;
        }
        return 0;
    }

    /** Heartbeat, test request, resend request, reject, sequence reset, logout, logon. */
    static boolean isOfSession(final long type) {
        return type >= '0' && type <= '5' || type == 'A';
    }

    boolean isWanted(final long type) {
        if (wanted.length == 0) {
            return true;
        }
        for (final long each : wanted) {
            if (each == type) {
                return true;
            }
        }
        return false;
    }
}

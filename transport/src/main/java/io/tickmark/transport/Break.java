package io.tickmark.transport;

import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A connection that broke and is not back. The side that has started a server, or listens itself,
 * ends it when it is done, and the other side may be asked for its errors a moment later: a break
 * is one of them only once it has lasted. Any thread.
 *
 * @param reason a part of a sentence
 * @param atNs when it broke, by {@link SystemNanoClock}
 */
public record Break(String reason, long atNs) {
    /** No connection broke. */
    public static final Break NONE = new Break("", 0);

    /** After a test both sides end within this time. */
    private static final long ENDING_NS = 2_000_000_000;

    /**
     * A connection broke just now.
     *
     * @param reason a part of a sentence
     * @return the break
     */
    public static Break now(final String reason) {
        return ago(reason, 0);
    }

    /**
     * A connection broke some time ago.
     *
     * @param reason a part of a sentence
     * @param agoNs time since then
     * @return the break
     */
    public static Break ago(final String reason, final long agoNs) {
        return new Break(reason, SystemNanoClock.INSTANCE.nanoTime() - agoNs);
    }

    /** {@return whether no connection broke} */
    public boolean isNone() {
        return equals(NONE);
    }

    /** {@return the reason, once it has lasted for longer than two sides need to end} */
    public Optional<String> lasting() {
        return lasting(SystemNanoClock.INSTANCE.nanoTime());
    }

    Optional<String> lasting(final long nowNs) {
        return isNone() || nowNs - atNs < ENDING_NS ? Optional.empty() : Optional.of(reason);
    }
}

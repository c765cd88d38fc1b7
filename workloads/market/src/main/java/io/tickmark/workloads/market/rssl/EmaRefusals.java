package io.tickmark.workloads.market.rssl;

import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmInvalidUsageException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Messages of one kind that the Message API did not accept on one connection. A lack of free output
 * buffers is back-pressure, and temporary. Any other reason may be temporary, too: the library's
 * thread reports that an item is closed, or the other side gone, after it accepts nothing more for
 * it. A lasting refusal is a failure. Single-threaded; allocates nothing for an accepted message.
 */
public final class EmaRefusals {
    /**
     * The notice of a closed item or peer arrives sooner, also where other tasks take the cores
     * from the library's thread for seconds.
     */
    public static final long LASTING_NS = TimeUnit.SECONDS.toNanos(10);

    private final NanoClock clock;
    private long noBuffer;
    private String reason = "";
    private long firstNs;
    private long lastNs;

    /**
     * None yet.
     *
     * @param clock by which they last
     */
    public EmaRefusals(final NanoClock clock) {
        this.clock = clock;
    }

    /** A message was accepted: the earlier refusal is over. */
    public void taken() {
        reason = "";
    }

    /**
     * A message was refused.
     *
     * @param e what the library threw
     */
    public void refused(final RuntimeException e) {
        if (isWantOfBuffers(e)) {
            noBuffer++;
            return;
        }
        lastNs = clock.nanoTime();
        if (reason.isEmpty()) {
            firstNs = lastNs;
        }
        reason =
                e instanceof final OmmException said
                        ? EmaOpening.text(said)
                        : "the library failed: " + e;
    }

    /**
     * Whether a message was refused because no output buffer is free.
     *
     * @param e what the library threw
     * @return false for any other reason
     */
    public static boolean isWantOfBuffers(final RuntimeException e) {
        return e instanceof final OmmInvalidUsageException usage
                && usage.errorCode() == OmmInvalidUsageException.ErrorCode.NO_BUFFERS;
    }

    /**
     * How often no output buffer was free.
     *
     * @return the count so far
     */
    public long noBuffer() {
        return noBuffer;
    }

    /**
     * Why messages are refused.
     *
     * @return the library's words, where every message of ten seconds was refused for another
     *     reason than buffers; else empty
     */
    public String failure() {
        return lastNs - firstNs < LASTING_NS ? "" : reason;
    }

    /**
     * Why messages of any of three kinds are refused.
     *
     * @param one of them
     * @param two another
     * @param three the third
     * @return the first failure; empty where there is none
     */
    public static String failure(
            final EmaRefusals one, final EmaRefusals two, final EmaRefusals three) {
        final String first = one.failure().isEmpty() ? two.failure() : one.failure();
        return first.isEmpty() ? three.failure() : first;
    }
}

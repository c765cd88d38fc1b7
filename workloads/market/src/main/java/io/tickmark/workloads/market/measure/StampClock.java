package io.tickmark.workloads.market.measure;

import io.tickmark.workloads.market.data.Fields;

/**
 * Tells whose clock the stamps are of that one thread reads: tickmark's own roles say it beside
 * each time, for others the address decides. Single-threaded; allocates nothing.
 */
public final class StampClock {
    private boolean hasOther;

    /** Has seen no stamp yet. */
    public StampClock() {}

    /**
     * Whether a stamp is of this machine's clock.
     *
     * @param host that the message says it is of, 0 where it does not say
     * @param isElsewhere whether its sender may be on another machine, by its address: {@link
     *     OtherClock#isElsewhere}
     * @return false where no time can be computed from it
     */
    public boolean isOwn(final long host, final boolean isElsewhere) {
        if (host == 0 ? !isElsewhere : host == Fields.OWN_HOST) {
            return true;
        }
        hasOther = true;
        return false;
    }

    /**
     * Whether there was a stamp of another clock.
     *
     * @return true from the first one on
     */
    public boolean hasOther() {
        return hasOther;
    }
}

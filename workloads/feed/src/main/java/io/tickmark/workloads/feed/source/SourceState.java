package io.tickmark.workloads.feed.source;

/**
 * What a feed knows of the publisher whose messages it receives.
 *
 * @param isThere whether it was ever heard; false for a feed of our own
 * @param hasEnded whether it has said that it ends, and sent nothing new since
 * @param silentNs how long it was not heard; 0 where that is no longer than it may be, by {@link
 *     ReceivedTicks}
 */
public record SourceState(boolean isThere, boolean hasEnded, long silentNs) {
    /** There is none. */
    public static final SourceState NONE = new SourceState(false, false, 0);

    /**
     * Whether it is gone without having said so.
     *
     * @return true where it is silent for longer than it may be
     */
    public boolean isLost() {
        return !hasEnded && silentNs > 0;
    }
}

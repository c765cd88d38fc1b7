package io.tickmark.lab.compare;

/** Why a figure of two runs is too noisy. */
public enum Doubt {
    /** It is not. */
    NONE,
    /** A single repeat has no interval. */
    ONE_REPEAT,
    /** The interval contains both no difference and one worth reporting. */
    INTERVAL,
    /** The interval decides, but the clocks of hosts may have made or hidden the difference. */
    CLOCKS,
    /** The interval decides, but the noise floor of the slower run may explain the difference. */
    NOISE_FLOOR;

    /**
     * Whether the interval alone says something else, so that the figure needs a word of its own.
     *
     * @return true for clocks and the noise floor
     */
    public boolean isBesideInterval() {
        return this == CLOCKS || this == NOISE_FLOOR;
    }
}

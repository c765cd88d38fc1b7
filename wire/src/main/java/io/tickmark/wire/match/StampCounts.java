package io.tickmark.wire.match;

/** What was counted of stamped messages. Single thread. */
public final class StampCounts {
    long messages;
    long copies;
    long echoes;
    long repeatedEchoes;
    long warmUps;
    long controls;
    long otherTrials;
    long ofOverStep;
    long behindHole;
    long ignored;
    long unproven;
    long paired;
    long notPaired;
    long notComparable;

    StampCounts() {}

    /**
     * Messages, each counted once however many receivers it was sent to.
     *
     * @return the count
     */
    public long messages() {
        return messages;
    }

    /**
     * Messages seen again on the way to another receiver.
     *
     * @return the count
     */
    public long copies() {
        return copies;
    }

    /**
     * Messages that came back.
     *
     * @return the count
     */
    public long echoes() {
        return echoes;
    }

    /**
     * Echoes seen again.
     *
     * @return the count
     */
    public long repeatedEchoes() {
        return repeatedEchoes;
    }

    /**
     * Messages of the warm-up, which is not measured.
     *
     * @return the count
     */
    public long warmUps() {
        return warmUps;
    }

    /**
     * Messages by which the roles find each other and end.
     *
     * @return the count
     */
    public long controls() {
        return controls;
    }

    /**
     * Messages of another trial.
     *
     * @return the count
     */
    public long otherTrials() {
        return otherTrials;
    }

    /**
     * Messages, copies and echoes that came too late to be timed as others: of a step that was
     * over, or read behind a hole.
     *
     * @return the count
     */
    public long late() {
        return ofOverStep + behindHole;
    }

    /**
     * Messages, copies and echoes of a step that was over: they are in no figure.
     *
     * @return the count
     */
    public long ofOverStep() {
        return ofOverStep;
    }

    /**
     * All that was to be in a step, and what came too late for it.
     *
     * @return the count
     */
    public long ofSteps() {
        return messages + copies + echoes + repeatedEchoes + ofOverStep;
    }

    /**
     * Messages that were not measured, because FIX messages were.
     *
     * @return the count
     */
    public long ignored() {
        return ignored;
    }

    /**
     * Messages that may be stamped, and are too short to tell; not measured.
     *
     * @return the count
     */
    public long unproven() {
        return unproven;
    }

    /**
     * Messages found both on the wire and in the application's log.
     *
     * @return the count
     */
    public long paired() {
        return paired;
    }

    /**
     * Messages on the wire that the application's log does not know; 0 where there is no log.
     *
     * @return the count
     */
    public long notPaired() {
        return notPaired;
    }

    /**
     * Echoes that are too short to carry the time by which the application's log knows them.
     *
     * @return the count, 0 where there is no log
     */
    public long notComparable() {
        return notComparable;
    }
}

package io.tickmark.kernel.record;

/** Is told once a second how far a role is, on the thread that reports it. */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Takes a role's progress; must not wait for its recording.
     *
     * @param progress so far
     */
    void accept(Progress progress);

    /**
     * Does the same work with a made-up progress and passes nothing on: called often during a
     * warm-up, so that this code is not compiled during the measurement, on the measured cores.
     *
     * @param progress made up
     */
    default void rehearse(final Progress progress) {}
}

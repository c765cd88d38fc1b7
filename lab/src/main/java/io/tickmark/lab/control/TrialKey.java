package io.tickmark.lab.control;

/**
 * A trial of a run.
 *
 * @param test name of the test
 * @param workload how it is measured
 * @param channel one of its channels
 * @param repeat from 1
 * @param number of the trial in the run, from 1
 * @param of how many trials the run has
 * @param expectedNs how long it measures, as the roles estimate it
 */
public record TrialKey(
        String test,
        String workload,
        String channel,
        int repeat,
        int number,
        int of,
        long expectedNs) {}

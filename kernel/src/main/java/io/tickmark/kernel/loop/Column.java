package io.tickmark.kernel.loop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares where one component of a record of counts is shown: a {@link
 * io.tickmark.kernel.record.Counter} or {@link Timings}. It is not shown in a place whose element
 * is empty. Within each place the order is that of the components. What is shown in a result is
 * explained by the record's {@code @param}, from which the tables in the docs are made.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Column {
    /**
     * Name under which the counter also belongs to the role's recording, for {@code stats.csv} and
     * progress lines.
     *
     * @return the name, without the number of the loop
     */
    String recorded() default "";

    /**
     * Name among the counts of a step.
     *
     * @return the name, see {@link io.tickmark.kernel.result.Counts}
     */
    String count() default "";

    /**
     * Heading in the statistics file; of latencies, that of their count.
     *
     * @return the heading
     */
    String csv() default "";

    /**
     * Heading in the statistics file of how many there were per second of the interval.
     *
     * @return the heading
     */
    String csvPerSecond() default "";

    /**
     * Part of the console line, such as {@code Images: %6d}; of latencies, the name at the head of
     * a separate line.
     *
     * @return format of one whole number, or a name
     */
    String console() default "";

    /**
     * Part of the console line for the number per second of the interval; rates follow the counts.
     *
     * @return format of one whole number
     */
    String consolePerSecond() default "";

    /**
     * Name in the summary. For latencies, the names of the figures are appended to it there and in
     * the headings of the statistics file.
     *
     * @return the name
     */
    String summary() default "";

    /**
     * Name among the role's metrics.
     *
     * @return the name
     */
    String metric() default "";

    /**
     * Name of the metric for the number per second of the steady state.
     *
     * @return the name
     */
    String metricPerSecond() default "";

    /**
     * Sentence for the user where the count is above 0: the warning of a role.
     *
     * @return a sentence as in {@link io.tickmark.kernel.result.CountSentence}
     */
    String warning() default "";

    /**
     * Sentence for the user where the count is above 0, which fails the role.
     *
     * @return a sentence as in {@link io.tickmark.kernel.result.CountSentence}
     */
    String failure() default "";

    /**
     * Whether loops are merged by their maximum instead of their sum; it is then a figure of the
     * loop's whole life.
     *
     * @return false for a sum
     */
    boolean isLargest() default false;

    /**
     * Whether the metric is present only where its {@link #group} is shown; without a group, where
     * it is not 0.
     *
     * @return false where it is always present
     */
    boolean isSparse() default false;

    /**
     * Columns of a group are omitted from a summary and from the counts of a step together: where
     * all of them are 0 and the user did not request what they count.
     *
     * @return the name of the group; empty for what is always shown
     */
    String group() default "";
}

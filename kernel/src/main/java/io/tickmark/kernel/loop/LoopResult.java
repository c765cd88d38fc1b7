package io.tickmark.kernel.loop;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.RoleResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a role with several loops reports when all of them have ended: a summary of each loop and of
 * all, and the role's result. Lines during the run are written by {@link LoopReporter}.
 *
 * @param <T> record of counts, see {@link Columns}
 * @param <L> what one loop leaves behind
 */
public abstract class LoopResult<T extends Record, L extends LoopResult.OneLoop<T>> {
    private final Columns<T> columns;
    private final List<L> loops;
    private final Columns.Totals<T> totals;

    /**
     * What one loop leaves behind; a role adds what it needs besides the counts.
     *
     * @param <T> record of counts
     */
    @FunctionalInterface
    public interface OneLoop<T extends Record> {
        /**
         * Its counts.
         *
         * @return complete
         */
        LoopCounts<T> counts();
    }

    /**
     * The loops have ended.
     *
     * @param columns that the role declares
     * @param loops in the order of their numbers
     */
    protected LoopResult(final Columns<T> columns, final List<L> loops) {
        this.columns = columns;
        this.loops = List.copyOf(loops);
        totals = columns.totals(loops.stream().map(OneLoop::counts).toList());
    }

    /** {@return what each loop left behind, in the order of their numbers} */
    protected final List<L> loops() {
        return loops;
    }

    /** {@return what all loops counted up to the steady state} */
    protected final T startup() {
        return totals.startup();
    }

    /** {@return what all loops counted in the steady state} */
    protected final T steady() {
        return totals.steady();
    }

    /** {@return what all loops counted in the whole run} */
    protected final T all() {
        return totals.all();
    }

    /**
     * What some loops counted.
     *
     * @param of one loop, or all of them
     * @return new values
     */
    protected final Columns.Totals<T> totals(final List<L> of) {
        return columns.totals(of.stream().map(OneLoop::counts).toList());
    }

    /** {@return the head of the summary, in the format of the field} */
    protected abstract SummaryInputs inputs();

    /**
     * The summary of one loop or of all, in the format of the field.
     *
     * @param of one loop, or all of them
     * @param resources lines about the process; empty for one loop of several
     * @return text with line ends; all that the columns declare for it, unless the role overrides
     *     this
     */
    protected String section(final List<L> of, final String resources) {
        final T counts = totals(of).all();
        return "Overall Statistics:\n"
                + columns.latencyLines(counts, Set.of())
                + columns.countLines(counts, Set.of())
                + resources
                + "\n";
    }

    /**
     * Concludes.
     *
     * @param last recording, of the steady state if there was one
     * @param warnings so far
     * @return the role's result, with these warnings first
     */
    protected abstract RoleResult of(StepRecording last, List<String> warnings);

    /**
     * Writes the summary and concludes.
     *
     * @param reporter of these loops
     * @param last recording, of the steady state if there was one
     * @param warnings so far
     * @return the role's result
     */
    public final RoleResult finish(
            final LoopReporter<T> reporter, final StepRecording last, final List<String> warnings) {
        final List<String> sentences = new ArrayList<>(warnings);
        sentences.addAll(reporter.finish(inputs(), loops, this::section));
        return of(last, sentences);
    }
}

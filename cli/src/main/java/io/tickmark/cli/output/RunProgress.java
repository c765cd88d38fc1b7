package io.tickmark.cli.output;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.control.TrialKey;
import io.tickmark.lab.control.TrialPhase;
import io.tickmark.lab.plan.RoleInstance;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.agrona.concurrent.NanoClock;

/**
 * Prints on standard error what runs: one line that changes on a terminal, elsewhere a line for
 * each trial. Called on the run's thread; the bar draws itself once a second on a separate thread.
 */
public final class RunProgress implements RunListener, AutoCloseable {
    private static final int REDRAW_MS = 1000;
    private static final long NS_PER_MS = 1_000_000;

    private final Terminal terminal;
    private final boolean verbose;
    private final NanoClock clock;
    private TimeLeft time;
    private ProgressBar bar;
    private volatile String what = "starting";

    /**
     * Progress of a run that has not begun.
     *
     * @param terminal to print to
     * @param verbose whether lines of roles are shown
     * @param clock for the remaining time
     */
    public RunProgress(final Terminal terminal, final boolean verbose, final NanoClock clock) {
        this.terminal = terminal;
        this.verbose = verbose;
        this.clock = clock;
    }

    @Override
    public void runStarted(final RunEstimate run) {
        time = new TimeLeft(run, clock.nanoTime());
        say(
                "tickmark: %s, about %s%s"
                        .formatted(
                                Plural.of(run.trials(), "trial"),
                                ProgressText.duration(run.durationNs()),
                                run.folder().map(folder -> ", into " + folder).orElse("")));
        if (terminal.errColumns() > 0) {
            bar = newBar();
        }
    }

    private ProgressBar newBar() {
        return new ProgressBarBuilder()
                .setInitialMax(1)
                .setUpdateIntervalMillis(REDRAW_MS)
                .setRenderer((state, columns) -> {
                    final long nowNs = clock.nanoTime();
                    return ProgressText.of(
                            time.donePart(nowNs),
                            time.leftNs(nowNs),
                            what,
                            terminal.errColumns() - 1);
                })
                .continuousUpdate()
                .clearDisplayOnFinish()
                .setConsumer(
                        new ConsoleProgressBarConsumer(terminal.err(), terminal.errColumns() - 1))
                .build();
    }

    @Override
    public void trialStarted(final TrialKey trial) {
        time.trialStarted(trial, clock.nanoTime());
        what =
                "%d/%d %s %s"
                        .formatted(trial.number(), trial.of(), trial.test(), trial.channel())
                        .strip();
        if (bar == null) {
            say(
                    "%s, repeat %d, about %s"
                            .formatted(
                                    what,
                                    trial.repeat(),
                                    ProgressText.duration(trial.expectedNs())));
        }
    }

    @Override
    public void phaseStarted(final TrialKey trial, final TrialPhase phase) {
        if (verbose && bar == null) {
            say("  " + phase.name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    @Override
    public void progressed(final TrialKey trial, final RoleInstance role, final Progress progress) {
        if (verbose && bar == null) {
            say("  " + role.id() + " " + progress.label() + " " + progress.counters());
        }
    }

    @Override
    public void printed(final TrialKey trial, final String role, final String line) {
        if (verbose) {
            say("  " + role + ": " + line);
        }
    }

    @Override
    public void warned(final String sentence) {
        say("tickmark: " + sentence);
    }

    /** A line above the bar. */
    private void say(final String said) {
        final PrintStream err = terminal.err();
        final int columns = terminal.errColumns();
        final String line = columns > 0 ? Wrapped.to(said, columns, 2) : said;
        if (bar == null) {
            err.println(line);
        } else {
            final String blank = " ".repeat(Math.max(0, terminal.errColumns() - 1));
            err.println("\r" + blank + "\r" + line);
            bar.refresh();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    /**
     * How long a run will still take: what is left of the estimate, as much longer as the trials
     * that are done took than was estimated; where trials are left out for a limit, no more than
     * that leaves, or what those take that are never left out. Written by the run's thread, read by
     * the bar's.
     */
    static final class TimeLeft {
        /**
         * Shown while the last trial takes longer than expected: a run is not done before its end.
         */
        private static final long LEAST_NS = 1_000_000_000;

        private final RunEstimate estimate;
        private final long startedAtNs;
        private long expectedSumNs;
        private int started;
        private int certainStarted;
        private int number;
        private long leftOutEstimateNs;
        private long trialEstimateNs;
        private long doneEstimateNs;
        private long trialStartedAtNs;
        private double stretch = 1;

        TimeLeft(final RunEstimate estimate, final long nowNs) {
            this.estimate = estimate;
            startedAtNs = nowNs;
            trialStartedAtNs = nowNs;
        }

        /** A trial begins, and those before it are done. */
        synchronized void trialStarted(final TrialKey trial, final long nowNs) {
            doneEstimateNs += trialEstimateNs;
            if (doneEstimateNs > 0) {
                stretch = (double) (nowNs - startedAtNs) / doneEstimateNs;
            }
            final int leftOut = Math.max(0, trial.number() - number - 1);
            leftOutEstimateNs += leftOut * meanNs();
            number = trial.number();
            if (trial.repeat() == 1) {
                certainStarted++;
            }
            expectedSumNs += trial.expectedNs();
            started++;
            // what the estimate has beside the measuring, the same for each trial
            final long besideNs =
                    Math.max(
                            0,
                            estimate.durationNs() / Math.max(1, trial.of())
                                    - expectedSumNs / started);
            trialEstimateNs = trial.expectedNs() + besideNs;
            trialStartedAtNs = nowNs;
        }

        synchronized long leftNs(final long nowNs) {
            final long laterNs =
                    Math.max(
                            0,
                            estimate.durationNs()
                                    - doneEstimateNs
                                    - leftOutEstimateNs
                                    - trialEstimateNs);
            final double trialLeftNs =
                    Math.max(0, stretch * trialEstimateNs - (nowNs - trialStartedAtNs));
            final double allNs = stretch * laterNs + trialLeftNs;
            final double leftNs =
                    estimate.limit()
                            .map(limit -> Math.min(allNs, limitedNs(limit, trialLeftNs, nowNs)))
                            .orElse(allNs);
            return (long) Math.max(LEAST_NS, leftNs);
        }

        private double limitedNs(
                final RunEstimate.Limit limit, final double trialLeftNs, final long nowNs) {
            final int certain = Math.max(0, limit.certainTrials() - certainStarted);
            return Math.max(
                    limit.timeNs() - (nowNs - startedAtNs),
                    trialLeftNs + stretch * certain * meanNs());
        }

        private long meanNs() {
            return estimate.durationNs() / Math.max(1, estimate.trials());
        }

        double donePart(final long nowNs) {
            final double doneNs = nowNs - startedAtNs;
            return doneNs / (doneNs + leftNs(nowNs));
        }
    }
}

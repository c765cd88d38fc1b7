package io.tickmark.cli.run;

import io.tickmark.history.History;
import io.tickmark.history.HistoryRun;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the history of this folder's runs is: named by an option, by the environment, or beside
 * them.
 */
public final class HistoryPlace {
    /** Names a place for all commands. */
    static final String VARIABLE = "TICKMARK_HISTORY";

    private static final Path DEFAULT = Path.of("results", "history.db");

    private HistoryPlace() {}

    /**
     * The place.
     *
     * @param option what was typed; empty for nothing
     * @return path or URL
     */
    public static String of(final String option) {
        return named(option).orElse(DEFAULT.toString());
    }

    private static Optional<String> named(final String option) {
        return option.isEmpty()
                ? Optional.ofNullable(System.getenv(VARIABLE)).filter(place -> !place.isEmpty())
                : Optional.of(option);
    }

    /**
     * Opens the existing history.
     *
     * @param option what was typed
     * @return the history
     * @throws UserError if there is none yet
     */
    public static History existing(final String option) {
        final String place = of(option);
        if (!History.isServer(place) && !Files.isRegularFile(Path.of(place))) {
            throw UserError.usage(
                    place
                            + " does not exist: the history has no run yet; 'tickmark run' adds those in ./results,"
                            + " 'tickmark history add' those that are elsewhere.");
        }
        return History.open(place);
    }

    /**
     * The last run before this one, on the same machine, of a plan that is the same word for word,
     * whose folder is still where it was.
     *
     * @param option what was typed
     * @param run that was entered
     * @param folder of it
     * @return the other run's folder; empty where there is none, or the history cannot be read,
     *     which {@link #enter} has reported
     */
    static Optional<Path> before(final String option, final RunResult run, final Path folder) {
        final String place = of(option);
        if (!History.isServer(place) && !Files.isRegularFile(Path.of(place))) {
            return Optional.empty();
        }
        final String own = folder.toAbsolutePath().normalize().toString();
        try (History history = History.open(place)) {
            final List<HistoryRun> runs = history.runs(run.plan(), "").reversed();
            final Optional<HistoryRun> entered =
                    runs.stream().filter(each -> each.folder().equals(own)).findFirst();
            return runs.stream()
                    .dropWhile(each -> !each.folder().equals(own))
                    .filter(each -> !each.folder().equals(own))
                    .filter(each -> each.host().equals(entered.orElseThrow().host()))
                    .map(each -> Path.of(each.folder()))
                    .filter(each -> isOfTheSamePlan(each, folder))
                    .findFirst();
        } catch (final UserError | LinkageError e) {
            return Optional.empty();
        }
    }

    private static boolean isOfTheSamePlan(final Path one, final Path other) {
        final Path plan = one.resolve(ResultFolder.PLAN);
        try {
            return Files.isRegularFile(one.resolve(ResultFolder.RESULT))
                    && Files.isRegularFile(plan)
                    && Files.mismatch(plan, other.resolve(ResultFolder.PLAN)) < 0;
        } catch (final IOException e) {
            return false; // of a folder that can no longer be read
        }
    }

    /**
     * Enters a run that ended. One whose folder the user put elsewhere is entered only where a
     * history was named. An error is returned as a sentence: the run is complete without it.
     *
     * @param option what was typed
     * @param run its result
     * @param folder of it
     * @param isElsewhere whether the user named the folder
     * @return what went wrong
     */
    static Optional<String> enter(
            final String option,
            final RunResult run,
            final Path folder,
            final boolean isElsewhere) {
        if (named(option).isEmpty() && isElsewhere) {
            return Optional.empty();
        }
        try (History history = History.open(of(option))) {
            history.enter(run, folder);
            return Optional.empty();
        } catch (final UserError e) {
            return Optional.of("the run is not in the history: " + e.getMessage());
        } catch (final LinkageError e) {
            return Optional.of(
                    "the run is not in the history: the database's library cannot be loaded ("
                            + e
                            + ").");
        }
    }
}

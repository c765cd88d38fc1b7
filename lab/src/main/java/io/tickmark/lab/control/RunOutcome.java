package io.tickmark.lab.control;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.tail.TailReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a run ended.
 *
 * @param result what was measured
 * @param folder of the result; empty where none could be created
 * @param problems of the folder, sentences: the result is complete, its files are not
 * @param userError set when no trial at all could be run, and each for a reason that the user can
 *     correct (an engine is absent, a port in use)
 * @param tails has read what the roles noted of stalls
 */
public record RunOutcome(
        RunResult result,
        Optional<Path> folder,
        List<String> problems,
        Optional<UserError.Kind> userError,
        TailReader tails) {
    /** Copies the list. */
    public RunOutcome {
        problems = List.copyOf(problems);
    }

    /**
     * The command's exit code: that of the user error if there was nothing else, otherwise 3 when
     * the result could not be written, otherwise the verdict's.
     *
     * @return 0 to 3
     */
    public int exitCode() {
        if (userError.isPresent()) {
            return userError.get().exitCode();
        }
        return problems.isEmpty()
                ? result.verdict().exitCode()
                : UserError.Kind.ENVIRONMENT.exitCode();
    }
}

package io.tickmark.console;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The runs that the console can show; the front door knows where they are. Any thread. */
public interface RunSource {
    /** No runs. */
    RunSource NONE =
            new RunSource() {
                @Override
                public List<Entry> runs() {
                    return List.of();
                }

                @Override
                public Optional<Part> lines(final String run, final long from) {
                    return Optional.empty();
                }
            };

    /**
     * A run.
     *
     * @param id by which it is asked for
     * @param plan its name
     * @param startedAt ISO 8601, empty where that is not known
     * @param state {@code running}, {@code finished}, {@code broken off} or {@code damaged}; {@code
     *     not listed} where the entry is no run and its plan says how many older folders there are
     * @param verdict of a finished one, else empty
     * @param canReplay whether it was kept second by second
     */
    record Entry(
            String id,
            String plan,
            String startedAt,
            String state,
            String verdict,
            boolean canReplay) {}

    /**
     * Lines of a run.
     *
     * @param lines those that were whole
     * @param damagedLines those that were whole and unreadable, and are left out
     * @param next where those after them begin
     * @param state as in {@link Entry}
     */
    record Part(List<JsonNode> lines, int damagedLines, long next, String state) {}

    /**
     * Runs there are.
     *
     * @return the newest first, a bounded number
     */
    List<Entry> runs();

    /**
     * How a run stood, second by second.
     *
     * @param run its id
     * @param from byte to begin at: 0, or what the call before said
     * @return a bounded part; empty where there is no such run
     */
    Optional<Part> lines(String run, long from);
}

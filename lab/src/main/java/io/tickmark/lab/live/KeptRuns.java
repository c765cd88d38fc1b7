package io.tickmark.lab.live;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The runs in a folder of results, as {@link LiveFile} keeps them: running and finished ones. Their
 * content is not trusted. Any thread.
 */
public final class KeptRuns {
    /** The run is in progress. */
    public static final String RUNNING = "running";

    /** The run has finished. */
    public static final String FINISHED = "finished";

    /** The process that led the run is gone, and the run did not finish. */
    public static final String BROKEN_OFF = "broken off";

    /** What is kept of the run cannot be read. */
    public static final String DAMAGED = "damaged";

    /** Not a run: in place of a plan's name it says how many older folders were not looked at. */
    public static final String NOT_LISTED = "not listed";

    private static final Pattern ID =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?");
    private static final int MOST_RUNS = 200;
    private static final int FIRST_BYTES = 1 << 12;
    private static final int LAST_BYTES = 1 << 15;
    private static final int PART_BYTES = 1 << 18;

    private final Path results;

    /**
     * Runs in a folder.
     *
     * @param results that contains the folders of runs; need not exist
     */
    public KeptRuns(final Path results) {
        this.results = results;
    }

    /**
     * A run.
     *
     * @param id its folder within the folder of results
     * @param plan its name
     * @param startedAt ISO 8601, empty where it is not kept
     * @param state one of the constants of this class
     * @param verdict of a finished run, else empty
     * @param isKept whether it is kept second by second
     */
    public record Run(
            String id,
            String plan,
            String startedAt,
            String state,
            String verdict,
            boolean isKept) {}

    /**
     * A part of the file of a run.
     *
     * @param lines that were complete and JSON
     * @param damagedLines that were complete and not JSON, and are left out
     * @param next byte after them
     * @param state of the run
     */
    public record Part(List<JsonNode> lines, int damagedLines, long next, String state) {}

    /**
     * All runs, including plans that took turns. A folder or file that cannot be read is a run in
     * the state {@link #DAMAGED}; where there are too many, the last entry is {@link #NOT_LISTED}.
     *
     * @return the newest first
     */
    public List<Run> all() {
        final List<Run> runs = new ArrayList<>();
        if (!Files.exists(results)) {
            return runs; // nothing has been run here
        }
        final List<Path> folders = folders(results);
        for (int i = 0; i < folders.size(); i++) {
            final Path folder = folders.get(i);
            if (runs.size() >= MOST_RUNS) {
                final String older = Plural.of(folders.size() - i, "older folder");
                runs.add(new Run("", older, "", NOT_LISTED, "", false));
                break;
            }
            final Optional<Run> run = run(folder);
            if (run.isPresent()) {
                runs.add(run.get());
            } else {
                runs.addAll(runsInTurn(folder));
            }
        }
        return runs;
    }

    private List<Run> runsInTurn(final Path folder) {
        try {
            return folders(folder).stream().flatMap(arm -> run(arm).stream()).toList();
        } catch (final UncheckedIOException e) {
            return List.of(damaged(folder));
        }
    }

    private static List<Path> folders(final Path in) {
        try (Stream<Path> all = Files.list(in)) {
            return all.filter(Files::isDirectory)
                    .filter(folder -> ID.matcher(folder.getFileName().toString()).matches())
                    .sorted(Comparator.comparing(Path::getFileName).reversed())
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String id(final Path folder) {
        return results.relativize(folder).toString();
    }

    private static String plan(final Path folder) {
        return folder.getFileName().toString().replaceFirst("^[0-9]+-[0-9]+_", "");
    }

    private Run damaged(final Path folder) {
        return new Run(id(folder), plan(folder), "", DAMAGED, "", false);
    }

    private Optional<Run> run(final Path folder) {
        final String id = id(folder);
        final Path file = folder.resolve(LiveFile.NAME);
        final String plan = plan(folder);
        if (!Files.isRegularFile(file)) {
            return Files.isRegularFile(folder.resolve(ResultFolder.RESULT))
                    ? Optional.of(new Run(id, plan, "", FINISHED, "", false))
                    : Optional.empty();
        }
        try {
            final Part begin = read(file, 0, FIRST_BYTES);
            if (begin.lines().isEmpty() && begin.damagedLines() > 0) {
                return Optional.of(damaged(folder));
            }
            final JsonNode first = first(begin);
            final JsonNode last = last(file);
            return Optional.of(
                    new Run(
                            id,
                            first.path("plan").asString(plan),
                            first.path("startedAt").asString(""),
                            state(first, last),
                            last.path("verdict").asString(""),
                            true));
        } catch (final IOException | JacksonException e) {
            return Optional.of(damaged(folder));
        }
    }

    private static String state(final JsonNode first, final JsonNode last) {
        if (last.path("type").asString("").equals("end")) {
            return FINISHED;
        }
        return ProcessHandle.of(first.path("pid").asLong(-1))
                        .flatMap(leader -> leader.info().startInstant())
                        .filter(since -> since.equals(since(first)))
                        .isPresent()
                ? RUNNING
                : BROKEN_OFF;
    }

    private static Instant since(final JsonNode first) {
        return Instant.ofEpochMilli(first.path("pidSinceMs").asLong(0));
    }

    private static JsonNode first(final Part begin) {
        return begin.lines().isEmpty() ? Json.line().createObjectNode() : begin.lines().getFirst();
    }

    private static JsonNode last(final Path file) throws IOException {
        final List<JsonNode> lines =
                read(file, Math.max(0, Files.size(file) - LAST_BYTES), LAST_BYTES).lines();
        return lines.isEmpty() ? Json.line().createObjectNode() : lines.getLast();
    }

    /**
     * Lines of a run from a byte on.
     *
     * @param id of the run
     * @param from 0, or the {@code next} of the part before
     * @return the part; empty where there is no such run. It has no lines and the state {@link
     *     #DAMAGED} where they cannot be read
     */
    public Optional<Part> part(final String id, final long from) {
        if (!ID.matcher(id).matches() || from < 0) {
            return Optional.empty();
        }
        final Path file = results.resolve(id).resolve(LiveFile.NAME);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            // the state first: a run that ends in between is noticed the next time
            final String state = state(first(read(file, 0, FIRST_BYTES)), last(file));
            final Part part = read(file, from, PART_BYTES);
            return Optional.of(new Part(part.lines(), part.damagedLines(), part.next(), state));
        } catch (final IOException | JacksonException e) {
            return Optional.of(new Part(List.of(), 0, from, DAMAGED));
        }
    }

    /** Whole lines only; the last one may be incomplete, the first one is cut where requested. */
    private static Part read(final Path file, final long from, final int most) throws IOException {
        final byte[] bytes = new byte[most];
        int length = 0;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            open.seek(Math.min(from, open.length()));
            for (int got = open.read(bytes); got > 0; ) {
                length += got;
                got = open.read(bytes, length, most - length);
            }
        }
        while (length > 0 && bytes[length - 1] != '\n') {
            length--;
        }
        final List<JsonNode> lines = new ArrayList<>();
        int damaged = 0;
        for (final String line : new String(bytes, 0, length, StandardCharsets.UTF_8).split("\n")) {
            try {
                final JsonNode json = line.isBlank() ? null : Json.line().readTree(line);
                if (json != null && json.isObject()) {
                    lines.add(json);
                } else {
                    damaged += json == null ? 0 : 1;
                }
            } catch (final JacksonException e) {
                damaged++; // or cut
            }
        }
        return new Part(lines, damaged, from + length, "");
    }
}

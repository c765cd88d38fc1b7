package io.tickmark.lab.live;

import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
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
     * @param next byte after them
     * @param state of the run
     */
    public record Part(List<JsonNode> lines, long next, String state) {}

    /**
     * All runs, including plans that took turns.
     *
     * @return the newest first
     */
    public List<Run> all() {
        final List<Run> runs = new ArrayList<>();
        for (final Path folder : folders(results)) {
            if (runs.size() >= MOST_RUNS) {
                break;
            }
            final Optional<Run> run = run(folder);
            if (run.isPresent()) {
                runs.add(run.get());
            } else {
                folders(folder).forEach(arm -> run(arm).ifPresent(runs::add));
            }
        }
        return runs;
    }

    private static List<Path> folders(final Path in) {
        try (Stream<Path> all = Files.list(in)) {
            return all.filter(Files::isDirectory)
                    .filter(folder -> ID.matcher(folder.getFileName().toString()).matches())
                    .sorted(Comparator.comparing(Path::getFileName).reversed())
                    .toList();
        } catch (final IOException e) {
            return List.of(); // nothing has been run here
        }
    }

    private Optional<Run> run(final Path folder) {
        final String id = results.relativize(folder).toString();
        final Path file = folder.resolve(LiveFile.NAME);
        final String plan = folder.getFileName().toString().replaceFirst("^[0-9]+-[0-9]+_", "");
        if (!Files.isRegularFile(file)) {
            return Files.isRegularFile(folder.resolve(ResultFolder.RESULT))
                    ? Optional.of(new Run(id, plan, "", FINISHED, "", false))
                    : Optional.empty();
        }
        try {
            final JsonNode first = first(file);
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
            return Optional.empty();
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

    private static JsonNode first(final Path file) throws IOException {
        final List<JsonNode> lines = read(file, 0, FIRST_BYTES).lines();
        return lines.isEmpty() ? Json.line().createObjectNode() : lines.getFirst();
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
     * @return the part; empty where there is no such run
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
            final String state = state(first(file), last(file));
            final Part part = read(file, from, PART_BYTES);
            return Optional.of(new Part(part.lines(), part.next(), state));
        } catch (final IOException | JacksonException e) {
            return Optional.empty();
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
        for (final String line : new String(bytes, 0, length, StandardCharsets.UTF_8).split("\n")) {
            try {
                final JsonNode json = line.isBlank() ? null : Json.line().readTree(line);
                if (json != null && json.isObject()) {
                    lines.add(json);
                }
            } catch (final JacksonException e) {
                continue; // cut, or damaged
            }
        }
        return new Part(lines, from + length, "");
    }
}

package io.tickmark.lab.tail;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.Attribution.Delayed;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;

/**
 * Finds out where the tails of a run's trials come from. What the roles noted of a repeat is read
 * and judged once, for all of its rows and for the slowest messages of its report. Not thread-safe.
 */
public final class TailReader {
    /** Repeats whose notes are kept: those of a long run could take hundreds of MB. */
    private static final int MOST_KEPT = 16;

    /**
     * A role of the trial.
     *
     * @param name of the role
     * @param index from 1
     * @param folder of its files; empty where it runs on another host, whose files have not arrived
     * @param pauses logs of pauses of its JVMs, one after the other; empty where there is none
     */
    public record RoleFolder(String name, int index, Optional<Path> folder, List<Path> pauses) {
        /** Copies the logs. */
        public RoleFolder {
            pauses = List.copyOf(pauses);
        }
    }

    /**
     * The roles of a trial by their folders in a result.
     *
     * @param row of the trial
     * @param folders of the result
     * @return in the order of the row
     */
    public static List<RoleFolder> roles(final TrialResult row, final RoleFolders folders) {
        return row.roles().stream()
                .map(role -> {
                    final Optional<Path> folder =
                            folders.find(row.test(), row.channel(), role.role(), role.index());
                    return new RoleFolder(
                            role.role(),
                            role.index(),
                            folder,
                            folder.map(Pauses::logs).orElse(List.of()));
                })
                .toList();
    }

    /** A repeat of the run. */
    private record Repeat(String test, String channel, int number) {
        static Repeat of(final TrialResult row) {
            return new Repeat(row.test(), row.channel(), row.repeat());
        }
    }

    /** What the notes of each repeat were read from. */
    private final Map<Repeat, List<RoleFolder>> sources = new HashMap<>();

    /** Those asked for last, given up where memory is short: they can be read again. */
    private final SequencedMap<Repeat, SoftReference<StallNotes>> kept = new LinkedHashMap<>();

    private final RepeatStarts starts = new RepeatStarts();
    private final MappedFiles files = new MappedFiles();

    /** Has read nothing yet. */
    public TailReader() {}

    /**
     * Notes where the files of a repeat end that has just ended: what is written behind that is not
     * looked for in front of it. To be called before a later repeat begins, or not at all.
     *
     * @param roles of the trial with local files
     * @param repeat of the trial
     */
    public void ended(final List<RoleFolder> roles, final int repeat) {
        roles.forEach(role -> starts.ended(role, repeat));
    }

    /**
     * Where the tail comes from.
     *
     * @param roles of the trial with local files
     * @param row of the trial
     * @param warnings receives a sentence where files cannot be read to their end
     * @return where it cannot be known or read, why, and the stages where they were asked for;
     *     empty where there is no latency and no thread was watched, or the row is void without it
     */
    public Optional<TailSummary> summary(
            final List<RoleFolder> roles, final TrialResult row, final Consumer<String> warnings) {
        return read(roles, row, warnings, notes -> summary(notes, row));
    }

    /**
     * The same for a row of a repeat whose notes this reader has read.
     *
     * @param row of the trial
     * @param warnings receives a sentence where files cannot be read to their end
     * @return empty also where it has read none
     */
    public Optional<TailSummary> summary(final TrialResult row, final Consumer<String> warnings) {
        final List<RoleFolder> roles = sources.get(Repeat.of(row));
        return roles == null ? Optional.empty() : summary(roles, row, warnings);
    }

    /**
     * The same where the machine may have had the core of a thread for longer than makes a
     * measurement. Otherwise the messages of the row are not looked at, which is most of the work.
     *
     * @param roles of the trial with local files
     * @param row of the trial
     * @param most part of the time that the machine may have a core, 0 to 1
     * @param warnings receives a sentence where files cannot be read to their end
     * @return empty also where it had none of them for so long, for certain
     */
    public Optional<TailSummary> summaryWhereTaken(
            final List<RoleFolder> roles,
            final TrialResult row,
            final double most,
            final Consumer<String> warnings) {
        return read(
                roles,
                row,
                warnings,
                notes ->
                        Tail.withoutMessages(notes, row).mayBeTaken(most)
                                ? summary(notes, row)
                                : Optional.empty());
    }

    private Optional<TailSummary> summary(final StallNotes notes, final TrialResult row)
            throws IOException {
        final Tail tail = new Tail(notes, row, files);
        final String whyNot = tail.whyNotAttributed();
        if (whyNot.isEmpty() || tail.haveStages()) {
            return Optional.of(tail.summary());
        }
        return row.verdict() == Verdict.VOID || row.latencies().isEmpty() && !tail.isWatched()
                ? Optional.empty()
                : Optional.of(tail.notAttributed(whyNot));
    }

    /** What is concluded from the notes of a repeat. */
    @FunctionalInterface
    private interface Conclusion {
        Optional<TailSummary> of(StallNotes notes) throws IOException;
    }

    private Optional<TailSummary> read(
            final List<RoleFolder> roles,
            final TrialResult row,
            final Consumer<String> warnings,
            final Conclusion conclusion) {
        try {
            return conclusion.of(notes(roles, row));
        } catch (final IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // the figures do not depend on it, but whether the machine let the test run does
            final String why = "what the roles noted cannot be read (%s)".formatted(e);
            warnings.accept(
                    "Where the tail of repeat %d comes from is not reported: %s."
                            .formatted(row.repeat(), why));
            return row.verdict() == Verdict.VOID
                    ? Optional.empty()
                    : Optional.of(unreadable(roles, why));
        }
    }

    /** The machine may have had the cores for all of the time. */
    private static TailSummary unreadable(final List<RoleFolder> roles, final String why) {
        return new TailSummary(
                0,
                0,
                0,
                List.of(),
                roles.stream()
                        .map(role ->
                                new WatchedThread(
                                        role.name(),
                                        role.index(),
                                        "each of its threads",
                                        StallWatch.THRESHOLD_NS,
                                        0,
                                        0,
                                        0,
                                        0,
                                        "",
                                        1,
                                        why))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                new Undisturbed(0, why, null),
                List.of(),
                "",
                why);
    }

    /**
     * The slowest messages of a step, each with what delayed it.
     *
     * @param messages that were examined
     * @param of all messages; more where only an even part was kept
     * @param medianNs of the examined ones
     * @param firstNs when the first of them was due
     * @param slowest of them, the slowest first
     * @param dropped compiled code that JVMs of watched threads dropped, by role
     */
    public record Slowest(
            long messages,
            long of,
            long medianNs,
            long firstNs,
            List<Delayed> slowest,
            Map<String, List<Pauses.Deoptimisation>> dropped) {
        /** Copies the lists. */
        public Slowest {
            slowest = List.copyOf(slowest);
            dropped = Map.copyOf(dropped);
        }
    }

    /**
     * The slowest of a step's messages, none below the median.
     *
     * @param roles of the trial with local files; not used where this reader has summed up a row of
     *     the same repeat
     * @param row of the trial
     * @param most how many at most
     * @return empty where no messages or too few were kept, or no thread was watched
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if the files of roles are torn or of another format
     */
    public Optional<Slowest> slowest(
            final List<RoleFolder> roles, final TrialResult row, final int most)
            throws IOException {
        final StallNotes notes = notes(sources.getOrDefault(Repeat.of(row), roles), row);
        final Tail tail = new Tail(notes, row, files);
        return tail.whyNotAttributed().isEmpty()
                ? Optional.of(tail.slowest(most))
                : Optional.empty();
    }

    private StallNotes notes(final List<RoleFolder> roles, final TrialResult row)
            throws IOException {
        final Repeat repeat = Repeat.of(row);
        final SoftReference<StallNotes> known = kept.remove(repeat);
        StallNotes notes = known == null || !roles.equals(sources.get(repeat)) ? null : known.get();
        if (notes == null) {
            notes = new StallNotes(roles, row, starts);
            sources.put(repeat, List.copyOf(roles));
        }
        if (kept.size() == MOST_KEPT) {
            kept.pollFirstEntry();
        }
        kept.putLast(repeat, new SoftReference<>(notes));
        return notes;
    }
}

package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When the JVM of a role paused its threads, and when it dropped compiled code, from its own log.
 * The line of a safepoint is written as it ends and says how long it took, on the clock of {@code
 * System.nanoTime}, which dates it to some microseconds. Collectors that work beside the program
 * (ZGC, the old generation of G1) appear in it only with their pauses.
 */
public final class Pauses {
    /**
     * The flag that makes the JVM write it: unified logging (JEP 158) of the tags {@code safepoint}
     * and {@code deoptimization}, with the time of {@code System.nanoTime}.
     *
     * @param file to write
     * @return a flag for the JVM
     */
    public static String flag(final Path file) {
        return "-Xlog:safepoint=info,deoptimization=debug:file=\""
                + file
                + "\":timenanos:filecount=0";
    }

    /**
     * The logs in a role's folder: one for each process that the role has had, in order.
     *
     * @param folder of the role
     * @return existing files
     */
    public static List<Path> logs(final Path folder) {
        final List<Path> logs = new ArrayList<>();
        for (Path log = log(folder, 0); Files.exists(log); log = log(folder, logs.size())) {
            logs.add(log);
        }
        return logs;
    }

    /**
     * The log of the next process of a role: a JVM begins an existing one anew.
     *
     * @param folder of the role
     * @return a file that does not exist
     */
    public static Path next(final Path folder) {
        return log(folder, logs(folder).size());
    }

    private static Path log(final Path folder, final int before) {
        return folder.resolve(
                before == 0
                        ? RoleFiles.PAUSES
                        : RoleFiles.PAUSES.replace(".", "-" + (before + 1) + "."));
    }

    private static final int MOST = 1_000_000;

    private static final Pattern LINE =
            Pattern.compile("\\[(\\d{1,19})ns] Safepoint \"(\\w+)\", .*Total: +(\\d{1,18}) ns.*");

    /** What precedes the name of an operation of the JVM where it is among names of tasks. */
    public static final String OPERATION = "safepoint:";

    /** Its method, without parameters, and the reason; see {@code Deoptimization::log_deopt}. */
    private static final Pattern DEOPTIMISED =
            Pattern.compile(
                    "\\[(\\d{1,19})ns] +cid=.* level=\\d+ ([^ (]+)\\(.* trap_bci=-?\\d+ (\\w+) .*");

    /** Operations of the collectors of the JDK by their names in the log. */
    private static final Pattern COLLECTION =
            Pattern.compile("(G1|Parallel|Serial|Shenandoah|Z)[A-Z].*");

    private record Pause(long beginNs, long endNs, String operation, boolean isCollection) {}

    /**
     * Compiled code whose assumption did not hold: the thread that was in it goes on interpreted.
     *
     * @param atNs when that was
     * @param method its name with its class
     * @param reason the JVM's word for it
     */
    public record Deoptimisation(long atNs, String method, String reason) {}

    private final List<Pause> pauses;
    private final List<Deoptimisation> deoptimisations;
    private final boolean isKept;

    private Pauses(
            final List<Pause> pauses,
            final List<Deoptimisation> deoptimisations,
            final boolean isKept) {
        this.pauses = pauses;
        this.deoptimisations = deoptimisations;
        this.isKept = isKept;
    }

    /**
     * Reads logs of processes that followed each other; a line of another form, such as the last
     * one of a killed process, is ignored.
     *
     * @param line of the clock that they are dated by
     * @param from in each of them, the beginning of the first line to read
     */
    static Pauses of(final List<Path> logs, final ClockLine line, final ToLongFunction<Path> from)
            throws IOException {
        final List<Pause> pauses = new ArrayList<>();
        final List<Deoptimisation> deoptimisations = new ArrayList<>();
        for (final Path log : logs) {
            try (BufferedReader lines =
                    RepeatStarts.reader(log, from.applyAsLong(log), StandardCharsets.ISO_8859_1)) {
                read(log, lines, line, pauses, deoptimisations);
            }
        }
        return new Pauses(pauses, deoptimisations, !logs.isEmpty());
    }

    private static void read(
            final Path log,
            final BufferedReader lines,
            final ClockLine line,
            final List<Pause> pauses,
            final List<Deoptimisation> deoptimisations)
            throws IOException {
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            final Matcher matcher = LINE.matcher(text);
            if (matcher.matches()) {
                if (pauses.size() == MOST) {
                    throw new IllegalArgumentException(
                            "%s holds more than %,d pauses".formatted(log, MOST));
                }
                final long endNs = line.at(Long.parseLong(matcher.group(1)));
                pauses.add(
                        new Pause(
                                endNs - Long.parseLong(matcher.group(3)),
                                endNs,
                                matcher.group(2),
                                COLLECTION.matcher(matcher.group(2)).matches()));
                continue;
            }
            final Matcher deoptimised = DEOPTIMISED.matcher(text);
            if (deoptimised.matches() && deoptimisations.size() < MOST) {
                deoptimisations.add(
                        new Deoptimisation(
                                line.at(Long.parseLong(deoptimised.group(1))),
                                deoptimised.group(2),
                                deoptimised.group(3)));
            }
        }
    }

    /** Compiled code that it dropped, in order. */
    List<Deoptimisation> deoptimisations() {
        return deoptimisations;
    }

    boolean isKept() {
        return isKept;
    }

    /** How long it collected garbage between two times. */
    long collectedNs(final long fromNs, final long toNs) {
        return sum(fromNs, toNs, true);
    }

    /** How long it paused its threads for another reason. */
    long heldNs(final long fromNs, final long toNs) {
        return sum(fromNs, toNs, false);
    }

    private long sum(final long fromNs, final long toNs, final boolean isCollection) {
        return within(fromNs, toNs).stream()
                .filter(pause -> pause.isCollection() == isCollection)
                .mapToLong(pause -> overlap(pause, fromNs, toNs))
                .sum();
    }

    /**
     * Adds the operations for which it paused its threads between two times.
     *
     * @param sums by name, ns
     */
    void addOperations(final long fromNs, final long toNs, final Map<String, Long> sums) {
        for (final Pause pause : within(fromNs, toNs)) {
            sums.merge(OPERATION + pause.operation(), overlap(pause, fromNs, toNs), Long::sum);
        }
    }

    private static long overlap(final Pause pause, final long fromNs, final long toNs) {
        return Math.min(toNs, pause.endNs()) - Math.max(fromNs, pause.beginNs());
    }

    /** Safepoints do not overlap, so both ends are in order. */
    private List<Pause> within(final long fromNs, final long toNs) {
        int low = 0;
        int high = pauses.size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (pauses.get(middle).endNs() <= fromNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int end = low;
        while (end < pauses.size() && pauses.get(end).beginNs() < toNs) {
            end++;
        }
        return pauses.subList(low, end);
    }
}

package io.tickmark.lab.tail;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When the JVM of a role paused its threads, from its safepoint log. Each line is written as a
 * safepoint ends and says how long it took, on the clock of {@code System.nanoTime}, which dates it
 * to some microseconds. Collectors that work beside the program (ZGC, the old generation of G1)
 * appear in it only with their pauses.
 */
public final class Pauses {
    /**
     * The flag that makes the JVM write it: unified logging (JEP 158) of the tag {@code safepoint},
     * with the time of {@code System.nanoTime}.
     *
     * @param file to write
     * @return a flag for the JVM
     */
    public static String flag(final Path file) {
        return "-Xlog:safepoint=info:file=\"" + file + "\":timenanos:filecount=0";
    }

    private static final int MOST = 1_000_000;

    private static final Pattern LINE =
            Pattern.compile("\\[(\\d{1,19})ns] Safepoint \"(\\w+)\", .*Total: +(\\d{1,18}) ns.*");

    /** Operations of the collectors of the JDK by their names in the log. */
    private static final Pattern COLLECTION =
            Pattern.compile("(G1|Parallel|Serial|Shenandoah|Z)[A-Z].*");

    private record Pause(long beginNs, long endNs, boolean isCollection) {}

    private final List<Pause> pauses;
    private final boolean isKept;

    private Pauses(final List<Pause> pauses, final boolean isKept) {
        this.pauses = pauses;
        this.isKept = isKept;
    }

    /**
     * Reads a log; a line of another form, such as the last one of a killed process, is ignored.
     *
     * @param line of the clock that it is dated by
     */
    static Pauses of(final Optional<Path> log, final ClockLine line) throws IOException {
        if (log.isEmpty()) {
            return new Pauses(List.of(), false);
        }
        final List<Pause> pauses = new ArrayList<>();
        try (BufferedReader lines =
                Files.newBufferedReader(log.get(), StandardCharsets.ISO_8859_1)) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                final Matcher matcher = LINE.matcher(text);
                if (matcher.matches()) {
                    if (pauses.size() == MOST) {
                        throw new IllegalArgumentException(
                                "%s holds more than %,d pauses".formatted(log.get(), MOST));
                    }
                    final long endNs = line.at(Long.parseLong(matcher.group(1)));
                    pauses.add(
                            new Pause(
                                    endNs - Long.parseLong(matcher.group(3)),
                                    endNs,
                                    COLLECTION.matcher(matcher.group(2)).matches()));
                }
            }
        }
        return new Pauses(pauses, true);
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

    /** Safepoints do not overlap, so both ends are in order. */
    private long sum(final long fromNs, final long toNs, final boolean isCollection) {
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
        long sum = 0;
        for (int i = low; i < pauses.size() && pauses.get(i).beginNs() < toNs; i++) {
            final Pause pause = pauses.get(i);
            if (pause.isCollection() == isCollection) {
                sum +=
                        Math.max(
                                0,
                                Math.min(toNs, pause.endNs()) - Math.max(fromNs, pause.beginNs()));
            }
        }
        return sum;
    }
}

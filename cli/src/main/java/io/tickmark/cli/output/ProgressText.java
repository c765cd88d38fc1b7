package io.tickmark.cli.output;

import java.util.Locale;

/** One line with the progress of a run, for a terminal of any width. */
public final class ProgressText {
    private static final int MOST_CELLS = 30;
    private static final int FEWEST_CELLS = 5;
    private static final double NS_PER_SECOND = 1e9;

    private ProgressText() {}

    /**
     * Lays the line out: the name of what runs is cut first, then the bar is dropped, then the
     * time.
     *
     * @param donePart 0 to 1
     * @param leftNs time left by estimate
     * @param what runs
     * @param columns to fit into
     * @return a line no longer than {@code columns}
     */
    static String of(
            final double donePart, final long leftNs, final String what, final int columns) {
        final String percent =
                String.format(Locale.ROOT, "%3d%%", (int) Math.clamp(donePart * 100, 0, 100));
        final String left = ", " + duration(leftNs) + " left";
        final int room = columns - percent.length() - left.length();
        if (room < 0) {
            return percent.substring(0, Math.max(0, Math.min(percent.length(), columns)));
        }
        final int cells = Math.min(MOST_CELLS, room / 3);
        final String bar = cells < FEWEST_CELLS ? "" : bar(donePart, cells) + " ";
        final int forWhat = room - bar.length() - 1;
        final String shown =
                forWhat < FEWEST_CELLS
                        ? ""
                        : " " + what.substring(0, Math.min(what.length(), forWhat));
        return bar + percent + left + shown;
    }

    private static String bar(final double donePart, final int cells) {
        final int inner = cells - 2;
        final int full = Math.clamp(Math.round(donePart * inner), 0, inner);
        return "[" + "=".repeat(full) + " ".repeat(inner - full) + "]";
    }

    /**
     * A time for people, in whole seconds.
     *
     * @param ns time
     * @return such as {@code 48 s} or {@code 2 min 05 s}
     */
    public static String duration(final long ns) {
        final long seconds = Math.max(0, Math.round(ns / NS_PER_SECOND));
        return seconds < 60
                ? seconds + " s"
                : String.format(Locale.ROOT, "%d min %02d s", seconds / 60, seconds % 60);
    }

    /**
     * How long something takes about, for people.
     *
     * @param ns time
     * @return such as {@code 48 s}, {@code 3 min} or {@code 1.5 h}
     */
    public static String roughly(final long ns) {
        final double seconds = ns / NS_PER_SECOND;
        if (seconds < 90) {
            return Math.round(seconds) + " s";
        }
        return seconds < 5400
                ? Math.round(seconds / 60) + " min"
                : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }
}

package io.tickmark.kernel.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Core numbers as Linux writes them: {@code 0-3,8}. */
public final class CoreList {
    /** Above the limit of any kernel; keeps a wrong number from exhausting memory. */
    static final int MAX_CORES = 8192;

    private CoreList() {}

    /**
     * Reads a list.
     *
     * @param text for example {@code 0-3,8}; blank is the empty list
     * @return ascending core numbers, each once; empty where the text is not a list of cores below
     *     8192
     */
    public static Optional<List<Integer>> parse(final String text) {
        final TreeSet<Integer> cores = new TreeSet<>();
        for (final String part : text.strip().split(",")) {
            if (!part.isBlank() && !addRange(part.strip(), cores)) {
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(cores));
    }

    /**
     * Writes a list.
     *
     * @param cores numbers in any order
     * @return for example {@code 0-3,8}
     */
    public static String format(final List<Integer> cores) {
        final List<String> ranges = new ArrayList<>();
        int first = -1;
        int last = -1;
        for (final int core : new TreeSet<>(cores)) {
            if (first >= 0 && core != last + 1) {
                ranges.add(range(first, last));
                first = core;
            }
            first = first < 0 ? core : first;
            last = core;
        }
        if (first >= 0) {
            ranges.add(range(first, last));
        }
        return String.join(",", ranges);
    }

    private static String range(final int first, final int last) {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }

    private static boolean addRange(final String part, final TreeSet<Integer> cores) {
        final int dash = part.indexOf('-');
        final int first = number(dash < 0 ? part : part.substring(0, dash));
        final int last = dash < 0 ? first : number(part.substring(dash + 1));
        if (first < 0 || last < first) {
            return false;
        }
        for (int core = first; core <= last; core++) {
            cores.add(core);
        }
        return true;
    }

    private static int number(final String digits) {
        if (digits.isEmpty() || digits.length() > 4) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < digits.length(); i++) {
            final char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number < MAX_CORES ? number : -1;
    }
}

package io.tickmark.bench.peers;

import io.tickmark.bench.contest.LatencyRow.Part;
import io.tickmark.bench.contest.NotMeasured;
import java.util.Map;

/** The line of figures that our C programs and the bare Aeron stream end with. */
final class FigureLine {
    private FigureLine() {}

    /**
     * One figure of it.
     *
     * @param output {@code tool=NAME key=value ...}, perhaps among other lines
     * @param key of the figure
     * @return its value
     */
    static double figure(final String output, final String key) {
        final String word = word(output, key);
        return number(word, key + "=" + word);
    }

    /**
     * The latencies of it.
     *
     * @param figures to add them to
     * @param name what the names of the figures begin with
     * @param output of a C program
     */
    static void putLatencies(
            final Map<String, Double> figures, final String name, final String output) {
        figures.put(Part.P50.of(name), figure(output, "p50_ns"));
        figures.put(Part.P99.of(name), figure(output, "p99_ns"));
        figures.put(Part.P999.of(name), figure(output, "p999_ns"));
    }

    /** What such a line says of a key. */
    static String word(final String output, final String key) {
        for (final String line : output.split("\n")) {
            if (line.startsWith("tool=")) {
                for (final String word : line.strip().split(" ")) {
                    if (word.startsWith(key + "=")) {
                        return word.substring(key.length() + 1);
                    }
                }
            }
        }
        throw new NotMeasured("there is no " + key + " in '" + output.strip() + "'.");
    }

    private static double number(final String text, final String word) {
        try {
            return Double.parseDouble(text);
        } catch (final NumberFormatException e) {
            throw new NotMeasured("'" + word + "' holds no number.", e);
        }
    }
}

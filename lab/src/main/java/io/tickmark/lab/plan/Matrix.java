package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The matrix of a plan: values of settings, and all combinations of them. */
public final class Matrix {
    /** More would take days. */
    private static final int MOST = 200;

    private Matrix() {}

    /** Reads the key as written in a file. */
    static Map<String, List<String>> read(final Map<String, Object> typed, final String file) {
        final Map<String, List<String>> matrix = new LinkedHashMap<>();
        long combinations = 1;
        for (final Map.Entry<String, Object> entry : typed.entrySet()) {
            if (!(entry.getValue() instanceof final List<?> values)
                    || values.isEmpty()
                    || !values.stream().allMatch(Matrix::isPlain)) {
                throw UserError.usage(
                        "%s: matrix.%s must be a list of values, for example [64, 1024]."
                                .formatted(file, entry.getKey()));
            }
            matrix.put(entry.getKey(), values.stream().map(String::valueOf).toList());
            combinations *= values.size();
            if (combinations > MOST) {
                throw UserError.usage(
                        "%s: matrix has more than %d combinations; leave some out."
                                .formatted(file, MOST));
            }
        }
        return matrix;
    }

    private static boolean isPlain(final Object value) {
        return value != null && !(value instanceof List<?>) && !(value instanceof Map<?, ?>);
    }

    /**
     * All combinations; the last key changes fastest.
     *
     * @param matrix values by key
     * @return settings of each, the first of all values first
     */
    public static List<Map<String, String>> combinations(final Map<String, List<String>> matrix) {
        List<Map<String, String>> all = List.of(Map.of());
        for (final Map.Entry<String, List<String>> entry : matrix.entrySet()) {
            final List<Map<String, String>> more = new ArrayList<>();
            for (final Map<String, String> before : all) {
                for (final String value : entry.getValue()) {
                    final Map<String, String> one = new LinkedHashMap<>(before);
                    one.put(entry.getKey(), value);
                    more.add(one);
                }
            }
            all = more;
        }
        return all;
    }
}

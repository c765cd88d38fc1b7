package io.tickmark.kernel.host;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An environment record to be read: what is absent, or of another type, is empty. */
record Recorded(Map<String, Map<String, Object>> environment) {
    boolean has(final String group) {
        return environment.containsKey(group);
    }

    private Object value(final String group, final String name) {
        return environment.getOrDefault(group, Map.of()).getOrDefault(name, "");
    }

    /** A list is written with commas. */
    String text(final String group, final String name) {
        return switch (value(group, name)) {
            case final List<?> list ->
                    String.join(", ", list.stream().map(String::valueOf).toList());
            case final Object other -> other.toString();
        };
    }

    Optional<Double> number(final String group, final String name) {
        return value(group, name) instanceof final Number number
                ? Optional.of(number.doubleValue())
                : Optional.empty();
    }

    Optional<Boolean> flag(final String group, final String name) {
        return value(group, name) instanceof final Boolean flag
                ? Optional.of(flag)
                : Optional.empty();
    }

    /** A value of a group within a group. */
    Optional<Object> within(final String group, final String inner, final String name) {
        return environment.getOrDefault(group, Map.of()).get(inner) instanceof final Map<?, ?> map
                ? Optional.ofNullable(map.get(name))
                : Optional.empty();
    }

    /** Those the process may use, which may be fewer than the machine has; 0 where not known. */
    int cores() {
        return CoreList.parse(text("cpu", "allowedCores"))
                .map(List::size)
                .filter(size -> size > 0)
                .orElseGet(() -> number("cpu", "logicalCores").map(Double::intValue).orElse(0));
    }
}

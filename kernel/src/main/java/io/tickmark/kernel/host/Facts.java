package io.tickmark.kernel.host;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Collects one group of the environment record in order; unknown values are omitted. */
final class Facts {
    private final Map<String, Object> values = new LinkedHashMap<>();

    Facts put(final String name, final Object value) {
        if (isKnown(value)) {
            values.put(name, value);
        }
        return this;
    }

    Facts put(final String name, final Optional<?> value) {
        return put(name, value.isPresent() ? value.get() : "");
    }

    /** How many further ones there are of what the group lists; nothing where it has all. */
    Facts putNotListed(final int further) {
        return further > 0 ? put("notListed", further) : this;
    }

    /** Adds values that are not known yet. */
    Facts addAbsent(final Map<String, Object> others) {
        others.forEach(values::putIfAbsent);
        return this;
    }

    Map<String, Object> toMap() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    private static boolean isKnown(final Object value) {
        return switch (value) {
            case final String text -> !text.isBlank();
            case final Collection<?> list -> !list.isEmpty();
            case final Map<?, ?> map -> !map.isEmpty();
            default -> true;
        };
    }
}

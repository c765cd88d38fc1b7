package io.tickmark.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges a pod's spec into another as {@code kubectl patch} does by default: maps key by key, lists
 * whose elements have a name by that name, all other lists as a whole. The names are those of the
 * {@code patchMergeKey} marks of {@code PodSpec} and what is in it (Kubernetes, core/v1 types). As
 * there, {@code $patch: delete} in an element takes the one of its name out, {@code $patch:
 * replace} in any element puts the others in place of the whole list, and the two in a map empty or
 * replace it; {@code null} takes a key out. Unlike there, a volume of another kind replaces the one
 * of its name, which could not have two.
 */
final class StrategicMerge {
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("containers", "name"),
                    Map.entry("initContainers", "name"),
                    Map.entry("ephemeralContainers", "name"),
                    Map.entry("env", "name"),
                    Map.entry("ports", "containerPort"),
                    Map.entry("volumeMounts", "mountPath"),
                    Map.entry("volumeDevices", "devicePath"),
                    Map.entry("volumes", "name"),
                    Map.entry("imagePullSecrets", "name"),
                    Map.entry("hostAliases", "ip"),
                    Map.entry("topologySpreadConstraints", "topologyKey"),
                    Map.entry("schedulingGates", "name"),
                    Map.entry("resourceClaims", "name"));
    private static final String PATCH = "$patch";
    private static final String REPLACE = "replace";
    private static final String DELETE = "delete";

    private StrategicMerge() {}

    /** What cannot be merged: the sentence says which list and element, or what is not known. */
    static final class UnmergeableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnmergeableException(final String message) {
            super(message);
        }
    }

    /**
     * Merges.
     *
     * @param base left as it is
     * @param over what is laid over it
     * @return a new map
     * @throws UnmergeableException if an element of a list lacks the key by which it is found, or a
     *     {@code $patch} is neither of the two
     */
    static Map<String, Object> merged(
            final Map<String, Object> base, final Map<String, Object> over)
            throws UnmergeableException {
        final Optional<String> patch = patch(over);
        if (patch.isPresent()) {
            final Map<String, Object> alone = new LinkedHashMap<>(over);
            alone.remove(PATCH);
            return patch.get().equals(REPLACE) ? alone : new LinkedHashMap<>();
        }
        final Map<String, Object> merged = new LinkedHashMap<>(base);
        for (final Map.Entry<String, Object> entry : over.entrySet()) {
            final String key = entry.getKey();
            final Object was = merged.get(key);
            final Object is = entry.getValue();
            if (is == null) {
                merged.remove(key);
            } else if (is instanceof final Map<?, ?> map) {
                merged.put(key, merged(was instanceof Map ? map(was) : Map.of(), map(map)));
            } else if (is instanceof final List<?> list && NAMES.containsKey(key)) {
                merged.put(
                        key,
                        elements(key, was instanceof final List<?> old ? old : List.of(), list));
            } else {
                merged.put(key, is);
            }
        }
        return merged;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(final Object value) {
        return (Map<String, Object>) value;
    }

    private static List<Object> elements(final String list, final List<?> base, final List<?> over)
            throws UnmergeableException {
        final Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
        final List<String> deleted = new ArrayList<>();
        boolean isReplaced = false;
        for (final Object element : over) {
            final Optional<String> patch = patch(element);
            isReplaced |= patch.filter(REPLACE::equals).isPresent();
            if (patch.filter(DELETE::equals).isPresent()) {
                deleted.add(name(list, element));
            }
        }
        for (final Object element : isReplaced ? List.of() : base) {
            byName.put(name(list, element), map(element));
        }
        deleted.forEach(byName::remove);
        for (final Object element : over) {
            if (patch(element).isEmpty()) {
                final String name = name(list, element);
                final Map<String, Object> is = map(element);
                final Map<String, Object> was = byName.getOrDefault(name, Map.of());
                byName.put(name, merged(isOtherVolume(list, was, is) ? Map.of() : was, is));
            }
        }
        return new ArrayList<>(byName.values());
    }

    /** What an element or a map says of itself instead of being merged. */
    private static Optional<String> patch(final Object value) throws UnmergeableException {
        final Object patch = value instanceof final Map<?, ?> map ? map.get(PATCH) : null;
        if (patch != null && !patch.equals(REPLACE) && !patch.equals(DELETE)) {
            throw new UnmergeableException(
                    "%s is %s and not %s or %s".formatted(PATCH, patch, REPLACE, DELETE));
        }
        return Optional.ofNullable((String) patch);
    }

    /** A volume has its name and one source. */
    private static boolean isOtherVolume(
            final String list, final Map<String, Object> was, final Map<String, Object> is) {
        final Set<String> known = was.keySet();
        return "volumes".equals(list) && is.keySet().stream().anyMatch(key -> !known.contains(key));
    }

    private static String name(final String list, final Object element)
            throws UnmergeableException {
        final String by = NAMES.get(list);
        if (element instanceof final Map<?, ?> map && map.get(by) != null) {
            return map.get(by).toString();
        }
        throw new UnmergeableException(
                "an element of %s has no %s, by which it would be found".formatted(list, by));
    }
}

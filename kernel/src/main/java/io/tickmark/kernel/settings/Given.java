package io.tickmark.kernel.settings;

import java.util.Set;

/**
 * Which settings the user gave, whatever their values. A component of this type in a settings
 * record, or in one of its groups, is not a setting: {@link Settings#read} sets it. It is for
 * settings whose default yields to another value, while an explicit value must not.
 *
 * @param keys of all settings that were given, including those of other groups
 */
public record Given(Set<String> keys) {
    /** Copies the set. */
    public Given {
        keys = Set.copyOf(keys);
    }

    /**
     * Whether the user gave a setting.
     *
     * @param key of the setting
     * @return true even for its default
     */
    public boolean has(final String key) {
        return keys.contains(key);
    }
}

package io.tickmark.kernel.settings;

import java.util.Set;

/**
 * Which settings the user gave, whatever their values. A component of this type in a settings
 * record, or in one of its groups, is no setting: {@link Settings#read} fills it in. It is for
 * settings whose default gives way to something else, which must not be overruled by it.
 *
 * @param keys of all settings that were given, those of other groups included
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

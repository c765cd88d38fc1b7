package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * How another tool of the field spells its options, so that its command lines work with the
 * program's name exchanged. Workloads and engines know only settings and channels; each tool has
 * one file here, which maps its words to those.
 */
public interface Dialect {
    /** The dialect of a command that no other tool has. */
    Dialect NONE = new Dialect() {};

    /**
     * Its spellings of settings of the roles.
     *
     * @return spelling, including the dash, to key
     */
    default Map<String, String> spellings() {
        return Map.of();
    }

    /**
     * Keys of the settings that it accepts without an option.
     *
     * @return in order; may be omitted from the end
     */
    default List<String> positional() {
        return List.of();
    }

    /**
     * Options that no role has: {@link #meant} translates them to settings and channels.
     *
     * @return a spelling of theirs is not the role's
     */
    default List<SettingDescriptor> options() {
        return List.of();
    }

    /**
     * Whether help shows those options: where the command exists only for this tool. Otherwise they
     * are only accepted for existing command lines.
     *
     * @return false for options of one engine
     */
    default boolean areOptionsShown() {
        return false;
    }

    /**
     * The page for those who come from that tool, below {@code docs/coming-from}.
     *
     * @return its name; empty where there is none
     */
    default String page() {
        return "";
    }

    /**
     * The help of a command about that tool.
     *
     * @return a sentence with a space before it; empty where there is none
     */
    default String mention() {
        return page().isEmpty()
                ? ""
                : " Command lines of a reference tool work once the program's name is replaced: see "
                        + "docs/coming-from/%s.".formatted(page());
    }

    /**
     * Settings of the roles that this tool does not have, or sets with its own options.
     *
     * @return keys
     */
    default Set<String> replaced() {
        return Set.of();
    }

    /**
     * The typed options as settings of the roles.
     *
     * @param typed key to text, of the roles and of {@link #options}
     * @param naming the user's name for a key, for errors
     * @return key to text, only of the roles
     * @throws io.tickmark.kernel.settings.UserError if options contradict each other, or configure
     *     what is not here
     */
    default Map<String, Object> meant(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        return typed;
    }

    /**
     * What the user should know of the typed options: what of a file was taken, and what was not.
     *
     * @param typed as for {@link #meant}, which has accepted it
     * @param naming the user's name for a key
     * @return sentences
     */
    default List<String> notes(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        return List.of();
    }

    /**
     * Reads the options of one record, and removes them from the settings of the roles.
     *
     * @param <S> the record
     * @param type its class
     * @param meant key to text, which loses the options
     * @param naming the user's name for a key, for errors
     * @return the options
     */
    static <S extends Record> S take(
            final Class<S> type,
            final Map<String, Object> meant,
            final UnaryOperator<String> naming) {
        final Map<String, Object> own = new LinkedHashMap<>();
        for (final SettingDescriptor setting : SettingDescriptor.of(type)) {
            if (meant.containsKey(setting.key())) {
                own.put(setting.key(), meant.remove(setting.key()));
            }
        }
        return Settings.read(type, own, naming);
    }
}

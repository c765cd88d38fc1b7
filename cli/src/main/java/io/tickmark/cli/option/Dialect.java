package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * How another tool of the field spells what a command is told, so that its command lines work with
 * the program's name exchanged. Workloads and engines know settings and channels alone; each tool
 * has one file here, which maps its words to those.
 */
public interface Dialect {
    /** A command that no other tool has. */
    Dialect NONE = new Dialect() {};

    /**
     * Its spellings of settings that the roles have too.
     *
     * @return spelling, dash included, to key
     */
    default Map<String, String> spellings() {
        return Map.of();
    }

    /**
     * Keys of the settings that it takes without an option.
     *
     * @return in order; all may be left out from the end
     */
    default List<String> positional() {
        return List.of();
    }

    /**
     * Options that no role has: {@link #meant} says the same in settings and channels.
     *
     * @return a spelling of theirs is not the role's
     */
    default List<SettingDescriptor> options() {
        return List.of();
    }

    /**
     * Whether help shows those options: where the command is for what the tool does alone. Else
     * they are taken from command lines that there are already.
     *
     * @return false for options of one engine
     */
    default boolean areOptionsShown() {
        return false;
    }

    /**
     * The page for those who come from that tool, below {@code docs/coming-from}.
     *
     * @return its name; empty where there is nothing to tell
     */
    default String page() {
        return "";
    }

    /**
     * What the help of a command says of that tool.
     *
     * @return a sentence with a space before it; empty where there is nothing to tell
     */
    default String mention() {
        return page().isEmpty()
                ? ""
                : " Command lines of a reference tool work once the program's name is exchanged: see "
                        + "docs/coming-from/%s.".formatted(page());
    }

    /**
     * Settings of the roles that this tool does not have, or says by its own options.
     *
     * @return keys
     */
    default Set<String> replaced() {
        return Set.of();
    }

    /**
     * What was typed, in settings of the roles.
     *
     * @param typed key to text, of the roles and of {@link #options}
     * @param naming how the user knows a key, for errors
     * @return key to text, of the roles alone
     * @throws io.tickmark.kernel.settings.UserError if options contradict each other, or configure
     *     what is not here
     */
    default Map<String, Object> meant(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        return typed;
    }

    /**
     * Reads the options of one record, and takes them out of what the roles will get.
     *
     * @param <S> the record
     * @param type its class
     * @param meant key to text, which loses the options
     * @param naming how the user knows a key, for errors
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

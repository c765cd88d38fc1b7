package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/**
 * {@code --store}, the spelling of {@code --channel} for messages that go through the store of its
 * engine.
 */
public final class StoreOption {
    private static final String NAME = "--store";

    private StoreOption() {}

    /**
     * Whether that spelling was typed.
     *
     * @param arguments of the command
     * @param settings of the role whose channel it means; for others {@code --store} may mean
     *     something else
     * @return true if the test asks for a store
     */
    private static boolean isTyped(
            final ParseResult arguments, final Class<? extends Record> settings) {
        return SettingDescriptor.of(settings).stream()
                        .anyMatch(each ->
                                each.key().equals("channel") && each.aliases().contains(NAME))
                && arguments.originalArgs().stream()
                        .anyMatch(word -> word.equals(NAME) || word.startsWith(NAME + "="));
    }

    /**
     * What was typed, with the setting that messages go through a store where that spelling was.
     *
     * @param typed values by key
     * @param arguments of the command
     * @param settings of the role
     * @return values by key
     */
    public static Map<String, Object> with(
            final Map<String, Object> typed,
            final ParseResult arguments,
            final Class<? extends Record> settings) {
        final Map<String, Object> all = new LinkedHashMap<>(typed);
        if (isTyped(arguments, settings)) {
            all.put(Stores.STORED, true);
        }
        return all;
    }
}

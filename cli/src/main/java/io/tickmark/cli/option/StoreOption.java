package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code --store}, the spelling of {@code --channel} for a store. */
public final class StoreOption {
    private static final String NAME = "--store";

    private StoreOption() {}

    /**
     * Refuses channels without a store where that spelling was typed: nothing would be stored, and
     * the figures would look as if it was.
     *
     * @param arguments of the command
     * @param settings of the role whose channels they are; for others {@code --store} may mean
     *     something else
     * @param channels in use
     * @throws UserError if one of them keeps no messages
     */
    public static void check(
            final ParseResult arguments,
            final Class<? extends Record> settings,
            final List<String> channels) {
        final boolean isChannel =
                SettingDescriptor.of(settings).stream()
                        .anyMatch(each ->
                                each.key().equals("channel") && each.aliases().contains(NAME));
        final boolean isTyped =
                arguments.originalArgs().stream()
                        .anyMatch(word -> word.equals(NAME) || word.startsWith(NAME + "="));
        if (isChannel && isTyped) {
            channels.forEach(channel -> Stores.of(ChannelUri.parse(channel)));
        }
    }
}

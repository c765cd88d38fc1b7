package io.tickmark.cli;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code --store}, the spelling of {@code --channel} of those who mean a store. */
final class StoreOption {
    private static final String NAME = "--store";

    private StoreOption() {}

    /**
     * Refuses channels without a store where that spelling was typed: nothing would be stored, and
     * the figures would look as if it was.
     *
     * @param arguments of the command
     * @param channels that are meant
     * @throws UserError if one of them keeps no messages
     */
    static void check(final ParseResult arguments, final List<String> channels) {
        final boolean isTyped =
                arguments.originalArgs().stream()
                        .anyMatch(word -> word.equals(NAME) || word.startsWith(NAME + "="));
        if (isTyped) {
            channels.forEach(channel -> Stores.of(ChannelUri.parse(channel)));
        }
    }
}

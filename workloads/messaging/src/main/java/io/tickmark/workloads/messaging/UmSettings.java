package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.List;

/**
 * Options of Ultra Messaging's own test tools that name its configuration: persistence is mapped to
 * a store, the rest says what is missing.
 *
 * @param persist {@code r} or {@code s}: a store is wanted; empty for streaming
 * @param xmlConfig an Ultra Messaging XML configuration
 * @param config an Ultra Messaging configuration file
 */
public record UmSettings(
        @Setting(
                        help = "Ultra Messaging: persistence, receiver- (r) or source-paced (s).",
                        aliases = {"-p"},
                        label = "r|s")
                String persist,
        @Setting(
                        help = "Ultra Messaging: its XML configuration.",
                        aliases = {"-x"},
                        label = "FILE")
                String xmlConfig,
        @Setting(
                        help = "Ultra Messaging: its configuration file; may be repeated.",
                        aliases = {"-c"},
                        label = "FILE")
                List<String> config) {

    private static final String DEFAULT_STORE = "archive:";
    private static final String DELETION = "deletion";

    /** Refuses what its scripts would not say. */
    public UmSettings {
        if (!persist.isEmpty() && !persist.equals("r") && !persist.equals("s")) {
            throw UserError.usage(
                    "-p "
                            + persist
                            + ": is no kind of persistence; give r (receiver-paced) or s (source-paced).");
        }
    }

    /**
     * Says which engine is missing where its configuration is given.
     *
     * @throws UserError an environment error that names the option and the engine
     */
    public void requireEngine() {
        if (!xmlConfig.isEmpty() || !config.isEmpty()) {
            throw UserError.environment(
                    (xmlConfig.isEmpty() ? "-c " + config.getFirst() : "-x " + xmlConfig)
                            + ": this configures Ultra Messaging, whose engine is missing here;"
                            + " leave it out and name a channel of an engine that 'tickmark engines'"
                            + " lists, for example --channel aeron:ipc.");
        }
    }

    /**
     * The channel that is meant: persistence wants one with a store, and says when that deletes.
     *
     * @param channel as in the settings
     * @param byDefault the channel where none was given
     * @return the channel, with the store's deletion rule
     * @throws UserError if the channel has no store, or another rule
     */
    public String orChannel(final String channel, final String byDefault) {
        if (persist.isEmpty()) {
            return channel;
        }
        final ChannelUri uri =
                ChannelUri.parse(channel.equals(byDefault) ? DEFAULT_STORE : channel);
        if (!Stores.isStored(uri)) {
            throw UserError.usage(
                    "-p "
                            + persist
                            + ": asks for a store, and "
                            + channel
                            + " has none; leave it out to stream, or give --store archive:.");
        }
        final String wanted = persist.equals("r") ? "acknowledged" : "kept";
        final String given = uri.parameters().getOrDefault(DELETION, wanted);
        if (!given.equals(wanted)) {
            throw UserError.usage(
                    "-p "
                            + persist
                            + ": means deletion="
                            + wanted
                            + ", and "
                            + channel
                            + " says "
                            + given
                            + "; give one of them.");
        }
        return uri.with(DELETION, wanted).toString();
    }
}

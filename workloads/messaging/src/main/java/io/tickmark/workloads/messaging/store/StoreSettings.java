package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.Setting;
import java.util.List;

/**
 * Settings of a store.
 *
 * @param channel of the engine, with the store's parameters
 * @param topics that are read back, those of the publisher
 * @param storeDirectory for its data; empty for a new one below the folder of temporary files
 * @param keepStored whether its data stay when it ends
 */
public record StoreSettings(
        @Setting(
                        help = "Channel of an engine with a store, and the store's parameters.",
                        byDefault = "archive:",
                        label = "URI")
                String channel,
        @Setting(
                        help = "Topics that the store is read back for; the publisher's.",
                        byDefault = "tickmark",
                        label = "NAME,...")
                List<String> topics,
        @Setting(
                        help =
                                "Folder for the store's data, empty or not there yet (default: a new one in the folder of "
                                        + "temporary files).",
                        label = "DIR")
                String storeDirectory,
        @Setting(
                        help =
                                "Keep the data in --store-directory, which another run can then go on with; by"
                                        + " default they are deleted after each trial.",
                        byDefault = "false")
                boolean keepStored) {
    /** Copies the list. */
    public StoreSettings {
        topics = List.copyOf(topics);
    }
}

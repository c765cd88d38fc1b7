package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.source.FeedSettings;

/**
 * Settings of the publisher.
 *
 * @param feed what it makes
 * @param channel to send on
 * @param receivers to wait for
 * @param time when to measure
 */
public record FeedPublisherSettings(
        FeedSettings feed,
        @Setting(
                        help =
                                "Channel to send on, of any engine: what 'console' or 'feed server' is given as --source.",
                        byDefault = "shm://prices",
                        label = "CHANNEL")
                String channel,
        @Setting(
                        help =
                                "Receivers that must be connected before it begins; more may connect and disconnect later.",
                        byDefault = "1",
                        min = 0,
                        max = 1000)
                int receivers,
        MeasuredTime time) {

    /** Checks conditions between settings. */
    public FeedPublisherSettings {
        if (feed.threads() > 1) {
            throw UserError.usage(
                    "--threads " + feed.threads() + ": one thread sends on a channel; give 1.");
        }
        if (feed.isChannel()) {
            throw UserError.usage(
                    "--source "
                            + feed.source()
                            + ": a publisher makes prices or replays a file; give 'generator' or a file.");
        }
    }
}

package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.ThreadSettings;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the latency subscriber.
 *
 * @param channel to measure
 * @param channelParameters parameters in which this subscriber's channel differs from the
 *     publisher's, each as {@code name=value}
 * @param topic within it
 * @param cookie number of this subscriber, 0 to take its index in the plan
 * @param noEcho whether it only receives; the one with the highest cookie must echo
 * @param idleTimeout end after this long without a message
 * @param verify whether to check checksums
 * @param thread how the hot thread waits and where it runs
 */
public record LatencySubSettings(
        @Setting(help = "Channel to measure.", byDefault = "udp://127.0.0.1:0", label = "URI")
                String channel,
        @Setting(
                        help =
                                "Parameters of the channel in which this subscriber differs from its publisher, such as a "
                                        + "multicast group of its own.",
                        label = "NAME=VALUE,...")
                List<String> channelParameters,
        @Setting(help = "Topic within the channel.", byDefault = "tickmark", label = "NAME")
                String topic,
        @Setting(
                        help =
                                "Number of this subscriber, from 1, each its own; 0 takes its index in the plan.",
                        byDefault = "0",
                        min = 0,
                        max = 1024)
                int cookie,
        @Setting(
                        help =
                                "Only receive; exactly one subscriber, the one with the highest cookie, echoes.",
                        byDefault = "false")
                boolean noEcho,
        @Setting(
                        help = "End after this long without a message.",
                        byDefault = "10s",
                        min = 1e6,
                        max = 3.6e12)
                Duration idleTimeout,
        @Setting(help = "Check the CRC32C of messages from 32 bytes on.", byDefault = "true")
                boolean verify,
        ThreadSettings thread) {
    /** Refuses parameters without a name or a value. */
    public LatencySubSettings {
        channelParameters = List.copyOf(channelParameters);
        for (final String parameter : channelParameters) {
            if (parameter.indexOf('=') < 1) {
                throw UserError.usage(
                        "--channel-parameters %s: write each as name=value, for example multicast=225.3.2.1."
                                .formatted(parameter));
            }
        }
    }

    /** The effective channel: the publisher's, with the parameters of this subscriber. */
    String own(final String published) {
        ChannelUri own = ChannelUri.parse(published);
        for (final String parameter : channelParameters) {
            final int equals = parameter.indexOf('=');
            own = own.with(parameter.substring(0, equals), parameter.substring(equals + 1));
        }
        return channelParameters.isEmpty() ? published : own.toString();
    }
}

package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.TransportTraits;
import io.tickmark.workloads.messaging.Buckets;
import io.tickmark.workloads.messaging.PaceSettings;
import io.tickmark.workloads.messaging.ParticipantCheck;
import io.tickmark.workloads.messaging.ThreadSettings;
import io.tickmark.workloads.messaging.store.FlightSettings;
import io.tickmark.workloads.messaging.store.StoreWaitSettings;
import io.tickmark.workloads.messaging.store.Stores;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the stream publisher.
 *
 * @param channel to measure
 * @param stored whether messages go through the channel's store
 * @param topics sent to in turn, from one thread
 * @param payloadBytes message length, stamp included
 * @param messages measured messages
 * @param duration measured time instead of {@code messages}; zero for none
 * @param subscribers to wait for before starting
 * @param warmUpMessages messages sent before, and their rate
 * @param jvmWarmUp how long to send before those, so that the JVM compiles the code
 * @param lingerMs time to stay after the last message
 * @param sendPath how messages are passed to the engine
 * @param messagesPerSend application messages that one message is counted as
 * @param sendHistogram buckets and their width in ns of a histogram of the send call; empty for
 *     none
 * @param lossPercent part of the messages that is numbered but not sent, after the warm-up
 * @param verify whether messages carry a checksum
 * @param flight how far it may be ahead of a store
 * @param patience how long it waits for a store
 * @param pace when messages are due
 * @param thread how the hot thread waits and where it runs
 */
public record StreamPubSettings(
        @Setting(
                        help = "Channel to measure.",
                        byDefault = "udp://127.0.0.1:0",
                        aliases = {"--store"},
                        label = "URI")
                String channel,
        @Setting(
                        help =
                                "Whether messages go through the channel's store; set by --store, and in a plan by the role"
                                        + " store.",
                        byDefault = "false")
                boolean stored,
        @Setting(
                        help = "Topics, sent to in turn from one thread.",
                        byDefault = "tickmark",
                        label = "NAME,...")
                List<String> topics,
        @Setting(
                        help = "Message length, stamp included.",
                        byDefault = "700",
                        unit = "bytes",
                        min = Stamp.SHORT_LENGTH,
                        max = 1 << 24)
                int payloadBytes,
        @Setting(help = "Measured messages.", byDefault = "1M", min = 1, max = 4e9) long messages,
        @Setting(
                        help = "Measured time, instead of --messages; 0 for none.",
                        byDefault = "0",
                        min = 0,
                        max = 8.64e13)
                Duration duration,
        @Setting(
                        help = "Subscribers to wait for before starting.",
                        byDefault = "1",
                        min = 1,
                        max = 1024)
                int subscribers,
        @Setting(
                        help = "Messages sent before the measurement and their rate; not measured.",
                        min = 0,
                        max = 1_000_000_000,
                        formerly = {"warmUp"},
                        whenWarm = "0,0",
                        label = "MESSAGES,RATE")
                List<Integer> warmUpMessages,
        @Setting(
                        help =
                                "How long to send before the warm-up messages so that the JVM compiles the code. At a low"
                                        + " rate without a store, half of that time runs at 50,000 messages a second.",
                        byDefault = "1s",
                        whenWarm = "200ms",
                        min = 0,
                        max = 3.6e12)
                Duration jvmWarmUp,
        @Setting(
                        help = "Time to stay after the last message, so that receivers catch up.",
                        byDefault = "0",
                        unit = "ms",
                        min = 0,
                        max = 3_600_000)
                long lingerMs,
        @Setting(
                        help =
                                "How messages get into the engine: offer copies each, claim writes it in place, batch sends all"
                                        + " that are due in one call (a single one goes out at once); auto is batch where they"
                                        + " are sent as fast as possible, else claim where the engine has it, else offer.",
                        byDefault = "auto")
                SendPath sendPath,
        @Setting(
                        help =
                                "Application messages that each message contains, which are counted beside the messages"
                                        + " themselves: 2 with 1420 bytes means two of 700.",
                        byDefault = "1",
                        min = 1,
                        max = 10_000)
                int messagesPerSend,
        @Setting(
                        help =
                                "Histogram of the time inside the send call: number of buckets and their width in ns.",
                        min = 1,
                        max = 1_000_000_000,
                        label = "BUCKETS,NS")
                List<Integer> sendHistogram,
        @Setting(
                        help =
                                "Percentage of the messages that are numbered but not sent, after the warm-up.",
                        byDefault = "0",
                        unit = Setting.PERCENT,
                        min = 0,
                        max = 100)
                double lossPercent,
        @Setting(help = "Carry a CRC32C from 32 bytes on.", byDefault = "true") boolean verify,
        FlightSettings flight,
        StoreWaitSettings patience,
        PaceSettings pace,
        ThreadSettings thread) {

    /** Checks conditions between settings. */
    public StreamPubSettings {
        topics = List.copyOf(topics);
        pair("--warm-up-messages", warmUpMessages, "MESSAGES,RATE, for example 15,5");
        Buckets.check("--send-histogram", sendHistogram);
        if (sendPath == SendPath.BATCH && (lossPercent > 0 || !sendHistogram.isEmpty())) {
            throw UserError.usage(
                    "--send-path batch: offers messages together, and %s is about single ones; leave one out."
                            .formatted(lossPercent > 0 ? "--loss-percent" : "--send-histogram"));
        }
    }

    private static void pair(final String option, final List<Integer> values, final String form) {
        if (!values.isEmpty() && values.size() != 2) {
            throw UserError.usage(option + ": takes two numbers, " + form + ".");
        }
    }

    /** Refuses settings that the channel does not support. */
    void checkAgainst(final TransportTraits traits, final ChannelUri uri) {
        if (payloadBytes > traits.maxPayloadBytes()) {
            throw UserError.usage(
                    "--payload-bytes "
                            + payloadBytes
                            + ": "
                            + uri
                            + " carries at most "
                            + traits.maxPayloadBytes()
                            + " bytes in a message; give a smaller size.");
        }
        if (lossPercent > 0 && isStored(uri)) {
            throw UserError.usage(
                    "--loss-percent "
                            + lossPercent
                            + ": "
                            + uri
                            + " goes through a store, which loses nothing on purpose; leave it out.");
        }
        if (!isStored(uri)) { // with a store nobody is waited for
            ParticipantCheck.needFanOut(subscribers, traits, uri);
        }
        if (sendPath == SendPath.CLAIM && !traits.claims()) {
            throw UserError.usage(
                    "--send-path claim: " + uri + " has no claims; use --send-path offer.");
        }
    }

    /**
     * Whether messages go through a store, by its own word or because the channel has no others.
     */
    boolean isStored(final ChannelUri uri) {
        return Stores.isStored(uri, stored);
    }

    long warmUpCount() {
        return warmUpMessages.isEmpty() ? 0 : warmUpMessages.get(0);
    }

    double warmUpRatePerSecond() {
        return warmUpMessages.isEmpty() ? 0 : warmUpMessages.get(1);
    }

    /** Messages to send at most. */
    long limit() {
        return duration.isZero() ? messages : Long.MAX_VALUE;
    }

    /** How messages are passed to the engine. */
    public enum SendPath {
        /**
         * Many offered together where they are sent as fast as possible; otherwise claim where the
         * transport has claims, otherwise offer.
         */
        AUTO,
        /** The engine copies the message. */
        OFFER,
        /** The message is written into the engine's own memory. */
        CLAIM,
        /**
         * Intelligent batching: all messages that are due are offered together, and flushed at once
         * where no further one is due. A single one leaves as early as without it; no timer.
         */
        BATCH
    }
}

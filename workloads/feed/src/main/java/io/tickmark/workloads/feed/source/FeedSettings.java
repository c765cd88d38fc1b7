package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.feed.tick.Tick;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The content of the feed.
 *
 * @param symbols how many there are, updated in turn
 * @param threads that make messages, each for its part of the symbols
 * @param sleep between two messages of one thread, where no rate is given
 * @param rate of all threads together; 0 for the sleep
 * @param messageBytes of each message
 * @param seed of the prices
 * @param source where messages come from
 */
public record FeedSettings(
        @Setting(
                        help = "Symbols, updated in turn.",
                        byDefault = "1000",
                        min = 1,
                        max = FeedSettings.MAX_SYMBOLS)
                int symbols,
        @Setting(
                        help = "Feed threads, each with its part of the symbols.",
                        byDefault = "1",
                        min = 1,
                        max = 64)
                int threads,
        @Setting(
                        help =
                                "Sleep of a thread after each message; used where --rate is 0. A sleep is not caught up.",
                        byDefault = "1ms",
                        min = 0,
                        max = 6e10)
                Duration sleep,
        @Setting(
                        help =
                                "Messages per second of all threads together, on a fixed grid; 0: sleep instead.",
                        byDefault = "0",
                        unit = "msg/s",
                        min = 0,
                        max = 10_000_000)
                double rate,
        @Setting(
                        help = "Size of a message; beyond the record it is padding.",
                        byDefault = "40",
                        unit = "bytes",
                        min = Tick.LENGTH,
                        max = Tick.MAX_LENGTH)
                int messageBytes,
        @Setting(help = "Seed of the prices.", byDefault = "1") long seed,
        @Setting(
                        help =
                                "Where prices come from: 'generator'; a CSV file of recorded ones with the header"
                                        + " symbol,bid,ask,last,size, which brings its own symbols; or a channel"
                                        + " such as shm://prices, on which 'feed publisher' or 'stream pub' sends.",
                        byDefault = FeedSettings.GENERATOR,
                        label = "SOURCE")
                String source) {
    /** Most symbols. */
    public static final int MAX_SYMBOLS = 100_000;

    private static final long MAX_TABLE_BYTES = 64_000_000;

    /** A scheme of two letters at least: one could be a drive. */
    private static final Pattern CHANNEL = Pattern.compile("[a-z][a-z0-9+.-]+:.*");

    private static final String SOURCE = "source";

    /** Settings of a feed that is made here. */
    private static final List<String> OF_OUR_OWN = List.of("sleep", "seed");

    /** The source that generates prices. */
    public static final String GENERATOR = "generator";

    /** Checks conditions between settings. */
    public FeedSettings {
        if (messageBytes % Long.BYTES != 0) {
            throw UserError.usage(
                    "--message-bytes "
                            + messageBytes
                            + ": must be a multiple of 8, so that records stay aligned; give "
                            + (messageBytes + Long.BYTES - messageBytes % Long.BYTES)
                            + ".");
        }
        if ((long) symbols * messageBytes > MAX_TABLE_BYTES) {
            throw UserError.usage(
                    "--symbols "
                            + symbols
                            + ": with messages of "
                            + messageBytes
                            + " bytes their last values need more than "
                            + MAX_TABLE_BYTES
                            + " bytes; give fewer symbols or smaller messages.");
        }
        if (threads > 1 && CHANNEL.matcher(source).matches()) {
            throw UserError.usage(
                    "--threads " + threads + ": one thread receives from a channel; give 1.");
        }
        if (threads > symbols) {
            throw UserError.usage(
                    "--threads "
                            + threads
                            + ": there are only "
                            + symbols
                            + " symbols to divide; give fewer threads or more symbols.");
        }
    }

    /**
     * Whether messages are received from a channel of an engine.
     *
     * @return false where they are made here
     */
    public boolean isChannel() {
        return CHANNEL.matcher(source).matches();
    }

    /**
     * Checks that messages can be received on this machine, where they come from a channel.
     *
     * @throws io.tickmark.kernel.settings.UserError if its engine is absent, or a file that the
     *     channel names is wrong
     */
    public void checkHere() {
        if (isChannel()) {
            Transports.requireHere(ChannelUri.parse(source), ExchangeSide.CONNECT);
        }
    }

    /**
     * Refuses what has no effect where messages come from a channel.
     *
     * @param values as given, by key
     * @param naming how the user knows a key
     * @throws UserError if one of them would have no effect
     */
    public static void checkGiven(
            final Map<String, Object> values, final UnaryOperator<String> naming) {
        final String source = String.valueOf(values.getOrDefault(SOURCE, GENERATOR));
        if (!CHANNEL.matcher(source).matches()) {
            return;
        }
        for (final String key : OF_OUR_OWN) {
            if (values.containsKey(key)) {
                throw UserError.usage(
                        "%s: has no effect, because the publisher on %s makes the messages; leave it out, or give it there."
                                .formatted(naming.apply(key), source));
            }
        }
    }

    /**
     * What spaces the messages in time.
     *
     * @return a word for the result
     */
    public String pace() {
        return isChannel() ? SOURCE : isPaced() ? "rate" : "sleep";
    }

    /** The same for another number of symbols. */
    FeedSettings withSymbols(final int count) {
        return new FeedSettings(count, threads, sleep, rate, messageBytes, seed, source);
    }

    /** Whether messages are due on the grid of a rate. */
    boolean isPaced() {
        return rate > 0;
    }

    /** The schedule of one of the threads. */
    Schedule schedule() {
        return isPaced() ? Schedules.fixedRate(rate / threads) : Schedules.sleep(sleep.toNanos());
    }
}

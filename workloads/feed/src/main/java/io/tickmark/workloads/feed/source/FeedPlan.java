package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.feed.tick.Instruments;
import io.tickmark.workloads.feed.tick.PriceWalk;
import io.tickmark.workloads.feed.tick.Tick;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/** Settings of a feed, and what was read for them. */
public final class FeedPlan {
    private final FeedSettings settings;
    private final List<String> names;
    private final Optional<Recorded> recorded;
    private final Optional<ChannelUri> channel;

    private FeedPlan(
            final FeedSettings settings,
            final List<String> names,
            final Optional<Recorded> recorded,
            final Optional<ChannelUri> channel) {
        this.settings = settings;
        this.names = names;
        this.recorded = recorded;
        this.channel = channel;
    }

    /**
     * Reads what a feed needs.
     *
     * @param settings of it
     * @return the plan
     * @throws io.tickmark.kernel.settings.UserError if a file cannot be read
     */
    public static FeedPlan of(final FeedSettings settings) {
        if (settings.source().equals(FeedSettings.GENERATOR)) {
            return new FeedPlan(
                    settings,
                    Instruments.names(settings.symbols()),
                    Optional.empty(),
                    Optional.empty());
        }
        if (settings.isChannel()) {
            return ofChannel(settings);
        }
        final Recorded recorded = Recorded.read(Path.of(settings.source()));
        return new FeedPlan(
                settings.withSymbols(recorded.names().size()),
                recorded.names(),
                Optional.of(recorded),
                Optional.empty());
    }

    private static FeedPlan ofChannel(final FeedSettings settings) {
        try {
            final ChannelUri channel = ChannelUri.parse(settings.source());
            new Transports().of(channel).traits(channel);
            return new FeedPlan(
                    settings,
                    Instruments.names(settings.symbols()),
                    Optional.empty(),
                    Optional.of(channel));
        } catch (final UserError e) {
            throw e.at("--source");
        }
    }

    /**
     * The feed itself.
     *
     * @param time of the feed
     * @param sinks of each of its threads
     * @param idle makes what a thread does where there is nothing to do
     * @return a feed that has not begun
     */
    public Feed feed(
            final FeedClock time,
            final List<List<TickRing>> sinks,
            final Supplier<IdleStrategy> idle) {
        return channel.<Feed>map(from ->
                        new ChannelFeed(
                                this,
                                from,
                                time,
                                sinks.getFirst().toArray(TickSink[]::new),
                                idle.get()))
                .orElseGet(() -> new GeneratedFeed(this, time, sinks, idle));
    }

    /**
     * Settings with the number of symbols that there are.
     *
     * @return settings
     */
    public FeedSettings settings() {
        return settings;
    }

    /**
     * Names of the symbols.
     *
     * @return by number
     */
    public List<String> names() {
        return names;
    }

    /** What one of its threads writes. */
    Prices prices(final int thread) {
        return recorded.<Prices>map(file -> new ReplayedPrices(file, settings.threads(), thread))
                .orElseGet(() -> new WalkingPrices(settings, thread));
    }

    /** Recorded messages of every n-th symbol, again and again in the order of the file. */
    static final class ReplayedPrices implements Prices {
        private final Recorded.Message[] messages;
        private final int[] sequences;
        private final int[] volumes;
        private int place;

        ReplayedPrices(final Recorded recorded, final int threads, final int thread) {
            messages =
                    recorded.messages().stream()
                            .filter(message -> message.symbol() % threads == thread)
                            .toArray(Recorded.Message[]::new);
            sequences = new int[recorded.names().size()];
            volumes = new int[recorded.names().size()];
        }

        @Override
        public void next(final MutableDirectBuffer buffer, final int offset) {
            final Recorded.Message message = messages[place];
            place = place + 1 == messages.length ? 0 : place + 1;
            final int symbol = message.symbol();
            volumes[symbol] += message.size();
            Tick.identity(buffer, offset, symbol, ++sequences[symbol]);
            Tick.quote(buffer, offset, message.bid(), message.ask());
            Tick.trade(buffer, offset, message.last(), message.size(), volumes[symbol]);
        }
    }

    /** Made-up prices of every n-th symbol, in turn. */
    private static final class WalkingPrices implements Prices {
        private final PriceWalk walk;
        private final int symbols;
        private final int step;
        private final int firstSymbol;
        private int symbol;

        WalkingPrices(final FeedSettings settings, final int thread) {
            walk = new PriceWalk(settings.symbols(), settings.seed() + thread);
            symbols = settings.symbols();
            step = settings.threads();
            firstSymbol = thread;
            symbol = thread;
        }

        @Override
        public void next(final MutableDirectBuffer buffer, final int offset) {
            walk.next(symbol, buffer, offset);
            symbol += step;
            if (symbol >= symbols) {
                symbol = firstSymbol;
            }
        }
    }
}

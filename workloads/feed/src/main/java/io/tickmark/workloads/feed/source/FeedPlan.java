package io.tickmark.workloads.feed.source;

import io.tickmark.workloads.feed.tick.Instruments;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of a feed, and what was read for them. */
public final class FeedPlan {
    private final FeedSettings settings;
    private final List<String> names;
    private final Optional<Recorded> recorded;

    private FeedPlan(
            final FeedSettings settings,
            final List<String> names,
            final Optional<Recorded> recorded) {
        this.settings = settings;
        this.names = names;
        this.recorded = recorded;
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
            return new FeedPlan(settings, Instruments.names(settings.symbols()), Optional.empty());
        }
        final Recorded recorded = Recorded.read(Path.of(settings.source()));
        return new FeedPlan(
                settings.withSymbols(recorded.names().size()),
                recorded.names(),
                Optional.of(recorded));
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
}

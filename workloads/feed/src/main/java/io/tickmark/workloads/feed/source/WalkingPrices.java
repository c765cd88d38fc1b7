package io.tickmark.workloads.feed.source;

import io.tickmark.workloads.feed.tick.PriceWalk;
import org.agrona.MutableDirectBuffer;

/** Made-up prices of every n-th symbol, in turn. */
final class WalkingPrices implements Prices {
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

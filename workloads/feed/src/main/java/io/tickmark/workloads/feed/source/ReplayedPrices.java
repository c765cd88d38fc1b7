package io.tickmark.workloads.feed.source;

import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.MutableDirectBuffer;

/** Recorded messages of every n-th symbol, again and again in the order of the file. */
final class ReplayedPrices implements Prices {
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

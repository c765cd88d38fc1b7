package io.tickmark.workloads.feed.conflate;

import io.tickmark.workloads.feed.tick.LastValues;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/** A queue under random traffic on a clock that only the simulation moves. */
final class Simulation {
    static final int SYMBOLS = 7;
    static final int FIRST_SYMBOL = 3;
    static final long MS = 1_000_000;

    /** A message that the client got. */
    record Got(int symbol, int sequence, long atNs, long offeredAtNs) {}

    private final LastValues values = new LastValues(FIRST_SYMBOL + SYMBOLS, Tick.LENGTH);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);
    private final int[] sequences = new int[FIRST_SYMBOL + SYMBOLS];
    private final List<Got> got = new ArrayList<>();
    private final SplittableRandom random;
    private final OutboundQueue queue;
    private long nowNs = 1_000 * MS;
    private long offered;
    private int room;
    private boolean wasRefused;

    Simulation(final String policy, final double maxFrequency, final long seed) {
        this(policy, maxFrequency, seed, 1_000_000);
    }

    Simulation(
            final String policy, final double maxFrequency, final long seed, final long maxBytes) {
        random = new SplittableRandom(seed);
        final long gapNs = maxFrequency > 0 ? (long) (1e9 / maxFrequency) : 0;
        queue =
                new ConflationPolicies()
                        .find(policy)
                        .queue(
                                new QueueContext(
                                        FIRST_SYMBOL,
                                        SYMBOLS,
                                        gapNs,
                                        maxBytes,
                                        Tick.LENGTH,
                                        values,
                                        new KeptMemory(Long.MAX_VALUE).share()));
    }

    /**
     * A number of events: messages arrive, time advances, the client accepts some, many or none.
     */
    Simulation run(final int events) {
        for (int i = 0; i < events; i++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> offer(FIRST_SYMBOL + random.nextInt(SYMBOLS));
                case 2 -> nowNs += random.nextLong(20 * MS);
                default -> drain(random.nextInt(4) == 0 ? 0 : random.nextInt(1, 10));
            }
        }
        return this;
    }

    /** Time advances until nothing waits any more. */
    Simulation settle() {
        for (int i = 0; i < 100_000 && queue.dueNs() != Long.MAX_VALUE; i++) {
            nowNs += MS;
            drain(100);
        }
        return this;
    }

    void offer(final int symbol) {
        sequences[symbol]++;
        Tick.times(message, 0, nowNs, 0);
        Tick.identity(message, 0, symbol, sequences[symbol]);
        Tick.quote(message, 0, sequences[symbol], sequences[symbol] + 1);
        values.put(symbol, message, 0);
        offered++;
        wasRefused |= !queue.offer(symbol, message, 0, nowNs, room > 0 || random.nextBoolean());
    }

    void pass(final long ns) {
        nowNs += ns;
    }

    void drain(final int takes) {
        room = takes;
        queue.drain(
                nowNs,
                (buffer, offset) -> {
                    if (room == 0) {
                        return false;
                    }
                    room--;
                    got.add(
                            new Got(
                                    Tick.symbol(buffer, offset),
                                    Tick.sequence(buffer, offset),
                                    nowNs,
                                    Tick.intendedNs(buffer, offset)));
                    return true;
                });
    }

    List<Got> got() {
        return got;
    }

    List<Got> got(final int symbol) {
        return got.stream().filter(each -> each.symbol() == symbol).toList();
    }

    int lastSequence(final int symbol) {
        return sequences[symbol];
    }

    long offered() {
        return offered;
    }

    long nowNs() {
        return nowNs;
    }

    OutboundQueue queue() {
        return queue;
    }

    boolean wasRefused() {
        return wasRefused;
    }
}

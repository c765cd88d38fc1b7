package io.tickmark.workloads.fix.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers that one session has received from each producer. A producer that has reported its
 * total may restart while the consumers stay: messages due after its final message belong to
 * another run, and totals add up. Single-threaded; allocates for new producers and for final
 * messages.
 */
final class ProducerSequences {
    private static final int FIRST_PRODUCERS = 64;
    private static final long NONE = -1;

    /** The next number, by producer. */
    private long[] next = new long[FIRST_PRODUCERS];

    /** Reported totals; NONE while the producer sends. */
    private long[] totals = {};

    /** When the final message with a total was due. */
    private long[] endedNs = {};

    /** Totals of what a producer sent before it restarted. */
    private long[] before = {};

    /** How often a producer has ended. */
    private int[] ends = {};

    private int producers;

    /**
     * A producer whose final message reached no session.
     *
     * @param producer its number
     * @param lastNumber the highest number received from it
     */
    record Unended(int producer, long lastNumber) {}

    ProducerSequences() {}

    /** Those of so many sessions. */
    static ProducerSequences[] of(final int sessions) {
        final ProducerSequences[] numbers = new ProducerSequences[sessions];
        Arrays.setAll(numbers, session -> new ProducerSequences());
        return numbers;
    }

    /** Takes a number; false where it was received before. */
    boolean take(final int producer, final long number, final long intendedNs) {
        if (isAfterEnd(producer, intendedNs)) {
            beginAnew(producer);
        }
        if (producer >= next.length) {
            next = Arrays.copyOf(next, Math.max(producer + 1, 2 * producer));
        }
        if (number < next[producer]) {
            return false;
        }
        producers = Math.max(producers, producer + 1);
        next[producer] = number + 1;
        return true;
    }

    private boolean isAfterEnd(final int producer, final long intendedNs) {
        return producer < totals.length
                && totals[producer] != NONE
                && intendedNs - endedNs[producer] > 0;
    }

    /**
     * Takes a producer's final message: how many messages there were. A repeated one is ignored.
     */
    void end(final int producer, final long total, final long intendedNs) {
        if (producer >= totals.length) {
            final int known = totals.length;
            totals = Arrays.copyOf(totals, producer + 1);
            before = Arrays.copyOf(before, producer + 1);
            endedNs = Arrays.copyOf(endedNs, producer + 1);
            ends = Arrays.copyOf(ends, producer + 1);
            Arrays.fill(totals, known, totals.length, NONE);
        }
        if (isAfterEnd(producer, intendedNs)) {
            beginAnew(producer); // nothing arrived of what it sent in between
        }
        if (totals[producer] == NONE) {
            totals[producer] = total;
            endedNs[producer] = intendedNs;
            ends[producer]++;
            producers = Math.max(producers, producer + 1);
        }
    }

    /** Whether a producer has ended, and the last message that it had has been received. */
    boolean hasLast(final int producer) {
        return producer < totals.length
                && totals[producer] != NONE
                && totals[producer] == (producer < next.length ? next[producer] : 0);
    }

    private void beginAnew(final int producer) {
        before[producer] += totals[producer];
        totals[producer] = NONE;
        if (producer < next.length) {
            next[producer] = 0;
        }
    }

    /**
     * How many messages all producers had, each as far as known to any session from it or its
     * numbers.
     */
    static long total(final List<ProducerSequences> sessions) {
        long total = 0;
        for (int producer = 0; producer < producers(sessions); producer++) {
            long highest = 0;
            for (final ProducerSequences each : sessions) {
                highest = Math.max(highest, each.total(producer));
            }
            total += highest;
        }
        return total;
    }

    private static int producers(final List<ProducerSequences> sessions) {
        return sessions.stream().mapToInt(each -> each.producers).max().orElse(0);
    }

    /**
     * The producers from which some session has received messages, and none a final message after
     * them: how many they sent is not known.
     */
    static List<Unended> unended(final List<ProducerSequences> sessions) {
        final List<Unended> unended = new ArrayList<>();
        for (int producer = 0; producer < producers(sessions); producer++) {
            int runs = 0;
            int ends = 0;
            long lastNumber = 0;
            for (final ProducerSequences each : sessions) {
                final int ended = each.ends(producer);
                final boolean isSending = each.isSending(producer);
                ends = Math.max(ends, ended);
                runs = Math.max(runs, isSending ? ended + 1 : ended);
                lastNumber = Math.max(lastNumber, isSending ? each.next[producer] - 1 : 0);
            }
            if (runs > ends) {
                unended.add(new Unended(producer, lastNumber));
            }
        }
        return unended;
    }

    private int ends(final int producer) {
        return producer < ends.length ? ends[producer] : 0;
    }

    private boolean isSending(final int producer) {
        return producer < next.length
                && next[producer] > 0
                && (producer >= totals.length || totals[producer] == NONE);
    }

    /** How many messages a producer had, as far as known from it or its numbers. */
    long total(final int producer) {
        final long seen = producer < next.length ? next[producer] : 0;
        return producer >= totals.length
                ? seen
                : before[producer] + (totals[producer] == NONE ? seen : totals[producer]);
    }
}

package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.StringJoiner;
import org.agrona.DirectBuffer;

/**
 * The measured messages of one topic that were found in a store. Each run announces itself before
 * its first message, so that those of several runs in one store are distinguished, even where
 * messages are too short to carry an identity. Single-threaded, off the hot path.
 */
final class StoredMessages {
    private static final int MOST_RANGES = 10;
    private static final int CHUNK_BITS = 24;
    private static final long CHUNK_MASK = (1L << CHUNK_BITS) - 1;

    private final int topic;
    private final int trialId;
    private final StampChecksum checksum = new StampChecksum();
    private final List<BitSet> found = new ArrayList<>();
    private int announced;
    private long distinct;
    private long twice;
    private long corrupted;

    /** {@code trialId} is that of the trial, 0 to take all runs. */
    StoredMessages(final int topic, final int trialId) {
        this.topic = topic;
        this.trialId = trialId;
    }

    /** Records a message; one that does not belong to the measured step of the trial is skipped. */
    void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (!Stamp.isStamped(buffer, offset, length)) {
            return;
        }
        if (Stamp.flags(buffer, offset) == Stamp.HELLO && length >= Stamp.FULL_LENGTH) {
            announce(Stamp.trialId(buffer, offset));
        }
        if ((Stamp.flags(buffer, offset) & ~Stamp.WARM_UP) != 0
                || Stamp.step(buffer, offset) != 0
                || Stamp.source(buffer, offset) != topic) {
            return;
        }
        if (length >= Stamp.FULL_LENGTH) {
            if (trialId != 0 && Stamp.trialId(buffer, offset) != trialId) {
                return;
            }
            final int carried = Stamp.checksum(buffer, offset);
            if (carried != 0 && carried != checksum.of(buffer, offset, length)) {
                corrupted++;
                return;
            }
        } else if (trialId != 0 && announced != 0 && announced != trialId) {
            return; // of an earlier run
        }
        add(Stamp.sequence(buffer, offset) & 0xffff_ffffL);
    }

    /**
     * Messages found so far belong to earlier runs, whose sequences repeat; when run by hand they
     * all count. An announcement may be stored twice. A store that deletes may no longer have one.
     */
    private void announce(final int announcedId) {
        if (announcedId == announced) {
            return;
        }
        announced = announcedId;
        if (trialId == 0) {
            found.clear();
        } else if (announced == trialId) {
            found.clear();
            distinct = 0;
            twice = 0;
        }
    }

    private void add(final long sequence) {
        final int chunk = (int) (sequence >>> CHUNK_BITS);
        while (found.size() <= chunk) {
            found.add(new BitSet());
        }
        final int bit = (int) (sequence & CHUNK_MASK);
        if (found.get(chunk).get(bit)) {
            twice++;
        } else {
            found.get(chunk).set(bit);
            distinct++;
        }
    }

    private boolean has(final long sequence) {
        final int chunk = (int) (sequence >>> CHUNK_BITS);
        return chunk < found.size() && found.get(chunk).get((int) (sequence & CHUNK_MASK));
    }

    long distinct() {
        return distinct;
    }

    long twice() {
        return twice;
    }

    long corrupted() {
        return corrupted;
    }

    /** How many of the sequences from {@code from} to before {@code to} were not found. */
    long missing(final long from, final long to) {
        long missing = 0;
        for (long sequence = from; sequence < to; sequence++) {
            missing += has(sequence) ? 0 : 1;
        }
        return missing;
    }

    /** The same as ranges, the first ones by name, such as {@code 17-20, 33 and 5 more}. */
    String missingRanges(final long from, final long to) {
        final StringJoiner ranges = new StringJoiner(", ");
        int all = 0;
        for (long sequence = from; sequence < to; sequence++) {
            if (has(sequence)) {
                continue;
            }
            final long first = sequence;
            while (sequence + 1 < to && !has(sequence + 1)) {
                sequence++;
            }
            if (++all <= MOST_RANGES) {
                ranges.add(first == sequence ? Long.toString(first) : first + "-" + sequence);
            }
        }
        return all > MOST_RANGES
                ? "%s and %d more".formatted(ranges, all - MOST_RANGES)
                : ranges.toString();
    }
}

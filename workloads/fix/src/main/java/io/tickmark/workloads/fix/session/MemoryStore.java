package io.tickmark.workloads.fix.session;

import java.util.Arrays;

/**
 * A store in memory: the newest messages, as many as fit. It outlives connections, not the process.
 * Begins small, as most of thousands of sessions send little; allocates nothing once it has grown.
 */
public final class MemoryStore implements MessageStore {
    /** One slot for each message, which limits their number. */
    private static final int BYTES_PER_SLOT = 128;

    private static final int FIRST_BYTES = 1 << 12;

    private final int capacityBytes;
    private byte[] ring = {};
    private long[] numbers = new long[1];
    private long[] positions = new long[1];
    private int[] lengths = new int[1];
    private long written;
    private long outgoing = 1;
    private long incoming = 1;
    private long beganMs;
    private boolean isKeptFor;
    private final UnsentRanges notFetched = new UnsentRanges();

    /**
     * An empty store.
     *
     * @param capacityBytes of messages kept; 0 keeps the sequence numbers alone
     * @param nowMs ms since 1970
     */
    public MemoryStore(final int capacityBytes, final long nowMs) {
        this.capacityBytes = capacityBytes;
        beganMs = nowMs;
    }

    @Override
    public long nextOutgoing() {
        return outgoing;
    }

    @Override
    public void nextOutgoing(final long number) {
        outgoing = number;
    }

    @Override
    public long nextIncoming() {
        return incoming;
    }

    @Override
    public void nextIncoming(final long number) {
        incoming = number;
    }

    @Override
    public long beganMs() {
        return beganMs;
    }

    @Override
    public boolean append(
            final long number, final byte[] bytes, final int offset, final int length) {
        if (length > capacityBytes) {
            return false;
        }
        while (ring.length < capacityBytes
                && (written + length > ring.length || lengths[slot(number)] > 0)) {
            grow((int) written + length);
        }
        final int place = (int) (written % ring.length);
        if (ring.length - place < length) {
            written += ring.length - place; // messages are whole: the rest of the ring stays empty
        }
        final int slot = slot(number);
        System.arraycopy(bytes, offset, ring, (int) (written % ring.length), length);
        numbers[slot] = number;
        positions[slot] = written;
        lengths[slot] = length;
        written += length;
        return true;
    }

    /** Before anything was written over, so that every message stays at its place. */
    private void grow(final int needed) {
        final long wanted = Math.max(needed, Math.max(FIRST_BYTES, 2L * ring.length));
        ring = Arrays.copyOf(ring, (int) Math.min(capacityBytes, wanted));
        final long[] oldNumbers = numbers;
        final long[] oldPositions = positions;
        final int[] oldLengths = lengths;
        final int slots = slots(ring.length);
        numbers = new long[slots];
        positions = new long[slots];
        lengths = new int[slots];
        for (int old = 0; old < oldNumbers.length; old++) {
            final int slot = (int) oldNumbers[old] & slots - 1;
            if (oldLengths[old] > 0) {
                numbers[slot] = oldNumbers[old];
                positions[slot] = oldPositions[old];
                lengths[slot] = oldLengths[old];
            }
        }
    }

    private static int slots(final int bytes) {
        return Integer.highestOneBit(Math.max(1, bytes / BYTES_PER_SLOT));
    }

    private int slot(final long number) {
        return (int) number & numbers.length - 1;
    }

    @Override
    public int read(final long number, final byte[] into) {
        final int slot = slot(number);
        final int length = lengths[slot];
        final boolean isKept = numbers[slot] == number && written - positions[slot] <= ring.length;
        if (!isKept || length == 0 || length > into.length) {
            return 0;
        }
        System.arraycopy(ring, (int) (positions[slot] % ring.length), into, 0, length);
        return length;
    }

    @Override
    public long oldestKept() {
        return Math.max(1, outgoing - slots(capacityBytes));
    }

    @Override
    public void reset(final long nowMs) {
        outgoing = 1;
        incoming = 1;
        beganMs = nowMs;
        written = 0;
        notFetched.clear();
        Arrays.fill(numbers, 0);
        Arrays.fill(lengths, 0);
    }

    @Override
    public void forget() {
        ring = new byte[0];
        numbers = new long[1];
        positions = new long[1];
        lengths = new int[1];
        written = 0;
    }

    @Override
    public long memoryBytes() {
        return ring.length + (long) numbers.length * (2 * Long.BYTES + Integer.BYTES);
    }

    @Override
    public boolean isKeptFor() {
        return isKeptFor;
    }

    @Override
    public void keptFor(final boolean isKept) {
        isKeptFor = isKept;
    }

    @Override
    public UnsentRanges notFetched() {
        return notFetched;
    }

    @Override
    public void close() {
        // stays readable: the session may reconnect
    }
}

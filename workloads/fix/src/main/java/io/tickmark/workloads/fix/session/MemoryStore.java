package io.tickmark.workloads.fix.session;

/**
 * A store in memory: the newest messages, as many as fit. It outlives connections, not the process.
 * Allocates nothing after its making.
 */
public final class MemoryStore implements MessageStore {
    /** One slot for each message: so many are told apart at most. */
    private static final int BYTES_PER_SLOT = 128;

    private final byte[] ring;
    private final long[] numbers;
    private final long[] positions;
    private final int[] lengths;
    private long written;
    private long outgoing = 1;
    private long incoming = 1;
    private long beganMs;

    /**
     * An empty store.
     *
     * @param capacityBytes of messages kept; 0 keeps the sequence numbers alone
     * @param nowMs ms since 1970
     */
    public MemoryStore(final int capacityBytes, final long nowMs) {
        ring = new byte[capacityBytes];
        final int slots = Integer.highestOneBit(Math.max(1, capacityBytes / BYTES_PER_SLOT));
        numbers = new long[slots];
        positions = new long[slots];
        lengths = new int[slots];
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
    public void append(final long number, final byte[] bytes, final int offset, final int length) {
        if (length > ring.length) {
            return;
        }
        final int place = (int) (written % ring.length);
        if (ring.length - place < length) {
            written += ring.length - place; // messages are whole: the rest of the ring stays empty
        }
        final int slot = (int) number & numbers.length - 1;
        System.arraycopy(bytes, offset, ring, (int) (written % ring.length), length);
        numbers[slot] = number;
        positions[slot] = written;
        lengths[slot] = length;
        written += length;
    }

    @Override
    public int read(final long number, final byte[] into) {
        final int slot = (int) number & numbers.length - 1;
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
        return Math.max(1, outgoing - numbers.length);
    }

    @Override
    public void reset(final long nowMs) {
        outgoing = 1;
        incoming = 1;
        beganMs = nowMs;
        written = 0;
        java.util.Arrays.fill(numbers, 0);
        java.util.Arrays.fill(lengths, 0);
    }

    @Override
    public void close() {
        // stays readable: the session may come back
    }
}

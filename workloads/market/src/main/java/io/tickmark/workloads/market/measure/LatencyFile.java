package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.loop.OutputFile;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Writes each latency of one connection. The connection's thread puts it into a ring, another
 * thread writes it; latencies for which the ring has no room are counted.
 */
public final class LatencyFile implements LatencyListener, LoopReporter.Writer {
    /** Room for about 80,000 latencies. */
    private static final int RING_BYTES = 1 << 21;

    private static final int SENT = 0;
    private static final int RECEIVED = 8;
    private static final int RECORD = 16;
    private static final double US_NS = 1e3;

    private final OutputFile file;
    private final OneToOneRingBuffer ring =
            new OneToOneRingBuffer(
                    new UnsafeBuffer(
                            ByteBuffer.allocateDirect(
                                    RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    private volatile long notWritten;

    /**
     * The file of one connection.
     *
     * @param name as set, the thread's number is appended; empty for no file
     * @param thread number from 1
     * @param context of the role
     * @param reporter that writes it
     * @return takes the connection's latencies
     */
    public static LatencyListener of(
            final String name,
            final int thread,
            final RoleContext context,
            final LoopReporter<?> reporter) {
        if (name.isEmpty()) {
            return LatencyListener.NONE;
        }
        final LatencyFile created =
                new LatencyFile(OutputFile.create(context.directory(), name, thread + ".csv"));
        reporter.add(created);
        return created;
    }

    private LatencyFile(final OutputFile file) {
        this.file = file;
        file.append("Message type, Send time, Receive time, Latency (usec)\n");
    }

    @Override
    public void add(final LatencyKind kind, final long sentNs, final long receivedNs) {
        final int index = ring.tryClaim(kind.ordinal() + 1, RECORD);
        if (index < 0) {
            notWritten++;
            return;
        }
        ring.buffer().putLong(index + SENT, sentNs);
        ring.buffer().putLong(index + RECEIVED, receivedNs);
        ring.commit(index);
    }

    @Override
    public void drain() {
        final StringBuilder lines = new StringBuilder();
        final LatencyKind[] kinds = LatencyKind.values();
        for (int half = 0; half < 2; half++) { // a read stops at the end of the ring's memory
            ring.read((type, buffer, index, length) -> {
                final long sentNs = buffer.getLong(index + SENT);
                final long receivedNs = buffer.getLong(index + RECEIVED);
                lines.append(
                        String.format(
                                Locale.ROOT,
                                "%s, %.0f, %.0f, %.0f\n",
                                kinds[type - 1].word(),
                                Math.floor(sentNs / US_NS),
                                Math.floor(receivedNs / US_NS),
                                Math.floor((receivedNs - sentNs) / US_NS)));
            });
        }
        if (!lines.isEmpty()) {
            file.append(lines.toString());
        }
    }

    @Override
    public List<String> warnings() {
        final List<String> warnings = new ArrayList<>();
        if (notWritten > 0) {
            warnings.add(
                    ("%d latencies are missing in a latency file, because they arrived faster than they could be "
                                    + "written; the histograms have all of them.")
                            .formatted(notWritten));
        }
        if (!file.failure().isEmpty()) {
            warnings.add(file.failure());
        }
        return warnings;
    }
}

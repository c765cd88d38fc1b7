package io.tickmark.workloads.feed.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSourceChannel;

/**
 * Reads what a client sends over a WebSocket, on the server's thread, and ends a client that sends
 * too much. Bounded: no queue, one small buffer a connection.
 */
final class SocketIntake {
    private static final int BUFFER = 2048;
    private static final long SECOND_NS = 1_000_000_000L;

    /** An honest client acknowledges a few hundred times a second. */
    private static final int MAX_READS_PER_SECOND = 20_000;

    private static final int MAX_BYTES_PER_SECOND = 1_000_000;

    private final NanoClock clock;
    private final FrameReader reader;
    private final Consumer<String> ended;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
    private long secondNs;
    private int bytesInSecond;
    private int readsInSecond;
    private boolean isEnded;

    SocketIntake(final NanoClock clock, final FrameReader reader, final Consumer<String> ended) {
        this.clock = clock;
        this.reader = reader;
        this.ended = ended;
        secondNs = clock.nanoTime();
    }

    /** Begins to read; gives the end's reason to the consumer, once. */
    void attach(final StreamConnection connection) {
        connection.getSourceChannel().setReadListener(this::onReadable);
        connection.getSourceChannel().resumeReads();
    }

    private void onReadable(final StreamSourceChannel source) {
        try {
            for (bytes.clear(); ; bytes.clear()) {
                final int count = source.read(bytes);
                if (count == 0) {
                    return;
                }
                if (count < 0) {
                    end(source, "the client left");
                    return;
                }
                final String reason =
                        isTooMuch(count) ? "it sent too much" : reader.read(bytes.flip());
                if (!reason.isEmpty()) {
                    end(source, reason);
                    return;
                }
            }
        } catch (final IOException _) {
            end(source, "the connection broke");
        }
    }

    private boolean isTooMuch(final int count) {
        final long nowNs = clock.nanoTime();
        if (nowNs - secondNs >= SECOND_NS) {
            secondNs = nowNs;
            bytesInSecond = 0;
            readsInSecond = 0;
        }
        bytesInSecond += count;
        return ++readsInSecond > MAX_READS_PER_SECOND || bytesInSecond > MAX_BYTES_PER_SECOND;
    }

    private void end(final StreamSourceChannel source, final String reason) {
        source.suspendReads();
        if (!isEnded) {
            isEnded = true;
            ended.accept(reason);
        }
    }
}

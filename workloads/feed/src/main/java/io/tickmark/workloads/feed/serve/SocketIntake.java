package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Ending;
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

    private static final Ending CLIENT_LEFT =
            new Ending(Ending.Kind.CLIENT_LEFT, "the client left");
    private static final Ending TOO_MUCH = new Ending(Ending.Kind.MISBEHAVED, "it sent too much");

    private final NanoClock clock;
    private final FrameReader reader;
    private final Consumer<Ending> ended;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
    private long secondNs;
    private int bytesInSecond;
    private int readsInSecond;
    private boolean isEnded;

    SocketIntake(final NanoClock clock, final FrameReader reader, final Consumer<Ending> ended) {
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
                    end(source, CLIENT_LEFT);
                    return;
                }
                if (isTooMuch(count)) {
                    end(source, TOO_MUCH);
                    return;
                }
                final String reason = reader.read(bytes.flip());
                if (!reason.isEmpty()) {
                    end(source, new Ending(reader.kind(), reason));
                    return;
                }
            }
        } catch (final IOException _) {
            end(source, Ending.BROKEN);
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

    private void end(final StreamSourceChannel source, final Ending ending) {
        source.suspendReads();
        if (!isEnded) {
            isEnded = true;
            ended.accept(ending);
        }
    }
}

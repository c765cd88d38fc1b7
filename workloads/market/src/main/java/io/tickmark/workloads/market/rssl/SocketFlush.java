package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelState;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import java.util.concurrent.TimeUnit;

/**
 * Repeatedly writes data left over by full sockets. The Reactor's other thread does it too, until a
 * flush of it reports that it failed for now: then it never retries, nor may it be asked to
 * (release 3.9.1, {@code Worker.processChannelFlush}, which sends no {@code FLUSH_DONE} then).
 * Single-threaded; allocates nothing.
 */
public final class SocketFlush {
    /** Longest wait of data left over by a full socket, if the loop runs often enough. */
    public static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Error error = TransportFactory.createError();
    private long nextNs = Long.MIN_VALUE;

    /** Is due at once. */
    public SocketFlush() {}

    /**
     * Whether all connections are to be flushed now; the next time is a period later.
     *
     * @param nowNs current time
     * @return true once in a period
     */
    public boolean isDue(final long nowNs) {
        if (nextNs != Long.MIN_VALUE && nowNs - nextNs < 0) {
            return false;
        }
        nextNs = nowNs + PERIOD_NS;
        return true;
    }

    /**
     * Flushes a connection; with nothing to write it costs a lock.
     *
     * @param channel that may be down
     */
    public void flush(final ReactorChannel channel) {
        final Channel transport = channel.channel();
        if (transport != null && transport.state() == ChannelState.ACTIVE) {
            transport.flush(error);
        }
    }
}

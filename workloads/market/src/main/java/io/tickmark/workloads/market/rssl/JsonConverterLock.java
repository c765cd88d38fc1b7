package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread of the process at a time convert between JSON and the binary format. The
 * library's converter keeps text, numbers and buffers in static fields that it does not guard
 * (BasicPrimitiveConverter, BufferHelper, BufferConverter of 3.9.1.0): two threads at once spoil
 * each other's messages. Connections that are not JSON never wait here. Any thread.
 */
public final class JsonConverterLock {
    private static final ReentrantLock TURN = new ReentrantLock();

    private JsonConverterLock() {}

    /**
     * Waits for the turn, where the connection speaks JSON.
     *
     * @param channel that is to be read or written
     * @return what is to be passed to {@link #end}
     */
    public static boolean begin(final ReactorChannel channel) {
        return begin(channel.protocolType() == Codec.JSON_PROTOCOL_TYPE);
    }

    /**
     * Waits for the turn, where there may be something to convert.
     *
     * @param mayConvert whether JSON may be met
     * @return what is to be passed to {@link #end}
     */
    public static boolean begin(final boolean mayConvert) {
        if (mayConvert) {
            TURN.lock();
        }
        return mayConvert;
    }

    /**
     * Ends the turn.
     *
     * @param begun what {@link #begin} returned
     */
    public static void end(final boolean begun) {
        if (begun) {
            TURN.unlock();
        }
    }
}

package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelState;
import com.refinitiv.eta.transport.IoctlCodes;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorSubmitOptions;

/**
 * Writes messages to one connection, several in one buffer where it packs. Single-threaded;
 * allocates nothing. Back-pressure is a return value, never a wait: the caller keeps a message
 * without a buffer and offers it again.
 *
 * <pre>{@code
 * EncodeIterator iterator = writer.begin(bytes);
 * if (iterator == null) { ... keep it for later ... }
 * message.encode(iterator);
 * writer.end();
 * ... further messages ...
 * writer.flush();
 * }</pre>
 */
public final class PackedWriter {
    /** Of each packed message the transport keeps two bytes for its length, and one of flags. */
    private static final int PACKING_BYTES = 3;

    /**
     * A mask: refused messages are offered again at once, more often than a socket can accept more.
     */
    private static final int FLUSH_EVERY = 15;

    /**
     * The converter to JSON needs a buffer besides the message's own, and returns this without one.
     */
    private static final String NO_JSON_BUFFER = "Failed to get a buffer for sending JSON message";

    private final ReactorChannel channel;
    private final boolean packs;
    private final int packBytes;
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final ReactorSubmitOptions options = ReactorFactory.createReactorSubmitOptions();
    private final EncodeIterator iterator = CodecFactory.createEncodeIterator();
    private TransportBuffer buffer;
    private boolean isPacked;
    private int used;
    private int messages;
    private long noBuffer;
    private int refusals;
    private boolean mustWrite;
    private boolean failed;
    private boolean refusedWhileUp;

    /**
     * A writer.
     *
     * @param channel that is up
     * @param settings of the connection
     */
    public PackedWriter(final ReactorChannel channel, final ConnectionSettings settings) {
        this.channel = channel;
        final ReactorChannelInfo info = ReactorFactory.createReactorChannelInfo();
        channel.info(info, error);
        packBytes = info.channelInfo().maxFragmentSize();
        // JSON messages grow when they are converted, by how much is not known before
        packs = settings.packing() && channel.protocolType() == Codec.RWF_PROTOCOL_TYPE;
        options.writeArgs().flags(settings.writeFlags());
        if (settings.highWaterMarkBytes() > 0) {
            channel.ioctl(IoctlCodes.HIGH_WATER_MARK, settings.highWaterMarkBytes(), error);
        }
    }

    /**
     * Finds room for a message.
     *
     * @param bytes that it takes at most
     * @return where to encode it; null where no output buffer is free or the connection is down
     */
    public EncodeIterator begin(final int bytes) {
        if (beginRaw(bytes) == null) {
            return null;
        }
        iterator.clear();
        iterator.setBufferAndRWFVersion(buffer, channel.majorVersion(), channel.minorVersion());
        return iterator;
    }

    /**
     * Finds room for a message that is encoded already.
     *
     * @param bytes that it takes
     * @return where to put it, at its position; null as for {@link #begin}
     */
    public TransportBuffer beginRaw(final int bytes) {
        if (mustWrite) {
            flush();
            if (mustWrite) {
                refuse();
                return null;
            }
        }
        if (buffer != null && used + bytes + PACKING_BYTES > packBytes) {
            flush();
        }
        if (buffer != null) {
            final int left = channel.packBuffer(buffer, error);
            if (left < 0) {
                failed = true;
                return null;
            }
        } else if (!take(bytes)) {
            return null;
        }
        return buffer;
    }

    private boolean take(final int bytes) {
        isPacked = packs && bytes + PACKING_BYTES <= packBytes;
        buffer = channel.getBuffer(isPacked ? packBytes : bytes, isPacked, error);
        used = 0;
        messages = 0;
        if (buffer == null) {
            refuse();
            return false;
        }
        return true;
    }

    /**
     * No output buffer is free until some are written out, which the library's own thread may have
     * given up ({@link SocketFlush}): this thread does it too, as soon as the socket takes more.
     */
    private void refuse() {
        noBuffer++;
        if ((refusals++ & FLUSH_EVERY) == 0 && isUp()) {
            channel.channel().flush(error.error());
        }
    }

    /** The message is complete. */
    public void end() {
        messages++;
        used += buffer.length() + PACKING_BYTES;
        if (!isPacked) {
            flush();
        }
    }

    /** Gives up the message that was begun; those before it in the buffer are sent. */
    public void abandon() {
        if (messages == 0) {
            channel.releaseBuffer(buffer, error);
            buffer = null;
        } else {
            flush();
        }
    }

    /**
     * Sends what is packed; to be called before a pause. Where the library takes it only in part,
     * it is kept ({@link #mustWrite}), and this is to be called again.
     */
    public void flush() {
        if (buffer == null) {
            return;
        }
        final int code = submit();
        mustWrite = code == ReactorReturnCodes.WRITE_CALL_AGAIN || wantsJsonBuffer(code);
        if (mustWrite) {
            return; // a part of it was sent, or none: it needs the same buffer again
        }
        if (code < ReactorReturnCodes.SUCCESS) {
            failed = true;
            refusedWhileUp |= isUp();
            channel.releaseBuffer(buffer, error);
        }
        buffer = null;
    }

    private int submit() {
        final boolean turn = JsonConverterLock.begin(channel);
        try {
            return channel.submit(buffer, options, error);
        } catch (final RuntimeException e) { // how the converter to JSON reacts to invalid content
            error.error().text("the library fails at it: " + e);
            return ReactorReturnCodes.FAILURE;
        } finally {
            JsonConverterLock.end(turn);
        }
    }

    /**
     * Whether a flush has left something here that waits for output buffers.
     *
     * @return true until a flush has handed it over
     */
    public boolean mustWrite() {
        return mustWrite;
    }

    private boolean wantsJsonBuffer(final int code) {
        return code == ReactorReturnCodes.FAILURE
                && channel.protocolType() == Codec.JSON_PROTOCOL_TYPE
                && isUp()
                && failure().startsWith(NO_JSON_BUFFER);
    }

    private boolean isUp() {
        final Channel transport = channel.channel();
        return transport != null && transport.state() == ChannelState.ACTIVE;
    }

    /**
     * Output buffers in use, ours and the library's.
     *
     * @return the count
     */
    public int bufferUsage() {
        return channel.bufferUsage(error);
    }

    /**
     * How often no output buffer was free.
     *
     * @return the count so far
     */
    public long noBuffer() {
        return noBuffer;
    }

    /**
     * Whether a write failed; the connection is down then, or soon.
     *
     * @return true once it has
     */
    public boolean hasFailed() {
        return failed;
    }

    /**
     * Whether a message was refused although the connection was up: it is lost.
     *
     * @return true once it was
     */
    public boolean hasLost() {
        return refusedWhileUp;
    }

    /**
     * The library's message about the last failure.
     *
     * @return a text
     */
    public String failure() {
        return Rssl.text(error);
    }
}

package io.tickmark.workloads.market.transport;

import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelState;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.InProgInfo;
import com.refinitiv.eta.transport.IoctlCodes;
import com.refinitiv.eta.transport.ReadArgs;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.transport.TransportReturnCodes;
import com.refinitiv.eta.transport.WriteArgs;
import com.refinitiv.eta.transport.WritePriorities;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.rssl.ConnectionSettings;

/**
 * One connection of the transport, without a Reactor. Single-threaded; allocates nothing once it is
 * up.
 */
final class OpaqueChannel implements AutoCloseable {
    private final Channel channel;
    private final ConnectionSettings settings;
    private final Error error = TransportFactory.createError();
    private final InProgInfo progress = TransportFactory.createInProgInfo();
    private final ReadArgs readArgs = TransportFactory.createReadArgs();
    private final WriteArgs writeArgs = TransportFactory.createWriteArgs();
    private boolean gone;
    private boolean unflushed;
    private TransportBuffer refused;

    OpaqueChannel(final Channel channel, final ConnectionSettings settings) {
        this.channel = channel;
        this.settings = settings;
        writeArgs.priority(WritePriorities.HIGH);
        writeArgs.flags(settings.writeFlags());
    }

    /** Continues the handshake; true once it is done. */
    boolean isUp() {
        if (channel.state() != ChannelState.ACTIVE) {
            shakeHands();
            if (channel.state() == ChannelState.ACTIVE && settings.highWaterMarkBytes() > 0) {
                channel.ioctl(IoctlCodes.HIGH_WATER_MARK, settings.highWaterMarkBytes(), error);
            }
        }
        return channel.state() == ChannelState.ACTIVE;
    }

    private void shakeHands() {
        final int result = channel.init(progress, error);
        if (result < TransportReturnCodes.SUCCESS) {
            throw UserError.environment(
                    "The other side refuses the connection: %s.".formatted(error.text().strip()));
        }
    }

    /** Room for a message; null while no output buffer is free. */
    TransportBuffer begin(final int bytes) {
        if (refused != null && !retry()) {
            return null;
        }
        final TransportBuffer buffer = channel.getBuffer(bytes, false, error);
        if (buffer == null) {
            if (error.errorId() != TransportReturnCodes.NO_BUFFERS) {
                gone = true;
            }
            flush();
        }
        return buffer;
    }

    /** Adds a message; it is sent with the next flush, or when enough of them wait. */
    void end(final TransportBuffer buffer) {
        final int result = channel.write(buffer, writeArgs, error);
        if (result == TransportReturnCodes.WRITE_CALL_AGAIN) {
            refused = buffer;
        } else if (result < TransportReturnCodes.SUCCESS
                && result != TransportReturnCodes.WRITE_FLUSH_FAILED) {
            gone = true;
        }
        unflushed = true;
    }

    private boolean retry() {
        final TransportBuffer again = refused;
        refused = null;
        end(again);
        return refused == null;
    }

    /** Writes pending messages, as far as the socket accepts them. */
    void flush() {
        if (refused != null) {
            retry();
        }
        if (unflushed && !gone) {
            final int left = channel.flush(error);
            if (left < TransportReturnCodes.SUCCESS) {
                gone = true;
            }
            unflushed = left > 0;
        }
    }

    /** Whether something still waits for the socket. */
    boolean isUnflushed() {
        return unflushed || refused != null;
    }

    /** The next message; null where there is none now. */
    TransportBuffer read() {
        final TransportBuffer message = channel.read(readArgs, error);
        final int result = readArgs.readRetVal();
        if (message == null
                && (result == TransportReturnCodes.FAILURE
                        || channel.state() != ChannelState.ACTIVE)) {
            gone = true;
        }
        return message;
    }

    /** Whether the other side has disconnected. */
    boolean isGone() {
        return gone;
    }

    @Override
    public void close() {
        channel.close(error);
    }
}

package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

/**
 * The side that connects: tries again for as long as it is driven, also when the other side went
 * away.
 */
final class TcpDialer extends TcpPeers {
    private static final long RETRY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ATTEMPT_NS = TimeUnit.SECONDS.toNanos(3);

    private final ChannelUri channel;
    private final HostPort address;
    private final NanoClock clock;
    private SocketChannel dialing;
    private long attemptNs;

    TcpDialer(final ChannelUri channel, final TcpParameters parameters, final NanoClock clock) {
        final HostPort listener = HostPort.of(channel);
        if (listener.port() == 0) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": nobody can be reached at port 0; give the port of the listening side.");
        }
        super(parameters, clock);
        this.channel = channel;
        this.clock = clock;
        this.address = listener;
        attemptNs = clock.nanoTime() - RETRY_INTERVAL_NS;
        admit();
    }

    @Override
    void admit() {
        if (count() > 0) {
            return;
        }
        try {
            if (dialing == null) {
                dial();
            } else if (dialing.finishConnect()) {
                connected();
            } else if (clock.nanoTime() - attemptNs > ATTEMPT_NS) {
                giveUp();
            }
        } catch (final IOException e) {
            // Nobody listens there yet, or no longer: tried again at the next interval.
            giveUp();
        }
    }

    private void dial() throws IOException {
        if (clock.nanoTime() - attemptNs < RETRY_INTERVAL_NS) {
            return;
        }
        attemptNs = clock.nanoTime();
        dialing = SocketChannel.open();
        TcpSockets.prepare(dialing, parameters());
        if (dialing.connect(address.socketAddress())) {
            connected();
        } else {
            dialing.register(selector(), SelectionKey.OP_CONNECT);
        }
    }

    private void connected() throws IOException {
        final SocketChannel socket = dialing;
        dialing = null;
        if (socket.getLocalAddress().equals(socket.getRemoteAddress())) {
            // A port nobody listens on can be dialled from itself (RFC 9293, simultaneous open).
            CloseHelper.quietClose(socket);
            return;
        }
        add(socket);
    }

    private void giveUp() {
        CloseHelper.quietClose(dialing);
        dialing = null;
    }

    @Override
    void onReady(final SelectionKey key) {
        if (key.isConnectable()) {
            admit();
        }
    }

    @Override
    ChannelUri channel() {
        return channel;
    }

    @Override
    void closeOwn() {
        giveUp();
    }
}

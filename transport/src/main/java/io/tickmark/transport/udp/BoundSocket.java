package io.tickmark.transport.udp;

import static io.tickmark.transport.udp.SocketNumbers.SOL_SOCKET;
import static io.tickmark.transport.udp.SocketNumbers.SOL_UDP;
import static io.tickmark.transport.udp.SocketNumbers.SO_REUSEADDR;
import static io.tickmark.transport.udp.SocketNumbers.UDP_GRO;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.socket.ReceiveBuffer;
import java.util.function.Supplier;

/**
 * A bound socket that accepts datagrams from any address and, from its first peer on, a second one
 * at the same address that is connected to that peer: the kernel looks up no route for a connected
 * socket, which saves some 7 % of a round trip over loopback. Datagrams from other and later peers
 * still arrive at the first socket.
 */
final class BoundSocket extends UdpSocket {
    /** While there is one peer only, new peers are looked for once in this many polls. */
    private static final int POLLS_BETWEEN_LISTENING = 16;

    private final Supplier<UdpSocket> opener;
    private UdpSocket direct;
    private long directName;
    private boolean isDirect;
    private boolean isSolePeer;
    private boolean isListenerDrained;
    private int polls;

    /**
     * A socket not bound yet.
     *
     * @param opener of another socket with the same options
     */
    BoundSocket(final ChannelUri channel, final boolean ipv6, final Supplier<UdpSocket> opener) {
        super(channel, ipv6);
        this.opener = opener;
        this.direct = this;
    }

    @Override
    UdpSocket socketFor(final long name) {
        return isDirect && name == directName ? direct : this;
    }

    @Override
    long receive(final ReceiveBuffer received, final boolean withName) {
        if (!isDirect) {
            return super.receive(received, withName);
        }
        if (isListenersTurn()) {
            final long result = super.receive(received, withName);
            isListenerDrained |= result == -Errno.EAGAIN;
            return result == -Errno.EAGAIN ? direct.receive(received, false) : result;
        }
        final long result = direct.receive(received, false);
        return result == -Errno.EAGAIN && !isSolePeer ? super.receive(received, withName) : result;
    }

    @Override
    long receiveBatch(final ReceiveBuffer received) {
        if (!isDirect) {
            return super.receiveBatch(received);
        }
        if (isListenersTurn()) {
            final long result = super.receiveBatch(received);
            isListenerDrained |= result == -Errno.EAGAIN;
            return result == -Errno.EAGAIN ? direct.receiveBatch(received) : result;
        }
        final long result = direct.receiveBatch(received);
        return result == -Errno.EAGAIN && !isSolePeer ? super.receiveBatch(received) : result;
    }

    /** Datagrams that the first peer sent before it had its own socket are received first. */
    private boolean isListenersTurn() {
        polls++;
        return !isListenerDrained || polls % (isSolePeer ? POLLS_BETWEEN_LISTENING : 2) == 0;
    }

    @Override
    void peerLearned(final Destinations peers) {
        isSolePeer = peers.count() == 1;
        if (isSolePeer) {
            try {
                openDirect(peers.name(0), peers.nameLength());
            } catch (final UserError e) {
                options().fact("noDirectSocket", e.getMessage());
            }
        }
    }

    /**
     * Opens the second socket. Addresses may be shared only while it is bound, so that a port in
     * use is noticed before and after. A newcomer's datagram that arrives between its bind and its
     * connect is taken for the peer's; new peers repeat their hello until they are answered.
     */
    private void openDirect(final long name, final int nameLength) {
        final UdpSocket opened = opener.get();
        options().set(SOL_SOCKET, SO_REUSEADDR, 1);
        opened.options().set(SOL_SOCKET, SO_REUSEADDR, 1);
        opened.options().set(SOL_UDP, UDP_GRO, Math.max(0, options().get(SOL_UDP, UDP_GRO)));
        final int result = opened.bindAndConnect(this, name, nameLength);
        options().set(SOL_SOCKET, SO_REUSEADDR, 0);
        opened.options().set(SOL_SOCKET, SO_REUSEADDR, 0);
        if (result < 0) {
            opened.close();
            throw failed("the first peer gets no socket of its own", result);
        }
        direct = opened;
        directName = name;
        isDirect = true;
    }

    @Override
    void await(final long timeoutNs) {
        await(timeoutNs, direct);
    }

    @Override
    long drops() {
        return isDirect ? super.drops() + direct.drops() : super.drops();
    }

    @Override
    long refusals() {
        return isDirect ? super.refusals() + direct.refusals() : super.refusals();
    }

    @Override
    public void close() {
        super.close();
        if (isDirect) {
            direct.close();
        }
    }
}

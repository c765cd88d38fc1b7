package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.util.List;

/**
 * {@code ws://host:port/path}: as {@code tcp}, with WebSockets (RFC 6455) instead of lengths, so
 * that an echo service behind a WebSocket can be the other end. The publication listens, each
 * message is a binary frame.
 */
public final class WebSocketTransport extends TcpTransport {
    /** What a request line can hold (RFC 3986), without a query: that is the channel's. */
    private static final String PATH = "/[A-Za-z0-9._~!$'()*+,;=:@%/-]*";

    /** For the ServiceLoader. */
    public WebSocketTransport() {}

    @Override
    public String scheme() {
        return "ws";
    }

    @Override
    public String summary() {
        return "WebSockets over TCP, a binary frame for each message; the publisher listens.";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("ws://127.0.0.1:0", true));
    }

    @Override
    HostPort address(final ChannelUri channel) {
        final String path = path(channel);
        if (!path.isEmpty() && !path.matches(PATH)) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": '"
                            + path
                            + "' is not a path; write ws://host:port/path.");
        }
        final String all = channel.authority();
        return HostPort.of(channel, all.substring(0, all.length() - path.length()));
    }

    @Override
    Framing.Maker framing(final ChannelUri channel, final boolean isDialing) {
        final String host = address(channel).authority();
        final String path = path(channel).isEmpty() ? "/" : path(channel);
        return () -> new WebSocketFraming(isDialing, host, path);
    }
}

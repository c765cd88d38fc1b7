package io.tickmark.transport.nulls;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;

/** The connecting side: a subscription, and the way back. Finds a restarted binding side again. */
final class Connector implements Subscription {
    private final ChannelUri channel;
    private final Supplier<Optional<Hub>> finder;
    private final Back back = new Back();
    private Hub.Connection connection;
    private boolean closed;

    Connector(final Hub hub, final Supplier<Optional<Hub>> finder) {
        this.channel = hub.channel();
        this.finder = finder;
        this.connection = hub.attach();
    }

    Publication back() {
        return back;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        if (closed) {
            return 0;
        }
        final int handed = connection.forward().take(handler, limit);
        if (handed == 0 && connection.hub().isClosed()) {
            followRestart();
        }
        return handed;
    }

    private void followRestart() {
        if (connection.forward().nextReleaseNs() == Line.NEVER) {
            finder.get().ifPresent(hub -> connection = hub.attach());
        }
    }

    @Override
    public boolean isConnected() {
        return !closed && !connection.hub().isClosed();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    long nextReleaseNs() {
        return connection.forward().nextReleaseNs();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            connection.hub().detach(connection);
        }
    }

    private final class Back implements Publication {
        private long position;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            if (closed) {
                return CLOSED;
            }
            if (length > connection.hub().maxPayloadBytes()) {
                return TOO_LONG;
            }
            if (connection.hub().isClosed()) {
                return NOT_CONNECTED;
            }
            final int roomBytes = Line.roomBytes(length);
            if (!connection.back().hasRoom(roomBytes, roomBytes)) {
                return BACK_PRESSURED;
            }
            connection.back().put(Line.AT_ONCE, buffer, offset, length);
            return position++;
        }

        @Override
        public int subscriberCount() {
            return isConnected() ? 1 : 0;
        }

        @Override
        public ChannelUri channel() {
            return channel;
        }

        @Override
        public void close() {
            Connector.this.close();
        }
    }
}

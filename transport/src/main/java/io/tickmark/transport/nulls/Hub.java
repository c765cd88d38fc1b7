package io.tickmark.transport.nulls;

import io.tickmark.transport.ChannelUri;
import java.util.Arrays;
import org.agrona.concurrent.NanoClock;

/** Where one binding side meets its connecting sides. Any thread; sides come and go by copy. */
final class Hub {
    private static final Connection[] NONE = {};

    private final ChannelUri channel;
    private final NullParameters parameters;
    private final NanoClock clock;
    private volatile Connection[] connections = NONE;
    private volatile boolean closed;

    Hub(final ChannelUri channel, final NullParameters parameters, final NanoClock clock) {
        this.channel = channel;
        this.parameters = parameters;
        this.clock = clock;
    }

    /** The two ways between the binding side and one connecting side. */
    record Connection(Hub hub, Line forward, Line back) {}

    synchronized Connection attach() {
        final Connection made =
                new Connection(
                        this,
                        new Line(parameters.capacityBytes(), clock),
                        new Line(parameters.capacityBytes(), clock));
        final Connection[] more = Arrays.copyOf(connections, connections.length + 1);
        more[connections.length] = made;
        connections = more;
        return made;
    }

    synchronized void detach(final Connection gone) {
        connections =
                Arrays.stream(connections)
                        .filter(connection -> connection != gone)
                        .toArray(Connection[]::new);
    }

    Connection[] connections() {
        return connections;
    }

    ChannelUri channel() {
        return channel;
    }

    NullParameters parameters() {
        return parameters;
    }

    NanoClock clock() {
        return clock;
    }

    int maxPayloadBytes() {
        return Line.maxPayloadBytes(parameters.capacityBytes());
    }

    void close() {
        closed = true;
        connections = NONE;
    }

    boolean isClosed() {
        return closed;
    }
}

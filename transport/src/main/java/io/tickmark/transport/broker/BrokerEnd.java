package io.tickmark.transport.broker;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.transport.ChannelUri;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.agrona.CloseHelper;

/** What both ends of a topic have in common: their channel, their connection and how they close. */
final class BrokerEnd {
    private final BrokerChannel<?> channel;
    private ConnectionState connection = new ConnectionState() {};
    private AutoCloseable behind = () -> {};
    private boolean closed;

    BrokerEnd(final BrokerChannel<?> channel) {
        this.channel = channel;
    }

    /** Reports what a client knows of its connection. */
    void by(final ConnectionState its) {
        connection = its;
    }

    /** Also closes the resources behind this end together with it. */
    void by(final ConnectionState its, final AutoCloseable owned) {
        by(its);
        behind = owned;
    }

    boolean isServed() {
        return connection.isServed();
    }

    boolean isClosed() {
        return closed;
    }

    Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(channel.facts());
        facts.putAll(connection.facts());
        if (connection.isGone()) {
            facts.put(RoleSummary.SERVER_GONE, true);
        }
        return facts;
    }

    boolean isCount(final String fact) {
        return connection.isCount(fact);
    }

    Optional<String> ended() {
        return connection.ended();
    }

    Optional<String> errors() {
        return connection.errors();
    }

    ChannelUri channel() {
        return channel.uri();
    }

    /**
     * The first time only: the engine's part, then what is behind this end, which may be a server
     * that runs on otherwise.
     */
    void close(final Runnable release) {
        if (!closed) {
            closed = true;
            try {
                release.run();
            } finally {
                CloseHelper.quietClose(behind);
            }
        }
    }
}

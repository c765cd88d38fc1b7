package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.BlockedListener;

/**
 * What a server says to a connection about its memory and disk: where one of them is short, it
 * takes no messages until there is room again ("Blocked Connections" in the documentation of
 * RabbitMQ). Told on threads of the client, asked on any.
 */
final class ServerAlarms implements BlockedListener {
    /** Name of the fact that says how often there was one. */
    static final String COUNT = "serverAlarms";

    private volatile String reason = "";
    private long count;

    @Override
    public synchronized void handleBlocked(final String why) {
        count++;
        reason = why;
    }

    @Override
    public synchronized void handleUnblocked() {
        reason = "";
    }

    /** Whether the server takes no messages now. */
    boolean isOn() {
        return !reason.isEmpty();
    }

    /** The server's words; empty where it takes messages. */
    String reason() {
        return reason;
    }

    /** How often it took none, now included. */
    synchronized long count() {
        return count;
    }
}

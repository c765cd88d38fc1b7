package io.tickmark.engines.aeron;

/**
 * Which way the datagrams of a hosted driver go. A driver without threads looks at all its sockets
 * in each turn and sends one datagram in it; with one driver for each way, who sends does not look
 * for what comes, a system call for each datagram, nor who waits for what has been sent.
 */
enum Way {
    /** Publications only. */
    OUT,

    /** Subscriptions only. */
    IN,

    /** Either: shared memory, drivers with threads of their own, one in a named directory. */
    BOTH;

    /** The way of the driver that a channel's publication or subscription has. */
    Way of(final AeronChannel channel) {
        final boolean isSplit =
                channel.kind() != ChannelKind.IPC
                        && channel.own().aeronDir().isEmpty()
                        && EmbeddedDriver.threading(channel.own()) == DriverThreading.INVOKER;
        return isSplit ? this : BOTH;
    }
}

package io.tickmark.engines.aeron;

/**
 * The direction of a hosted driver's datagrams. A driver without threads polls all its sockets in
 * each turn and sends one datagram in it; with one driver for each direction, a sender does not
 * poll for received datagrams, which is a system call for each datagram, and a receiver does not
 * check for datagrams to send.
 */
enum Direction {
    /** Publications only. */
    OUT,

    /** Subscriptions only. */
    IN,

    /** Both: shared memory, drivers with their own threads, a driver in a named directory. */
    BOTH;

    /** The direction of the driver of a channel's publication or subscription. */
    Direction of(final AeronChannel channel) {
        final boolean isSplit =
                channel.kind() != ChannelKind.IPC
                        && channel.own().aeronDir().isEmpty()
                        && EmbeddedDriver.threading(channel.own()) == DriverThreading.INVOKER;
        return isSplit ? this : BOTH;
    }
}

package io.tickmark.engines.aeron;

import java.time.Duration;

/**
 * The required properties of a hosted driver; channels with the same requirements share one driver.
 *
 * @param ipc whether it serves shared memory or the network
 * @param threading of the driver, already resolved
 * @param idle of its threads
 * @param lossPart of arriving datagrams
 * @param lossSeed of that loss
 * @param livenessTimeout of its clients
 * @param directory requested, empty for any
 * @param direction of its datagrams
 */
record DriverWishes(
        boolean ipc,
        DriverThreading threading,
        DriverIdle idle,
        double lossPart,
        long lossSeed,
        Duration livenessTimeout,
        String directory,
        Direction direction) {
    static DriverWishes of(final AeronChannel channel, final Direction direction) {
        final AeronParameters own = channel.own();
        return new DriverWishes(
                channel.kind() == ChannelKind.IPC,
                EmbeddedDriver.threading(own),
                own.idle(),
                own.lossPart(),
                own.lossSeed(),
                own.livenessTimeout(),
                own.aeronDir(),
                direction.of(channel));
    }
}

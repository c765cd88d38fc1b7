package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.Setting;

/**
 * Parameters of channels to any server that can be started here; a component of {@link
 * BrokerSettings}, and of the record of an engine that names topics in another way.
 *
 * @param start whether the binding side starts the servers at the given address
 * @param maxPayloadBytes largest message
 */
public record ServerSettings(
        @Setting(
                        help =
                                "Start the server at this address, as a child of the binding side; without an address or "
                                        + "with port 0 it is always started.",
                        byDefault = "false")
                boolean start,
        @Setting(
                        help = "Largest message.",
                        byDefault = "1000000",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes) {}

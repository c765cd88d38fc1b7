package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.Setting;

/**
 * Parameters of channels to any broker; the engine's own record has this one as a component.
 *
 * @param start whether the binding side starts the servers at the given address
 * @param prefix first part of all names at the server
 * @param maxPayloadBytes largest message
 */
public record BrokerSettings(
        @Setting(
                        help =
                                "Start the server at this address, as a child of the binding side; without an address or "
                                        + "with port 0 it is always started.",
                        byDefault = "false")
                boolean start,
        @Setting(
                        help =
                                "First part of all names at the server, so that tests on one server stay apart.",
                        byDefault = "tickmark",
                        label = "NAME")
                String prefix,
        @Setting(
                        help = "Largest message.",
                        byDefault = "1000000",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes) {}

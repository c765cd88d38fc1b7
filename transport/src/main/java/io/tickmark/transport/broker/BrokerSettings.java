package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.Setting;

/**
 * Parameters of channels to any broker; the engine's own record has this one as a component.
 *
 * @param server those of its servers
 * @param prefix first part of all names at the server
 */
public record BrokerSettings(
        ServerSettings server,
        @Setting(
                        help =
                                "First part of all names at the server, so that tests on one server stay apart.",
                        byDefault = "tickmark",
                        label = "NAME")
                String prefix) {
    /** {@return length of the largest message} */
    public int maxPayloadBytes() {
        return server.maxPayloadBytes();
    }
}

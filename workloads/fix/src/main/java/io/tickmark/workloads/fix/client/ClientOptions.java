package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.SessionOptions;
import java.net.InetSocketAddress;

/**
 * Settings common to producers and consumers.
 *
 * @param host of the gateway
 * @param session of all sessions
 * @param heartbeat interval in seconds
 * @param threads that serve the sessions
 * @param idle what a thread does when there is nothing to do
 */
public record ClientOptions(
        @Setting(
                        help = "Host of the gateway.",
                        byDefault = "127.0.0.1",
                        label = "HOST",
                        peers = "fix-gateway")
                String host,
        SessionOptions session,
        @Setting(
                        help = "Interval of heartbeats to ask for; 0 for none.",
                        byDefault = "30",
                        unit = "s",
                        min = 0,
                        max = 3600)
                int heartbeat,
        @Setting(help = "Threads that serve the sessions.", byDefault = "1", min = 1, max = 64)
                int threads,
        @Setting(help = "What a thread does when there is nothing to do.", byDefault = "auto")
                IdleMode idle) {

    /**
     * Where to connect.
     *
     * @param bound as the gateway told, empty by hand
     * @param port by hand
     * @return the address
     * @throws UserError if there is no such host
     */
    InetSocketAddress address(final String bound, final int port) {
        final int colon = bound.lastIndexOf(':');
        final InetSocketAddress address =
                colon < 0
                        ? new InetSocketAddress(host, port)
                        : new InetSocketAddress(
                                bound.substring(0, colon),
                                Integer.parseInt(bound.substring(colon + 1)));
        if (address.isUnresolved()) {
            throw UserError.environment("--host %s: there is no such host.".formatted(host));
        }
        return address;
    }
}

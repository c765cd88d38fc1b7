package io.tickmark.workloads.market.transport;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import java.time.Duration;

/**
 * Settings of both sides of the transport-only test.
 *
 * @param host the sender listens on and the receiver connects to
 * @param port of the sender
 * @param payloadBytes of each message
 * @param rate messages per second, 0 as fast as possible
 * @param warmUp of the sending before it counts
 * @param duration of the sending
 * @param connection buffers and protocol
 */
public record TransportTestSettings(
        @Setting(
                        help = "Address that the sender listens on and the receiver connects to.",
                        byDefault = "127.0.0.1",
                        label = "HOST",
                        peers = "market-transport-sender")
                String host,
        @Setting(
                        help =
                                "Port of the sender; 0 for a free one, at the receiver for the plan's.",
                        byDefault = "0",
                        min = 0,
                        max = 65_535)
                int port,
        @Setting(
                        help = "Bytes of each message, including the 32 that measuring needs.",
                        byDefault = "76",
                        unit = "bytes",
                        min = 32,
                        max = 6_000)
                int payloadBytes,
        @Setting(
                        help = "Messages per second; 0 sends as fast as possible.",
                        byDefault = "100k",
                        unit = "msg/s",
                        min = 0,
                        max = 1e9)
                double rate,
        @Setting(
                        help =
                                "How long to send before measuring, so that the JVMs compile their code.",
                        byDefault = "3s",
                        whenWarm = "200ms",
                        min = 0,
                        max = 3.6e12)
                Duration warmUp,
        @Setting(
                        help = "How long to send.",
                        byDefault = "10s",
                        unit = "s",
                        min = 1e6,
                        max = 8.64e13)
                Duration duration,
        ConnectionSettings connection) {
    private static final long PATIENCE_NS = 5_000_000_000L;

    /** Longer than any duration: a rate that is next to none is no overflow. */
    private static final double LONGEST_GAP_NS = 1e18;

    /** Refuses options of a connection that mean nothing here. */
    public TransportTestSettings {
        if (connection.packing() && connection.given().has("packing")) {
            throw UserError.usage(
                    "--packing has no effect here: each message is sent in its own buffer; leave it out.");
        }
        if (connection.given().has("maxDispatchCount")) {
            throw UserError.usage(
                    "--max-dispatch-count has no effect here: there is only one connection, and no Reactor; "
                            + "leave it out.");
        }
    }

    /**
     * How long the sender may be silent in normal operation: the pause of its pace, and the delay
     * of a busy machine.
     *
     * @return ns
     */
    long longestSilenceNs() {
        return PATIENCE_NS + (long) (rate == 0 ? 0 : Math.min(LONGEST_GAP_NS, 1e9 / rate));
    }
}

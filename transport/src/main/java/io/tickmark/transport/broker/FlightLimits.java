package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.Setting;
import java.util.Map;

/**
 * Parameters that limit what a publication has in flight.
 *
 * @param maxFlight most messages
 * @param sendPendingBytes most bytes of them together
 */
public record FlightLimits(
        @Setting(
                        help =
                                "Maximum messages in flight: accepted and not yet sent, or not yet acknowledged where the server"
                                        + " does so; more is back-pressure.",
                        byDefault = "4096",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help = "Maximum bytes in flight; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes) {
    /** Parameters of a channel with these limits, which its ends report. */
    public interface Limited {
        /** {@return most that a publication has in flight} */
        FlightLimits limits();
    }

    Map<String, Object> facts() {
        return Map.of("maxFlight", maxFlight, "sendPendingBytes", sendPendingBytes);
    }

    /** {@return what one publication has in flight, within these limits; nothing yet} */
    public Flight flight() {
        return new Flight(maxFlight, sendPendingBytes);
    }
}

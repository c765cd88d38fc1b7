package io.tickmark.workloads.messaging;

import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.kernel.result.Counts;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.WirePath;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The rate of a publisher's messages on the network, including headers, frames and gaps, and its
 * share of the link. Looked up once, when the receivers are connected; queried after a step, never
 * during a measurement.
 */
public final class WireRate {
    /** A link that is fuller leaves no room to repair what was lost. */
    private static final double FULL_PART = 0.9;

    private final Optional<WirePath> path;
    private final boolean alone;

    WireRate(final Optional<WirePath> path, final boolean alone) {
        this.path = path;
        this.alone = alone;
    }

    /**
     * Looks up where the messages are sent; receivers must be connected.
     *
     * @param exchanges that send, one for each topic or one for all
     * @return their rate; empty where no network is known in between
     */
    public static WireRate of(final List<Exchange> exchanges) {
        return new WireRate(
                exchanges.stream()
                        .flatMap(exchange -> exchange.publication().wirePath().stream())
                        .findFirst(),
                false);
    }

    /**
     * The same for messages that are each sent at once, so that none shares a packet.
     *
     * @param exchange that sends
     * @return their rate
     */
    public static WireRate ofPings(final Exchange exchange) {
        return new WireRate(exchange.publication().wirePath(), true);
    }

    private WirePath.Cost cost(final WirePath each, final int payloadBytes) {
        return alone ? each.costAlone(payloadBytes) : each.cost(payloadBytes);
    }

    /**
     * Adds bytes and frames of a step.
     *
     * @param counts of the step
     * @param payloadBytes of each message
     * @param messages that were really sent
     */
    public void addTo(final Map<String, Long> counts, final int payloadBytes, final long messages) {
        path.map(each -> cost(each, payloadBytes))
                .ifPresent(cost -> {
                    counts.put(Counts.WIRE_BYTES, Math.round(cost.bytes() * messages));
                    counts.put(Counts.WIRE_FRAMES, Math.round(cost.frames() * messages));
                });
    }

    /**
     * Adds what is known about the link.
     *
     * @param metrics of the role
     * @param payloadBytes of a message
     */
    public void describe(final Map<String, Object> metrics, final int payloadBytes) {
        path.ifPresent(each -> {
            metrics.put("link", each.link().name());
            metrics.put("linkMtuBytes", each.link().mtuBytes());
            metrics.put(
                    "linkBitsPerSecond",
                    each.link().bitsPerSecond() > 0 ? each.link().bitsPerSecond() : "unknown");
            metrics.put("wireBytesAreLeast", cost(each, payloadBytes).atLeast());
        });
    }

    /**
     * Warns where the link is nearly full.
     *
     * @param counts of the step, including bytes on the wire
     * @param durationNs of the step
     * @return a sentence; empty where there is room, or the link's speed is not known
     */
    public Optional<String> caution(final Map<String, Long> counts, final long durationNs) {
        final NetworkLink link = path.map(WirePath::link).orElse(null);
        if (link == null || link.bitsPerSecond() == 0 || durationNs <= 0) {
            return Optional.empty();
        }
        final double part =
                counts.getOrDefault(Counts.WIRE_BYTES, 0L)
                        * 8e9
                        / durationNs
                        / link.bitsPerSecond();
        return part > FULL_PART
                ? Optional.of(
                        String.format(
                                Locale.ROOT,
                                "The messages took %.0f %% of what %s carries (%.3g Gbit/s), headers, frames and"
                                        + " gaps included: no room is left to recover what is lost.",
                                part * 100,
                                link.name(),
                                link.bitsPerSecond() / 1e9))
                : Optional.empty();
    }
}

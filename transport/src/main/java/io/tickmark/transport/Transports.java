package io.tickmark.transport;

import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The transports on the class path. */
public final class Transports {
    /**
     * Engines by scheme that live in modules of their own: absent is another thing than unknown.
     */
    private static final Map<String, String> ENGINES =
            Map.of(
                    "aeron",
                    "Aeron",
                    "dds",
                    "DDS",
                    "kafka",
                    "Kafka",
                    "nats",
                    "NATS",
                    "redis",
                    "Redis",
                    "um",
                    "Ultra Messaging");

    private final Map<String, Transport> byScheme = new TreeMap<>();

    /** Loads them. */
    public Transports() {
        for (final Transport transport : ServiceLoader.load(Transport.class)) {
            if (byScheme.put(transport.scheme(), transport) != null) {
                throw new IllegalStateException(
                        "two transports on the class path for scheme " + transport.scheme());
            }
        }
    }

    /**
     * All transports, by scheme.
     *
     * @return in alphabetical order
     */
    public Map<String, Transport> all() {
        return Map.copyOf(byScheme);
    }

    /**
     * Whether both ends of a channel must be on one host.
     *
     * @param channel to look up
     * @return as its transport says; false where there is none, which whoever opens the channel
     *     says
     */
    public static boolean stayOnOneHost(final ChannelUri channel) {
        final Transport transport = new Transports().all().get(channel.scheme());
        return transport != null && transport.staysOnOneHost(channel);
    }

    /**
     * The transport of a channel, ready for use.
     *
     * @param channel to look up
     * @return the transport
     * @throws UserError if no transport has its scheme (usage), or the transport cannot be used on
     *     this machine (environment)
     */
    public Transport of(final ChannelUri channel) {
        final Transport found = byScheme.get(channel.scheme());
        if (found == null && ENGINES.containsKey(channel.scheme())) {
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": the "
                            + ENGINES.get(channel.scheme())
                            + " engine is missing here; add its module to the class path, or see 'tickmark engines'.");
        }
        if (found == null) {
            throw UserError.usage(
                    "--channel: no transport for scheme '"
                            + channel.scheme()
                            + "'; known here: "
                            + String.join(", ", byScheme.keySet())
                            + ". 'tickmark engines' tells more.");
        }
        found.absence(channel)
                .ifPresent(reason -> {
                    throw UserError.environment("--channel " + channel + ": " + reason);
                });
        return found;
    }
}

package io.tickmark.transport;

import io.tickmark.kernel.jars.OwnJars;
import io.tickmark.kernel.settings.UserError;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The transports on the class path. */
public final class Transports {
    private static final String FIRST = "udp";

    /** An absent engine differs from an unknown one: a user who names it knows what it is. */
    private static final Map<String, String> SOLD_BY_OTHERS = Map.of("um", "Ultra Messaging");

    /**
     * Property prefix for the scheme of an engine that a release ships separately: the property
     * says what the engine is and how it is added.
     */
    public static final String PACK = "tickmark.pack.";

    private final Map<String, Transport> byScheme = new TreeMap<>();

    /** What a class loader finds, cached because it is asked for each channel. */
    private record Found(ClassLoader loader, List<ServiceLoader.Provider<Transport>> providers) {
        static Found by(final ClassLoader loader) {
            return new Found(loader, OwnJars.services(Transport.class, loader).stream().toList());
        }
    }

    private static volatile Found found;

    /** Creates one of each; the list is looked up once for each class loader. */
    public Transports() {
        final ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Found known = found;
        if (known == null || known.loader() != loader) {
            known = Found.by(loader);
            found = known;
        }
        for (final ServiceLoader.Provider<Transport> provider : known.providers()) {
            final Transport transport = provider.get();
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
     * The kinds of channels of all transports that are present.
     *
     * @return those of {@code udp} first, with which others are compared; then by scheme
     */
    public List<Transport.Kind> kinds() {
        return byScheme.values().stream()
                .sorted(Comparator.comparing(transport -> !transport.scheme().equals(FIRST)))
                .flatMap(transport -> transport.kinds().stream())
                .toList();
    }

    /**
     * Whether both ends of a channel must be on one host.
     *
     * @param channel to look up
     * @return as its transport declares; false where there is no such transport, which is reported
     *     when the channel is opened
     */
    public static boolean stayOnOneHost(final ChannelUri channel) {
        final Transport transport = new Transports().all().get(channel.scheme());
        return transport != null && transport.staysOnOneHost(channel);
    }

    /**
     * Threads that the engine of a channel keeps busy for one end.
     *
     * @param channel to look up
     * @param side of the end
     * @return as its transport declares; 0 where there is no such transport, which is reported when
     *     the channel is opened
     */
    public static int busyThreads(final ChannelUri channel, final ExchangeSide side) {
        final Transport transport = new Transports().all().get(channel.scheme());
        return transport == null ? 0 : transport.busyThreads(channel, side);
    }

    /**
     * How long the servers of a channel usually take to start and to end.
     *
     * @param channel to look up
     * @return as its transport declares, in ns; 0 where there is no such transport, which is
     *     reported when the channel is opened
     */
    public static long usualStartNs(final ChannelUri channel) {
        final Transport transport = new Transports().all().get(channel.scheme());
        return transport == null ? 0 : transport.usualStart(channel).toNanos();
    }

    /**
     * Checks that an end of a channel can be opened on this machine: that the engine is there, with
     * the server that the end starts, and the files that the channel names.
     *
     * @param channel to look up
     * @param side of the end
     * @throws UserError if something is missing here (environment), or the channel or one of its
     *     files is wrong (usage)
     */
    public static void requireHere(final ChannelUri channel, final ExchangeSide side) {
        final Transport transport = new Transports().of(channel);
        transport
                .absence(channel, side)
                .ifPresent(reason -> {
                    throw UserError.environment("--channel " + channel + ": " + reason);
                });
        transport.checkFiles(channel);
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
        final Transport transport = byScheme.get(channel.scheme());
        if (transport == null && SOLD_BY_OTHERS.containsKey(channel.scheme())) {
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": the "
                            + SOLD_BY_OTHERS.get(channel.scheme())
                            + " engine is missing here; add its module to the class path, or see 'tickmark engines'.");
        }
        final String pack = System.getProperty(PACK + channel.scheme());
        if (transport == null && pack != null) {
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": its engine is not installed: it is in a separate pack. "
                            + pack);
        }
        if (transport == null) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": no transport for scheme '"
                            + channel.scheme()
                            + "'; known here: "
                            + String.join(", ", byScheme.keySet())
                            + "; see 'tickmark engines'.");
        }
        transport
                .absence(channel)
                .ifPresent(reason -> {
                    throw UserError.environment("--channel " + channel + ": " + reason);
                });
        return transport;
    }
}

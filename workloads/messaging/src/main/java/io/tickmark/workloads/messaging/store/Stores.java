package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableTransport;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Finds the stores of channels. */
public final class Stores {
    /** The role, and its endpoint: the channel of the store. */
    public static final String STORE = "store";

    /** The setting of roles whose messages go through a store. */
    public static final String STORED = "stored";

    /** Endpoint of a store: the file that records what it has acknowledged. */
    public static final String ACKNOWLEDGED = "acknowledged";

    private static final long OPEN_EVERY_NS = 100_000_000;

    private Stores() {}

    /**
     * Whether messages of a test go through a store.
     *
     * @param channel to look up
     * @param isAsked whether the test asks for a store
     * @return true if it does and there is one, or the channel carries no other messages; false
     *     where there is no such transport, which is reported when the channel is opened
     */
    public static boolean isStored(final ChannelUri channel, final boolean isAsked) {
        return new Transports().all().get(channel.scheme())
                        instanceof final DurableTransport durable
                && (isAsked || !durable.carriesPlainMessages());
    }

    /**
     * Whether messages of a channel can go through a store.
     *
     * @param channel to look up
     * @return false also where there is no such transport
     */
    public static boolean canStore(final ChannelUri channel) {
        return isStored(channel, true);
    }

    /**
     * The setting {@code stored} of roles beside a store.
     *
     * @param counts how many roles of each name a test has
     * @return that their messages go through it; nothing where the test has no store
     */
    public static Map<String, Object> implied(final Map<String, Integer> counts) {
        return counts.containsKey(STORE) ? Map.of(STORED, true) : Map.of();
    }

    /**
     * Whether a test runs a store for a role.
     *
     * @param counts how many roles of each name it has
     * @param isAsked the role's setting {@code stored}
     * @return false where a store runs elsewhere, or none is used
     * @throws UserError if nobody would use the test's store
     */
    public static boolean isPartOf(final Map<String, Integer> counts, final boolean isAsked) {
        final boolean isPart = counts.containsKey(STORE);
        if (isPart && !isAsked) {
            throw UserError.usage(
                    "stored: is false, and the test has a store; leave out the setting or the role 'store'.");
        }
        return isPart;
    }

    /**
     * Refuses a store where there is none, and parameters that would be ignored.
     *
     * @param channel to check
     * @param isAsked whether the test asks for a store
     * @throws UserError that says what to write instead
     */
    public static void check(final ChannelUri channel, final boolean isAsked) {
        if (isAsked) {
            of(channel);
        }
        final boolean isStored = isStored(channel, isAsked);
        if (new Transports().all().get(channel.scheme())
                instanceof final DurableTransport durable) {
            durable.ignored(channel, isStored).stream()
                    .filter(channel.parameters()::containsKey)
                    .sorted()
                    .findFirst()
                    .ifPresent(name -> {
                        throw UserError.usage(
                                isStored
                                        ? "--store %s: ?%s has no effect on messages that go through a store; leave it out."
                                                .formatted(channel, name)
                                        : ("--channel %1$s: ?%2$s has no effect on messages that go through no store; leave it"
                                                        + " out, or stream through one with --store %1$s.")
                                                .formatted(channel, name));
                    });
        }
    }

    /**
     * The transport of a stored channel.
     *
     * @param channel to look up
     * @return the transport
     * @throws UserError if it has no store
     */
    public static DurableTransport of(final ChannelUri channel) {
        final Transport transport = new Transports().of(channel);
        if (transport instanceof final DurableTransport durable) {
            return durable;
        }
        throw UserError.usage(
                "--store "
                        + channel
                        + ": "
                        + channel.scheme()
                        + " keeps no messages; name a channel of an engine with a store, for example archive:.");
    }

    /**
     * How much longer roles wait for an engine with a store, which may have to start servers.
     *
     * @param channel to look up
     * @return as its transport declares, in ns; 0 where it has no store
     */
    public static long patienceNs(final ChannelUri channel) {
        return new Transports().all().get(channel.scheme())
                        instanceof final DurableTransport durable
                ? durable.patience(channel).toNanos()
                : 0;
    }

    /**
     * Whether all roles that use a channel have to be on one host: its transport reaches no
     * further, or they share a file that says what a store may delete.
     *
     * @param channel to look up
     * @param isAsked whether the test asks for a store
     * @return false where there is no such transport here, which is reported when the channel is
     *     opened
     */
    public static boolean stayOnOneHost(final ChannelUri channel, final boolean isAsked) {
        return Transports.stayOnOneHost(channel)
                || isStored(channel, isAsked)
                        && new Transports().all().get(channel.scheme())
                                instanceof final DurableTransport durable
                        && durable.guarantees(channel).deletion() == Deletion.ACKNOWLEDGED;
    }

    /**
     * Opens an end of a stream. The store of a trial runs, but may still be recovering: opening is
     * retried as long as the role may connect. When run by hand the user named the store, and an
     * error is reported at once.
     *
     * @param opener opens it, or throws the reason
     * @param endpoints of the trial, empty by hand
     * @param context of the role
     * @return what was opened
     */
    static <T> T open(
            final Supplier<T> opener, final Endpoints endpoints, final RoleContext context) {
        final long startNs = context.clock().nanoTime();
        while (true) {
            try {
                return opener.get();
            } catch (final UserError e) {
                if (endpoints.named(STORE).isEmpty()
                        || e.kind() != UserError.Kind.ENVIRONMENT
                        || context.isStopped()
                        || context.clock().nanoTime() - startNs > context.connectTimeoutNs()) {
                    throw e;
                }
                LockSupport.parkNanos(OPEN_EVERY_NS);
            }
        }
    }

    /**
     * The store of a topic: topics are assigned to the stores in turn.
     *
     * @param endpoints of the trial, empty by hand
     * @param channel as in the settings, for use by hand
     * @param topic id, from 1
     * @return the channel of its store
     */
    static ChannelUri ofTopic(
            final Endpoints endpoints, final ChannelUri channel, final int topic) {
        final List<String> stores = endpoints.named(STORE);
        return stores.isEmpty()
                ? channel
                : ChannelUri.parse(stores.get((topic - 1) % stores.size()));
    }
}

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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Finds the stores of channels. */
public final class Stores {
    /** Endpoint of a store: its channel. */
    public static final String STORE = "store";

    /** Endpoint of a store: the file that records what it has acknowledged. */
    public static final String ACKNOWLEDGED = "acknowledged";

    private static final long OPEN_EVERY_NS = 100_000_000;

    private Stores() {}

    /**
     * Whether messages of a channel go through a store.
     *
     * @param channel to look up
     * @return true if its transport stores them; false where there is no such transport, which is
     *     reported when the channel is opened
     */
    public static boolean isStored(final ChannelUri channel) {
        return new Transports().all().get(channel.scheme()) instanceof DurableTransport;
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
     * How much longer roles wait where messages of a channel go through a store.
     *
     * @param channel to look up
     * @return as the store's transport declares, in ns; 0 where nothing is stored
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
     * @return false where there is no such transport here, which is reported when the channel is
     *     opened
     */
    public static boolean stayOnOneHost(final ChannelUri channel) {
        return Transports.stayOnOneHost(channel)
                || new Transports().all().get(channel.scheme())
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

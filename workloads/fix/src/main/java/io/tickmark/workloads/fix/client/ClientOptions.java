package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.SessionOptions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

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
     * The sessions of one thread.
     *
     * @param thread its number, from 1
     * @param first number of its first session, from 1
     * @param count of its sessions
     */
    record Part(int thread, int first, int count) {}

    /** Divides sessions evenly over the threads; threads without a session are omitted. */
    List<Part> parts(final int sessions) {
        final List<Part> parts = new ArrayList<>();
        final int used = Math.min(threads, sessions);
        int first = 1;
        for (int thread = 1; thread <= used; thread++) {
            final int count = sessions / used + (thread <= sessions % used ? 1 : 0);
            parts.add(new Part(thread, first, count));
            first += count;
        }
        return parts;
    }

    /** The threads that the factory of a role with this many sessions declares. */
    List<HotThread> hotThreads(final String name, final int sessions) {
        return HotThread.numbered(name, Math.min(threads, sessions), idle);
    }

    /**
     * Where to connect.
     *
     * @param endpoints of the gateway in the same plan, none by hand
     * @param name of its endpoint
     * @param port by hand
     * @throws UserError if there is no such host
     */
    InetSocketAddress address(final Endpoints endpoints, final String name, final int port) {
        final String bound = endpoints.named(name).stream().findFirst().orElse("");
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

    /**
     * Numbers of the sessions of a role that may run several times: each of n instances takes every
     * n-th number, so that none is used twice, however many sessions each of them has. Immutable.
     *
     * @param index of the instance, from 1
     * @param count of instances
     */
    record SessionNumbers(int index, int count) {
        static SessionNumbers of(final RoleContext context) {
            return new SessionNumbers(context.index(), context.count());
        }

        /** The offset of an instance to the first one, so that all of them are spread evenly. */
        double partOf(final double whole) {
            return whole * (index - 1) / count;
        }

        /** The number of a session, from 1, among those of its instance. */
        int of(final int session) {
            return (session - 1) * count + index;
        }
    }
}

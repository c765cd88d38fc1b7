package io.tickmark.engines.dds;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;

/**
 * The domains of this process, each with one participant that all channels of the domain share: the
 * library has one configuration for a domain and process. The last lease closes it.
 */
final class Domains {
    private static final Map<Integer, OpenDomain> HELD = new HashMap<>();

    private Domains() {}

    /** A use of a domain; to be closed once. */
    static final class Lease implements AutoCloseable {
        private final OpenDomain held;
        private boolean closed;

        private Lease(final OpenDomain held) {
            this.held = held;
        }

        int participant() {
            return held.participant;
        }

        /** Another use of the same domain. */
        Lease share() {
            synchronized (Domains.class) {
                held.uses++;
                return new Lease(held);
            }
        }

        @Override
        public void close() {
            synchronized (Domains.class) {
                if (!closed) {
                    closed = true;
                    release(held);
                }
            }
        }
    }

    private static final class OpenDomain {
        private final int id;
        private final String config;
        private final int entity;
        private final int participant;
        private int uses = 1;

        private OpenDomain(
                final int id, final String config, final int entity, final int participant) {
            this.id = id;
            this.config = config;
            this.entity = entity;
            this.participant = participant;
        }
    }

    static synchronized Lease lease(final DdsChannel channel) {
        CycloneLibrary.choose(channel.parameters().library());
        final String config = DomainConfig.of(channel);
        final OpenDomain held = HELD.get(channel.domain());
        if (held == null) {
            final OpenDomain opened = open(channel, config);
            HELD.put(channel.domain(), opened);
            return new Lease(opened);
        }
        if (!held.config.equals(config)) {
            throw DdsChannel.refused(
                    channel.uri(),
                    "domain "
                            + channel.domain()
                            + " is open in this process already with another transport, nic, peer or"
                            + " other setting of the network; give both channels the same, or another domain");
        }
        held.uses++;
        return new Lease(held);
    }

    private static OpenDomain open(final DdsChannel channel, final String config) {
        channel.network().check(channel.uri());
        if (channel.carrier() == Carrier.SHARED_MEMORY) {
            Roudi.require(channel);
        }
        LogNotes.install();
        LogNotes.clear();
        final int domain;
        try (Arena arena = Arena.ofConfined()) {
            domain = Cyclone.createDomain(channel.domain(), arena.allocateFrom(config));
        }
        if (domain < 0) {
            throw Refusal.of(channel, "domain " + channel.domain() + " cannot be opened", domain);
        }
        final int participant = Cyclone.createParticipant(channel.domain());
        if (participant < 0) {
            Cyclone.delete(domain);
            throw Refusal.of(
                    channel, "domain " + channel.domain() + " cannot be joined", participant);
        }
        return new OpenDomain(channel.domain(), config, domain, participant);
    }

    private static void release(final OpenDomain held) {
        if (--held.uses == 0) {
            HELD.remove(held.id);
            Cyclone.delete(held.entity);
        }
    }
}

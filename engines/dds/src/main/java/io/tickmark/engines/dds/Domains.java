package io.tickmark.engines.dds;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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

    /**
     * Refuses a configuration whose file is not there. Cyclone takes XML, and files by their path
     * or as {@code file://} ("CYCLONEDDS_URI" in the guide to its configuration).
     */
    static void checkConfig(final DdsChannel channel) {
        final String config = channel.parameters().config();
        if (config.isEmpty() || config.startsWith("<")) {
            return;
        }
        try (InputStream file =
                Files.newInputStream(Path.of(config.replaceFirst("^file://", "")))) {
            file.read();
        } catch (final IOException e) {
            throw unreadable(channel, config, IoReason.of(e));
        } catch (final InvalidPathException e) {
            throw unreadable(channel, config, e.getReason());
        }
    }

    private static UserError unreadable(
            final DdsChannel channel, final String config, final String why) {
        return DdsChannel.refused(
                channel.uri(),
                "?config=%s cannot be read (%s); give the path of a configuration of Cyclone's, or its XML"
                        .formatted(config, why));
    }

    static synchronized Lease lease(final DdsChannel channel) {
        CycloneLibrary.choose(channel.parameters().library());
        final String config = Config.of(channel);
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
                            + " is already open in this process with another transport, nic, peer or"
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

    /** A domain's configuration in Cyclone's XML, generated from a checked channel. */
    static final class Config {
        /** Participants of one host find each other by trying the ports of this many. */
        private static final int MOST_PARTICIPANTS = 99;

        private static final int FIRST_PORT = 7400;
        private static final int PORTS_OF_DOMAIN = 250;
        private static final int MAX_PORT = 65_535;

        private Config() {}

        static String of(final DdsChannel channel) {
            final DdsParameters parameters = channel.parameters();
            final String ours =
                    "<Domain Id=\"any\">"
                            + general(channel)
                            + discovery(channel)
                            + sockets(parameters)
                            + sharedMemory(channel)
                            + threads(parameters)
                            + "</Domain>";
            return parameters.config().isEmpty() ? ours : parameters.config() + "," + ours;
        }

        private static String general(final DdsChannel channel) {
            final Network network = channel.network();
            final boolean named = !network.nic().matches("[0-9.]+|.*:.*");
            return "<General><Interfaces><NetworkInterface "
                    + (named ? "name" : "address")
                    + "=\""
                    + network.nic()
                    + "\""
                    + (network.group().isEmpty() && network.discovery() != Discovery.MULTICAST
                            ? ""
                            : " multicast=\"true\"")
                    + (network.group().isEmpty() ? "" : " prefer_multicast=\"true\"")
                    + "/></Interfaces><AllowMulticast>"
                    + allowed(network)
                    + "</AllowMulticast><MulticastTimeToLive>"
                    + channel.parameters().ttl()
                    + "</MulticastTimeToLive><Transport>"
                    + (channel.carrier() == Carrier.UDP6 ? "udp6" : "udp")
                    + "</Transport>"
                    + "</General>";
        }

        private static String allowed(final Network network) {
            final String data = network.group().isEmpty() ? "" : "asm";
            if (network.discovery() == Discovery.MULTICAST) {
                return data.isEmpty() ? "spdp" : "spdp," + data;
            }
            return data.isEmpty() ? "false" : data;
        }

        private static String discovery(final DdsChannel channel) {
            final Network network = channel.network();
            final StringBuilder text =
                    new StringBuilder("<Discovery><ParticipantIndex>auto</ParticipantIndex>");
            text.append("<MaxAutoParticipantIndex>")
                    .append(mostParticipants(channel.domain()))
                    .append("</MaxAutoParticipantIndex><LeaseDuration>")
                    .append(channel.parameters().lease().toMillis())
                    .append("ms</LeaseDuration>");
            if (network.discovery() != Discovery.MULTICAST) {
                text.append("<Peers>");
                if (network.discovery() == Discovery.HOST) {
                    text.append(peer(network.nic(), channel.carrier()));
                }
                network.peers().forEach(host -> text.append(peer(host, channel.carrier())));
                text.append("</Peers>");
            }
            if (!network.group().isEmpty()) {
                text.append("<DefaultMulticastAddress>")
                        .append(network.group())
                        .append("</DefaultMulticastAddress>");
            }
            return text.append("</Discovery>").toString();
        }

        private static String peer(final String host, final Carrier carrier) {
            final String address =
                    carrier == Carrier.UDP6 && host.indexOf(':') >= 0 ? "[" + host + "]" : host;
            return "<Peer address=\"" + address + "\"/>";
        }

        /** Two ports each from 10 above the domain's first (RTPS 2.5, 9.6.2.3). */
        private static int mostParticipants(final int domain) {
            final int first = FIRST_PORT + PORTS_OF_DOMAIN * domain + 11;
            return Math.min(MOST_PARTICIPANTS, (MAX_PORT - first) / 2);
        }

        private static String sockets(final DdsParameters parameters) {
            return "<Internal>"
                    + (parameters.unacknowledgedBytes() == 0
                            ? ""
                            : "<Watermarks><WhcHigh>%1$d B</WhcHigh><WhcHighInit>%1$d B</WhcHighInit></Watermarks>"
                                    .formatted(parameters.unacknowledgedBytes()))
                    + (parameters.receiveBufferBytes() == 0
                            ? ""
                            : "<SocketReceiveBufferSize min=\"%1$d B\" max=\"%1$d B\"/>"
                                    .formatted(parameters.receiveBufferBytes()))
                    + (parameters.sendBufferBytes() == 0
                            ? ""
                            : "<SocketSendBufferSize min=\"%1$d B\" max=\"%1$d B\"/>"
                                    .formatted(parameters.sendBufferBytes()))
                    + (parameters.batch() ? "<WriteBatch>true</WriteBatch>" : "")
                    + "</Internal>";
        }

        private static String sharedMemory(final DdsChannel channel) {
            return channel.carrier() == Carrier.SHARED_MEMORY
                    ? "<SharedMemory><Enable>true</Enable><LogLevel>warn</LogLevel></SharedMemory>"
                    : "";
        }

        /**
         * The library accepts a priority for only one receive thread, so that this one has to serve
         * all sockets.
         */
        private static String threads(final DdsParameters parameters) {
            return parameters.receivePriority() == 0
                    ? ""
                    : "<Internal><MultipleReceiveThreads>false</MultipleReceiveThreads></Internal>"
                            + "<Threads><Thread name=\"recv\"><Scheduling><Class>realtime</Class><Priority>"
                            + parameters.receivePriority()
                            + "</Priority></Scheduling></Thread></Threads>";
        }
    }
}

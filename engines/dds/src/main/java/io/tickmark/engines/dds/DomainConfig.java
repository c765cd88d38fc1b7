package io.tickmark.engines.dds;

/** A domain's configuration in Cyclone's XML, generated from a checked channel. */
final class DomainConfig {
    /** Participants of one host find each other by trying the ports of this many. */
    private static final int MOST_PARTICIPANTS = 99;

    private static final int FIRST_PORT = 7400;
    private static final int PORTS_OF_DOMAIN = 250;
    private static final int MAX_PORT = 65_535;

    private DomainConfig() {}

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
     * The library accepts a priority for only one receive thread, so that this one has to serve all
     * sockets.
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

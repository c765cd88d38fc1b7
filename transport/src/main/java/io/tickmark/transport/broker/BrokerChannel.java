package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A checked channel to a broker: the address of one server, or of several, separated by commas.
 * Without an address, with port 0 or with {@code start}, the binding side starts its own servers.
 *
 * @param <P> the settings record of the engine's channels
 * @param uri as the user wrote it, or with the servers' ports filled in
 * @param addresses of the servers, at least one
 * @param parameters that it carries
 * @param facts that its ends report besides their own
 */
public record BrokerChannel<P extends Record>(
        ChannelUri uri, List<HostPort> addresses, P parameters, Map<String, Object> facts) {
    /** Parameter that makes the binding side start servers at a given address. */
    private static final String START = "start";

    /**
     * A channel whose ends report only their own facts.
     *
     * @param uri as the user wrote it
     * @param addresses of the servers
     * @param parameters that it carries
     */
    public BrokerChannel(final ChannelUri uri, final List<HostPort> addresses, final P parameters) {
        this(uri, addresses, parameters, Map.of());
    }

    static <P extends Record> BrokerChannel<P> of(
            final ChannelUri uri, final Class<P> type, final int defaultPort, final String noun) {
        final P parameters = uri.read(type);
        final List<HostPort> addresses =
                Stream.of(uri.authority().split(",", -1))
                        .map(text -> HostPort.of(uri, withPort(text, defaultPort)))
                        .toList();
        final BrokerChannel<P> channel = new BrokerChannel<>(uri, addresses, parameters);
        if (addresses.size() > 1 && addresses.stream().anyMatch(each -> each.port() == 0)) {
            throw channel.wrong("names several %ss, so each needs its port".formatted(noun));
        }
        return channel;
    }

    /** A host alone means a server at the usual port, an empty authority a server that we start. */
    private static String withPort(final String text, final int defaultPort) {
        final boolean hasPort = text.substring(text.lastIndexOf(']') + 1).indexOf(':') >= 0;
        return text.isEmpty() ? ":0" : hasPort ? text : text + ":" + defaultPort;
    }

    /**
     * The channel as written cannot be valid, whatever the server has.
     *
     * @param what a clause without its full stop
     * @return a usage error that names the channel
     */
    public UserError wrong(final String what) {
        return UserError.usage("--channel " + uri + ": " + what + ".");
    }

    /**
     * The channel cannot be used on this machine at present, or not with what its server has: a
     * stream, queue or topic that is there with other settings.
     *
     * @param what a clause without its full stop
     * @param cause or null
     * @return an environment error that names the channel
     */
    public UserError failed(final String what, final Throwable cause) {
        return UserError.environment("--channel " + uri + ": " + what + ".", cause);
    }

    /**
     * No server answers at its address: because nobody listens there, or something else does, or
     * because the one that was started has ended.
     *
     * @param server what would, such as {@code NATS server}
     * @param reason a part of a sentence, from the client's library; may be empty
     * @param cause of it; may be null
     * @return an environment error that says what to do
     */
    public UserError unanswered(final String server, final String reason, final Throwable cause) {
        final String said = reason.isEmpty() ? "" : " (" + reason + ")";
        if (startsServers()) {
            final String ended = String.join(" ", BrokerServers.ended(addresses));
            return failed(
                    ended.isEmpty()
                            ? "the %s that tickmark started does not answer%s; the role that started it reports whether it ended"
                                    .formatted(server, said)
                            : "no %s answers there%s: %s"
                                    .formatted(
                                            server,
                                            said,
                                            ended.replaceFirst("^The ", "the ")
                                                    .replaceFirst("\\.$", "")),
                    cause);
        }
        return failed(
                addresses.stream().anyMatch(BrokerServers::isListenedAt)
                        ? ("no %s answers there: what listens does not speak its protocol, or stands still; give the address of"
                                        + " one, or let it be started with ?start at a free port%s")
                                .formatted(server, said)
                        : "no %s answers there%s; start one, or let it be started with ?start"
                                .formatted(server, said),
                cause);
    }

    /**
     * Refuses a prefix that cannot be the first part of a name.
     *
     * @param prefix value of {@code ?prefix}
     * @param longest most characters
     * @throws UserError of kind usage
     */
    public void requireName(final String prefix, final int longest) {
        if (!prefix.matches("[A-Za-z0-9._-]{1,%d}".formatted(longest))) {
            throw wrong(
                    "?prefix=%s is not a name; use up to %d letters, digits, dots, dashes and underscores"
                            .formatted(prefix, longest));
        }
    }

    /**
     * Refuses several addresses where an engine has only one server.
     *
     * @throws UserError of kind usage
     */
    public void requireOneServer() {
        if (addresses.size() > 1) {
            throw wrong(
                    "names several servers, and only one is connected to; give its address alone");
        }
    }

    /**
     * Whether the binding side starts the servers.
     *
     * @return false where they are given
     */
    public boolean startsServers() {
        return Boolean.parseBoolean(uri.parameters().get(START)) || address().port() == 0;
    }

    /**
     * The first address.
     *
     * @return host and port
     */
    public HostPort address() {
        return addresses.getFirst();
    }

    /**
     * All addresses, as clients expect them.
     *
     * @return {@code host:port,host:port}
     */
    public String authority() {
        return addresses.stream().map(HostPort::authority).collect(Collectors.joining(","));
    }

    /** The same channel, of which more is reported. */
    BrokerChannel<P> reporting(final Map<String, Object> more) {
        final Map<String, Object> all = new TreeMap<>(facts);
        all.putAll(more);
        return new BrokerChannel<>(uri, addresses, parameters, all);
    }

    /** The same channel for servers that we start, on any ports. */
    BrokerChannel<P> anywhere() {
        return new BrokerChannel<>(uri, List.of(address().withPort(0)), parameters, facts);
    }

    /** The same channel at the servers that were started for it. */
    BrokerChannel<P> at(final List<HostPort> started) {
        final String authority =
                started.stream().map(HostPort::authority).collect(Collectors.joining(","));
        return new BrokerChannel<>(
                uri.withAuthority(authority).with(START, "true"), started, parameters, facts);
    }
}

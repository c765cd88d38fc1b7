package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A checked channel to NATS or JetStream: one address, or those of the members of a cluster with
 * commas between.
 *
 * @param uri as the user wrote it, or resolved
 * @param addresses of the servers, at least one
 * @param parameters that it carries
 */
record NatsChannel(ChannelUri uri, List<HostPort> addresses, JetStreamParameters parameters) {
    private static final int DEFAULT_PORT = 4222;
    private static final String TOKENS = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

    /** Header of a stored message, which the server counts with its payload. */
    private static final int HEADER_BYTES = 1024;

    static NatsChannel of(final ChannelUri uri) {
        if (uri.scheme().equals(NatsTransport.SCHEME)) {
            uri.read(NatsParameters.class); // knows none of a store's
        }
        final JetStreamParameters parameters = uri.read(JetStreamParameters.class);
        if (!parameters.client().subject().matches(TOKENS)) {
            throw wrong(
                    uri,
                    "?subject=%s is no subject; use letters, digits, dashes, underscores and single dots between"
                            .formatted(parameters.client().subject()));
        }
        if (parameters.members() > 0 && parameters.members() < parameters.replicas()) {
            throw wrong(
                    uri,
                    "?replicas=%d needs as many servers, and ?members=%d are fewer"
                            .formatted(parameters.replicas(), parameters.members()));
        }
        final List<HostPort> addresses =
                Stream.of(uri.authority().split(",", -1))
                        .map(text -> HostPort.of(uri, withPort(text)))
                        .toList();
        if (addresses.size() > 1 && addresses.stream().anyMatch(each -> each.port() == 0)) {
            throw wrong(uri, "names several servers, so each needs its port");
        }
        return new NatsChannel(uri, addresses, parameters);
    }

    /** A host alone is a server at the usual port, nothing at all one of our own. */
    private static String withPort(final String text) {
        final boolean hasPort = text.substring(text.lastIndexOf(']') + 1).indexOf(':') >= 0;
        return text.isEmpty() ? ":0" : hasPort ? text : text + ":" + DEFAULT_PORT;
    }

    static UserError wrong(final ChannelUri uri, final String what) {
        return UserError.usage("--channel " + uri + ": " + what + ".");
    }

    UserError failed(final String what, final Throwable cause) {
        return UserError.environment("--channel " + uri + ": " + what + ".", cause);
    }

    /** What every channel to a server carries. */
    NatsParameters client() {
        return parameters.client();
    }

    /** Whether the binding side starts the server. */
    boolean starts() {
        return client().start() || addresses.getFirst().port() == 0;
    }

    HostPort address() {
        return addresses.getFirst();
    }

    /** Servers of a cluster that we start. */
    int members() {
        return parameters.members() > 0 ? parameters.members() : parameters.replicas();
    }

    /** The largest payload a server has to take for it. */
    int serverPayloadBytes() {
        return client().maxPayloadBytes() + HEADER_BYTES;
    }

    /** The same channel at the servers that were started for it. */
    NatsChannel startedAt(final List<HostPort> started) {
        final String authority =
                started.stream().map(HostPort::authority).collect(Collectors.joining(","));
        return new NatsChannel(
                uri.withAuthority(authority).with("start", "true"), started, parameters);
    }

    /** The same servers of our own, wherever there is a port. */
    NatsChannel anywhere() {
        return new NatsChannel(uri, List.of(addresses.getFirst().withPort(0)), parameters);
    }

    String[] urls() {
        return addresses.stream().map(each -> "nats://" + each.authority()).toArray(String[]::new);
    }

    String subject(final Topic topic) {
        return client().subject() + "." + checked(topic);
    }

    String replySubject(final Topic topic) {
        return client().subject() + ".reply." + checked(topic);
    }

    String storedSubject(final Topic topic) {
        return client().subject() + ".stored." + checked(topic);
    }

    /** Dots cannot stand in the name of a stream, nor can a tilde in a subject of ours. */
    String stream(final Topic topic) {
        return streamPrefix() + checked(topic).replace('.', '~');
    }

    String streamPrefix() {
        return client().subject().replace('.', '~') + "~";
    }

    private String checked(final Topic topic) {
        if (!topic.name().matches(TOKENS)) {
            throw UserError.usage(
                    "--topics: '%s' cannot be a subject of NATS; use single dots, and none at its ends."
                            .formatted(topic.name()));
        }
        return topic.name();
    }

    /**
     * A store at a server of somebody else, under a subject that nobody else has: what begins with
     * the one that the user gave may be theirs.
     */
    NatsChannel apart(final String own) {
        final boolean isGiven = uri.parameters().containsKey("subject");
        return of(uri.with("subject", isGiven ? client().subject() + "." + own : own));
    }

    /** What waits is on the server's disk: nothing is lost, nothing pushes back. */
    TransportTraits storedTraits() {
        return new TransportTraits(
                true, true, false, false, true, false, true, client().maxPayloadBytes());
    }

    /** A slow subscriber's messages are dropped, by its client or by the server. */
    TransportTraits traits() {
        return new TransportTraits(
                false, true, false, false, true, false, true, client().maxPayloadBytes());
    }
}

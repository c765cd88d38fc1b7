package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A checked Kafka channel: one address, or those of several brokers with commas between.
 *
 * @param uri as the user wrote it, or resolved
 * @param addresses of the brokers, at least one
 * @param parameters that it carries
 */
record KafkaChannel(ChannelUri uri, List<HostPort> addresses, KafkaParameters parameters) {
    private static final int DEFAULT_PORT = 9092;
    private static final String NAME = "[A-Za-z0-9._-]{1,200}";

    static KafkaChannel of(final ChannelUri uri) {
        final KafkaParameters parameters = uri.read(KafkaParameters.class);
        if (!parameters.prefix().matches(NAME)) {
            throw wrong(
                    uri,
                    "?prefix=%s is no name of a topic; use letters, digits, dots, dashes and underscores"
                            .formatted(parameters.prefix()));
        }
        if (parameters.acks() != Acks.ALL
                && parameters.idempotence()
                && uri.parameters().containsKey("idempotence")) {
            throw wrong(uri, "?idempotence needs acks=all; leave one of the two out");
        }
        final List<HostPort> addresses =
                Stream.of(uri.authority().split(",", -1))
                        .map(text -> HostPort.of(uri, withPort(text)))
                        .toList();
        if (addresses.size() > 1 && addresses.stream().anyMatch(each -> each.port() == 0)) {
            throw wrong(uri, "names several brokers, so each needs its port");
        }
        return new KafkaChannel(uri, addresses, parameters);
    }

    /** A host alone is a broker at the usual port, nothing at all one of our own. */
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

    /** Whether the binding side starts the broker. */
    boolean starts() {
        return parameters.start() || addresses.getFirst().port() == 0;
    }

    HostPort address() {
        return addresses.getFirst();
    }

    /** How many brokers have to have a message when all in sync acknowledge it. */
    int quorum() {
        return parameters.members() / 2 + 1;
    }

    /**
     * Kafka's producer sends batches again without storing them twice only where all acknowledge.
     */
    boolean isIdempotent() {
        return parameters.idempotence() && parameters.acks() == Acks.ALL;
    }

    /**
     * A store at brokers of somebody else, under a prefix that nobody else has: what begins with
     * the one that the user gave may be theirs.
     */
    KafkaChannel apart(final String own) {
        final boolean isGiven = uri.parameters().containsKey("prefix");
        return of(uri.with("prefix", isGiven ? parameters.prefix() + "." + own : own));
    }

    /** The same channel at the brokers that were started for it. */
    KafkaChannel startedAt(final List<HostPort> started) {
        final String authority =
                started.stream().map(HostPort::authority).collect(Collectors.joining(","));
        return new KafkaChannel(
                uri.withAuthority(authority).with("start", "true"), started, parameters);
    }

    String bootstrap() {
        return addresses.stream().map(HostPort::authority).collect(Collectors.joining(","));
    }

    String topic(final Topic topic) {
        return parameters.prefix() + "." + topic.name();
    }

    String replyTopic(final Topic topic) {
        return topic(topic) + ".reply";
    }

    String storedTopic(final Topic topic) {
        return topic(topic) + ".stored";
    }

    /** A slow subscriber is waited for by the broker's disk, so nothing pushes back. */
    TransportTraits traits() {
        return new TransportTraits(
                parameters.acks() == Acks.ALL,
                true,
                false,
                false,
                true,
                false,
                true,
                parameters.maxPayloadBytes());
    }
}

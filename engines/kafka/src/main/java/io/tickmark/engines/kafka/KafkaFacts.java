package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.Guarantees;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A channel's settings in Kafka's terms and in those common to all stores. */
final class KafkaFacts {
    private KafkaFacts() {}

    static Map<String, Object> of(final BrokerChannel<KafkaParameters> channel) {
        final KafkaParameters parameters = channel.parameters();
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("acks", parameters.acks().word());
        facts.put("idempotence", parameters.isIdempotent());
        facts.put("lingerMs", parameters.linger().toMillis());
        facts.put("batchBytes", parameters.batchBytes());
        facts.put("compressionType", compression(parameters));
        facts.put("flushMessages", parameters.flushMessages());
        facts.put("brokerStartedHere", channel.startsServers());
        facts.put(
                "client",
                "kafka-clients " + org.apache.kafka.common.utils.AppInfoParser.getVersion());
        return facts;
    }

    /** The facts of a stored topic. */
    static Map<String, Object> stored(final BrokerChannel<KafkaParameters> channel) {
        final Map<String, Object> facts = of(channel);
        facts.putAll(guarantees(channel.parameters()).facts());
        return facts;
    }

    static Guarantees guarantees(final KafkaParameters parameters) {
        final int quorum = parameters.acks() == KafkaParameters.Acks.ALL ? parameters.quorum() : 1;
        return new Guarantees(
                durability(parameters),
                parameters.members(),
                quorum,
                switch (parameters.acks()) {
                    case NONE -> "no broker: it is in the socket";
                    case LEADER -> "the leader has written it";
                    case ALL ->
                            parameters.members() == 1
                                    ? "the broker has written it"
                                    : "all in sync have written it, at least %d of %d"
                                            .formatted(quorum, parameters.members());
                },
                synced(parameters),
                "in batches of up to %d B, waiting %d ms to fill"
                        .formatted(parameters.batchBytes(), parameters.linger().toMillis()),
                compression(parameters),
                parameters.deletion());
    }

    private static Durability durability(final KafkaParameters parameters) {
        final boolean synced = parameters.flushMessages() == 1;
        if (parameters.acks() == KafkaParameters.Acks.NONE) {
            return Durability.D0;
        }
        if (parameters.acks() == KafkaParameters.Acks.ALL && parameters.members() > 1) {
            return synced ? Durability.D4 : Durability.D3;
        }
        return synced ? Durability.D2 : Durability.D1;
    }

    private static String synced(final KafkaParameters parameters) {
        return switch (parameters.flushMessages()) {
            case 0 -> "when the system writes its page cache back";
            case 1 -> "each batch before it is acknowledged";
            default -> "after every %d messages".formatted(parameters.flushMessages());
        };
    }

    private static String compression(final KafkaParameters parameters) {
        return parameters.compression().name().toLowerCase(Locale.ROOT);
    }
}

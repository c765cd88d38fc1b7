package io.tickmark.workloads.messaging;

import io.tickmark.transport.Exchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What both ends of an exchange report about themselves. */
public final class EngineFacts {
    private EngineFacts() {}

    /**
     * What the user has to see before the test begins: sizes of socket buffers, how the engine's
     * threads are scheduled, what carries the messages where it differs from what was requested.
     *
     * @param exchange to query
     * @return one line; empty where the engine does not report any of it
     */
    public static Optional<String> line(final Exchange exchange) {
        final Map<String, Object> facts = of(exchange);
        final List<String> parts = new ArrayList<>();
        add(parts, facts, "sendBufferBytes", "socket send buffer %s bytes");
        add(parts, facts, "receiveBufferBytes", "receive buffer %s bytes");
        add(parts, facts, "threadPriorities", "threads: %s");
        add(parts, facts, "carrier", "samples are carried by %s");
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        parts.getFirst().substring(0, 1).toUpperCase(Locale.ROOT)
                                + String.join("; ", parts).substring(1)
                                + ".");
    }

    private static void add(
            final List<String> parts,
            final Map<String, Object> facts,
            final String name,
            final String form) {
        final Object value = facts.get(name);
        if (value != null) {
            parts.add(form.formatted(value));
        }
    }

    /**
     * Facts of several exchanges, one for each topic: settings are the same for all of them, counts
     * are added up.
     *
     * @param exchanges to query, at least one
     * @return facts by name
     */
    public static Map<String, Object> of(final List<Exchange> exchanges) {
        return joined(
                sum(
                        exchanges.stream().map(each -> each.publication().facts()).toList(),
                        exchanges.getFirst().publication()::isCount),
                sum(
                        exchanges.stream().map(each -> each.subscription().facts()).toList(),
                        exchanges.getFirst().subscription()::isCount));
    }

    /**
     * Facts of the ends of several topics.
     *
     * @param ofTopics facts by name, of at least one topic
     * @param isCount whether the fact of a name counts events
     * @return those of the first topic, with the counts of all
     */
    public static Map<String, Object> sum(
            final List<Map<String, Object>> ofTopics, final Predicate<String> isCount) {
        final Map<String, Object> all = new LinkedHashMap<>(ofTopics.getFirst());
        ofTopics.stream()
                .skip(1)
                .flatMap(facts -> facts.entrySet().stream())
                .filter(fact -> fact.getValue() instanceof Number && isCount.test(fact.getKey()))
                .forEach(fact ->
                        all.merge(
                                fact.getKey(),
                                fact.getValue(),
                                (one, other) ->
                                        ((Number) one).longValue() + ((Number) other).longValue()));
        return all;
    }

    /**
     * Facts of an exchange; a fact that is the same for both ends appears once.
     *
     * @param exchange to query
     * @return facts by name, those of the receiving end that differ under {@code receiving.}
     */
    public static Map<String, Object> of(final Exchange exchange) {
        return joined(exchange.publication().facts(), exchange.subscription().facts());
    }

    private static Map<String, Object> joined(
            final Map<String, Object> sending, final Map<String, Object> receiving) {
        final Map<String, Object> facts = new LinkedHashMap<>(sending);
        receiving.forEach((name, value) -> {
            if (!value.equals(facts.putIfAbsent(name, value)) && !value.equals(facts.get(name))) {
                facts.put("receiving." + name, value);
            }
        });
        return facts;
    }
}

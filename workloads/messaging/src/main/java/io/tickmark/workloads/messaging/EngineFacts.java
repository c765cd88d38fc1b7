package io.tickmark.workloads.messaging;

import io.tickmark.transport.Exchange;
import java.util.LinkedHashMap;
import java.util.Map;

/** What both ends of an exchange say about themselves. */
public final class EngineFacts {
    private EngineFacts() {}

    /**
     * Facts of an exchange; where both ends say the same it stands once.
     *
     * @param exchange to ask
     * @return facts by name, those of the receiving end that differ under {@code receiving.}
     */
    public static Map<String, Object> of(final Exchange exchange) {
        final Map<String, Object> facts = new LinkedHashMap<>(exchange.publication().facts());
        exchange.subscription()
                .facts()
                .forEach((name, value) -> {
                    if (!value.equals(facts.putIfAbsent(name, value))
                            && !value.equals(facts.get(name))) {
                        facts.put("receiving." + name, value);
                    }
                });
        return facts;
    }
}

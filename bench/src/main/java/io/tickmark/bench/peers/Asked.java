package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The rates that were asked for, which a paced rate is compared with.
 *
 * @param ratesPerSecond each a figure by its own name
 */
record Asked(List<Integer> ratesPerSecond) implements Contestant {
    @Override
    public String name() {
        return "the rate asked for";
    }

    @Override
    public Map<String, Double> measure() {
        return ratesPerSecond.stream()
                .collect(Collectors.toMap(rate -> Integer.toString(rate), Integer::doubleValue));
    }
}

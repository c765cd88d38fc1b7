package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import java.util.Map;

/**
 * The highest update rate that a load holds with nothing lost: doubled until it fails, then halved.
 *
 * @param frontDoor to run it
 * @param name of the contestant
 * @param load whose rate is the first one tried
 */
record MarketRates(FrontDoor frontDoor, String name, MarketLoad load) implements Contestant {
    private static final int HALVINGS = 3;
    private static final int MOST_DOUBLINGS = 7;

    @Override
    public Map<String, Double> measure() {
        Map<String, Double> best = Map.of();
        int held = 0;
        int failed = 0;
        int next = load.updatesPerSecond();
        String why = "";
        for (int halvings = 0, doublings = 0; halvings < HALVINGS && doublings < MOST_DOUBLINGS; ) {
            try {
                best = new MarketRun(frontDoor, name, load.at(next)).measure();
                held = next;
            } catch (final NotMeasured e) {
                why = e.getMessage();
                failed = next;
            }
            halvings += failed > 0 ? 1 : 0;
            doublings += failed > 0 ? 0 : 1;
            next = failed > 0 ? (held + failed) / 2 : 2 * next;
        }
        if (best.isEmpty()) {
            throw new NotMeasured(
                    "%s holds not even %d updates/s: %s".formatted(name, failed, why));
        }
        return best;
    }
}

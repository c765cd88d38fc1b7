package io.tickmark.bench.peers;

import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.util.Map;

/**
 * The parameters of a market-data run.
 *
 * @param items requested
 * @param updatesPerSecond sent
 * @param requestsPerSecond of the consumer
 * @param seconds of the steady state
 * @param api that provider and consumer run on, {@code eta} or {@code ema}
 * @param throughHub whether the hub stands between the two
 * @param encodedOnce whether updates are encoded once ({@code preEnc}) and copied, each with its
 *     own times
 */
record MarketLoad(
        int items,
        int updatesPerSecond,
        int requestsPerSecond,
        int seconds,
        String api,
        boolean throughHub,
        boolean encodedOnce) {
    private static final int REQUESTS_PER_SECOND = 35_000;

    /** Direct, on the Transport API, requested as usual. */
    static MarketLoad direct(final int items, final int updatesPerSecond, final int seconds) {
        return new MarketLoad(
                items, updatesPerSecond, REQUESTS_PER_SECOND, seconds, "eta", false, false);
    }

    MarketLoad throughHub(final boolean wanted) {
        return new MarketLoad(
                items, updatesPerSecond, requestsPerSecond, seconds, api, wanted, encodedOnce);
    }

    MarketLoad requested(final int perSecond) {
        return new MarketLoad(
                items, updatesPerSecond, perSecond, seconds, api, throughHub, encodedOnce);
    }

    MarketLoad on(final String otherApi) {
        return new MarketLoad(
                items,
                updatesPerSecond,
                requestsPerSecond,
                seconds,
                otherApi,
                throughHub,
                encodedOnce);
    }

    MarketLoad at(final int otherUpdatesPerSecond) {
        return new MarketLoad(
                items,
                otherUpdatesPerSecond,
                requestsPerSecond,
                seconds,
                api,
                throughHub,
                encodedOnce);
    }

    MarketLoad encodedOnce(final boolean wanted) {
        return new MarketLoad(
                items, updatesPerSecond, requestsPerSecond, seconds, api, throughHub, wanted);
    }

    TestPlan test() {
        final TestPlan.Builder test =
                TestPlan.builder("market-load", "market")
                        .setting("api", api)
                        // on either library without hand-over between threads
                        .setting("useUserDispatch", 1)
                        .setting("itemCount", items)
                        .setting("requestRate", requestsPerSecond)
                        .setting("updateRate", updatesPerSecond)
                        .setting("latencyUpdateRate", "all")
                        .setting("preEnc", encodedOnce)
                        .setting("steadyStateTime", seconds + "s")
                        // what piles up while cold JVMs fetch the images is no steady state
                        .setting("delaySteadyStateCalc", "3s")
                        .role(
                                RolePlan.of(
                                        "market-provider",
                                        Map.of("port", 0, "endWithConsumers", true)));
        if (throughHub) {
            test.role(
                    RolePlan.of(
                            "market-hub",
                            Map.of("port", 0, "publisherPort", -1, "endWithConsumers", true)));
        }
        return test.role(RolePlan.of("market-consumer", Map.of())).build();
    }
}

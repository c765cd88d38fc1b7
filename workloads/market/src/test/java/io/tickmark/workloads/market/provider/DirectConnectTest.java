package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Our provider and our consumer, connected directly. */
class DirectConnectTest {
    private static final long ALONE_NS = 4_000_000_000L;
    private static final Map<String, Object> PROVIDER =
            Map.of("port", 0, "endWithConsumers", true, "updateRate", 5000);
    private static final Map<String, Object> CONSUMER =
            Map.of("itemCount", 500, "steadyStateTime", "5s");

    static Map<String, Object> with(
            final Map<String, Object> settings, final Object... keysAndValues) {
        final Map<String, Object> changed = new HashMap<>(settings);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            changed.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return changed;
    }

    private static RoleResult[] start(
            final Map<String, Object> provider, final Map<String, Object> consumer)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(new MarketProvider.Factory(), provider);
            final RunningRoles.StartedRole consuming =
                    roles.start(new MarketConsumer.Factory(), consumer);
            return new RoleResult[] {providing.result(), consuming.result()};
        }
    }

    /** Until so many updates have come in the steady state, however long that takes. */
    private static RoleResult[] startUntil(
            final long updates,
            final Map<String, Object> provider,
            final Map<String, Object> consumer)
            throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(new MarketProvider.Factory(), provider);
            final RoleResult consumed =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    with(consumer, "steadyStateTime", RunningRoles.STEADY_STATE))
                            .resultAfter(updates);
            return new RoleResult[] {providing.result(), consumed};
        }
    }

    @Test
    void shouldGetEveryImageAndThenEveryUpdateInSteadyState() throws Exception {
        final RoleResult[] results =
                startUntil(2500, with(PROVIDER, "latencyUpdateRate", "all"), CONSUMER);
        final RoleResult provider = results[0];
        final RoleResult consumer = results[1];
        assertThat(consumer.failure()).isEmpty();
        assertThat(provider.failure()).isEmpty();
        // how fast it is depends on this machine
        assertThat(consumer.warnings()).allMatch(each -> each.startsWith("Latencies "));
        assertThat(consumer.metrics())
                .containsEntry("images", 500L)
                .containsKey("loginRoundTripNs");
        assertThat(consumer.steps())
                .extracting(StepResult::label)
                .containsExactly("startup", "steady state");
        final StepResult steady = consumer.steps().get(1);
        assertThat(steady.counts())
                .containsEntry(Counts.LOST, 0L)
                .containsEntry(Counts.DUPLICATED, 0L);
        final long updates = steady.counts().get("updates");
        assertThat(updates).isGreaterThan(2000);
        assertThat(steady.latencies().get("serviceNs").getTotalCount()).isEqualTo(updates);
        assertThat(steady.latencies().get("responseNs").getTotalCount()).isEqualTo(updates);
        assertThat(provider.metrics())
                .containsEntry("requests", 500L)
                .containsEntry("images", 500L);
    }

    /** With the default of ten it would look a tenth as often. */
    @Test
    void shouldLookAtTheClockBetweenImagesAsOftenAsTheBurstSizeSays() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            with(PROVIDER, "updateRate", 0, "refreshBurstSize", 1));
            final RoleResult consumer =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    with(
                                            CONSUMER,
                                            "itemCount",
                                            20_000,
                                            "requestRate",
                                            1_000_000,
                                            "steadyStateTime",
                                            "20s",
                                            "snapshot",
                                            true))
                            .result();
            assertThat(consumer.metrics()).containsEntry("images", 20_000L);
            assertThat(providing.result().metrics()).containsEntry("images", 20_000L);
            assertThat(providing.context().looksAtClock()).isGreaterThan(20_000);
        }
    }

    @Test
    void shouldGetPostsAndGenericMessagesBackWithTheirLatencies() throws Exception {
        final RoleResult[] results =
                start(
                        with(PROVIDER, "genericMsgRate", 1000, "genericMsgLatencyRate", "all"),
                        with(
                                CONSUMER,
                                "postingRate",
                                1000,
                                "postingLatencyRate",
                                "all",
                                "genericMsgRate",
                                1000,
                                "genericMsgLatencyRate",
                                100));
        final StepResult steady = results[1].steps().get(1);
        assertThat(results[1].failure()).isEmpty();
        final long posts = steady.counts().get("posts");
        assertThat(posts).isGreaterThan(300);
        assertThat(steady.counts())
                .containsEntry("postsBack", posts)
                .containsEntry(Counts.LOST, 0L);
        assertThat(steady.latencies().get("postServiceNs").getTotalCount()).isEqualTo(posts);
        assertThat(steady.latencies().get("postResponseNs").getTotalCount()).isEqualTo(posts);
        assertThat(steady.latencies().get("genericServiceNs").getTotalCount()).isPositive();
        assertThat(results[0].metrics()).containsEntry("postsReflected", posts);
        assertThat(results[0].steps().get(1).latencies()).containsKey("genericAtProviderServiceNs");
    }

    @Test
    void shouldCountWhatItSendsWhileItRuns() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(), with(PROVIDER, "genericMsgRate", 1000));
            final RoleResult consumer =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    with(
                                            CONSUMER,
                                            "postingRate",
                                            1000,
                                            "genericMsgRate",
                                            1000,
                                            "steadyStateTime",
                                            RunningRoles.STEADY_STATE))
                            .resultAfter(1);
            assertThat(consumer.failure()).isEmpty();
            final Map<String, Object> metrics = providing.result().metrics();
            final Recording counted = providing.context().recording();
            Map.of(
                            "imagesSent", "images",
                            "updatesSent", "updates",
                            "postsReceived", "posts",
                            "genericMessagesSent", "genericMessagesSent",
                            "genericMessagesReceived", "genericMessages")
                    .forEach((counter, metric) ->
                            assertThat(metrics)
                                    .as(counter)
                                    .containsEntry(metric, counted.counter(counter).get()));
            assertThat(counted.counter("updatesSent").get()).isPositive();
        }
    }

    @Test
    void shouldDivideItemsAmongThreadsAndRequestCommonOnesOnEach() throws Exception {
        final RoleResult[] results =
                startUntil(
                        1,
                        with(PROVIDER, "threads", "-1,-1"),
                        with(CONSUMER, "threads", "-1,-1,-1", "commonItemCount", 50));
        assertThat(results[1].failure()).isEmpty();
        assertThat(results[1].metrics())
                .containsEntry("connections", 3)
                .containsEntry("images", 450L + 3 * 50);
        assertThat(results[0].metrics()).containsEntry("connections", 3L);
        assertThat(results[1].steps().get(1).counts()).containsEntry(Counts.LOST, 0L);
    }

    /** A steady state in which nothing was to come would make the run void. */
    @Test
    void shouldReportTheStartAloneWhereOnlyImagesAreSent() throws Exception {
        final RoleResult[] results = start(with(PROVIDER, "updateRate", 0), CONSUMER);

        for (final RoleResult result : results) {
            assertThat(result.failure()).isEmpty();
            assertThat(result.steps()).hasSize(1);
        }
        assertThat(results[1].metrics()).containsEntry("images", 500L);
        assertThat(results[1].warnings())
                .anyMatch(each -> each.startsWith("No message arrived in"));
    }

    @Test
    void shouldEndASnapshotRunOnceAllImagesAreThere() throws Exception {
        final RoleResult[] results =
                start(PROVIDER, with(CONSUMER, "snapshot", true, "steadyStateTime", "60s"));
        assertThat(results[1].failure()).isEmpty();
        assertThat(results[1].metrics()).containsEntry("images", 500L).containsEntry("updates", 0L);
        assertThat(results[1].steps()).hasSize(1);
        assertThat(results[0].steps()).hasSize(1);
    }

    @Test
    void shouldPrimeTheJvmBeforeAnythingCounts() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole providing =
                    roles.start(new MarketProvider.Factory(), PROVIDER);
            final RunningRoles.StartedRole consuming =
                    roles.start(
                            new MarketConsumer.Factory(),
                            with(
                                    CONSUMER,
                                    "primeJvm",
                                    true,
                                    "measureDecode",
                                    true,
                                    "steadyStateTime",
                                    RunningRoles.STEADY_STATE));
            final RoleResult consumer = consuming.resultAfter(1);
            assertThat(consumer.failure()).isEmpty();
            assertThat(consumer.metrics()).containsEntry("images", 500L);
            assertThat(providing.result().metrics()).containsEntry("images", 1000L);
            assertThat(consuming.context().lines())
                    .contains("  Requests sent: 500", "  Refreshes received: 500");
            final StepResult startup = consumer.steps().getFirst();
            assertThat(startup.latencies().get("decodeNs").getTotalCount())
                    .isEqualTo(startup.counts().get(Counts.RECEIVED));
        }
    }

    /** By hand it waits for the next consumer: none is served in that time. */
    @Test
    void shouldDivideByTheTimeInWhichAConsumerWasThere() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final long beganNs = System.nanoTime();
            final RunningRoles.StartedRole providing =
                    roles.start(
                            new MarketProvider.Factory(),
                            with(PROVIDER, "endWithConsumers", false, "runTime", "120s"));
            roles.start(new MarketConsumer.Factory(), CONSUMER).result();
            Thread.sleep(ALONE_NS / 1_000_000);
            final long untilNs = System.nanoTime();
            providing.context().stop();
            final StepResult steady = providing.result().steps().get(1);
            assertThat(steady.offeredRatePerSecond()).isBetween(3500.0, 6500.0);
            assertThat(steady.durationNs()).isLessThan(untilNs - beganNs - ALONE_NS / 2);
        }
    }

    @Test
    void shouldSendPreEncodedUpdatesThatCountAndTimeTheSame() throws Exception {
        final RoleResult[] results =
                startUntil(
                        2500,
                        with(PROVIDER, "preEnc", true, "measureEncode", true, "nanoTime", true),
                        with(CONSUMER, "measureDecode", true, "delaySteadyStateCalc", "400ms"));
        final long startupNs = results[1].steps().getFirst().durationNs();
        assertThat(startupNs - (Long) results[1].metrics().get("imageRetrievalNs"))
                .isGreaterThanOrEqualTo(400_000_000L);
        final StepResult steady = results[1].steps().get(1);
        assertThat(results[1].warnings()).allMatch(each -> each.startsWith("Latencies "));
        assertThat(steady.counts()).containsEntry(Counts.LOST, 0L);
        assertThat(steady.latencies().get("decodeNs").getTotalCount()).isGreaterThan(2000);
        assertThat(results[0].steps().get(1).latencies()).containsKey("encodeNs");
        assertThat(steady.latencies().get("serviceNs").getMinValue()).isPositive();
    }

    @Test
    void shouldSayWhichServicesThereAreWhenItsOwnNeverComes() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            roles.start(new MarketProvider.Factory(), with(PROVIDER, "serviceName", "OTHER"));
            final RoleResult consumer =
                    roles.start(
                                    new MarketConsumer.Factory(),
                                    with(CONSUMER, "reconnectDelay", "50ms"))
                            .result();
            assertThat(consumer.failure())
                    .contains("Cannot connect", "no service DIRECT_FEED", "OTHER");
        }
    }

    @Test
    void shouldEndWithASentenceWhenTheProviderGoesInSteadyState() throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(new MarketProvider.Factory(), PROVIDER);
            final RunningRoles.StartedRole consumer =
                    roles.start(
                            new MarketConsumer.Factory(), with(CONSUMER, "steadyStateTime", "60s"));
            consumer.awaitStep(1);
            provider.context().stop();
            assertThat(consumer.result().failure()).contains("was lost while");
            assertThat(consumer.result().steps()).isNotEmpty();
        }
    }
}

package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.dataformat.yaml.YAMLMapper;

class TrialMergeTest {
    private final TrialMerge merge = new TrialMerge();

    private static TrialFacts facts(final Map<String, Object> criteria, final String... voids) {
        return facts(criteria, null, voids);
    }

    private static TrialFacts facts(
            final Map<String, Object> criteria, final NoiseSummary noise, final String... voids) {
        return new TrialFacts(
                "t",
                "latency",
                "udp:",
                1,
                2,
                2,
                noise,
                null,
                Settings.read(Criteria.class, criteria, key -> key),
                false,
                List.of(voids),
                List.of(),
                List.of());
    }

    private static StepResult sent(
            final int step, final long count, final double offered, final double achieved) {
        return new StepResult(
                step,
                "",
                64,
                Map.of(Counts.SENT, count, Counts.MAX_TIGHT_SENDS, 3L),
                1_000,
                offered,
                achieved,
                Map.of(),
                List.of());
    }

    private static StepResult received(final int step, final long count) {
        return new StepResult(
                step,
                "",
                64,
                Map.of(Counts.RECEIVED, count, Counts.DUPLICATED, 2L),
                2_000,
                0,
                0,
                Map.of(),
                List.of());
    }

    private static StepResult latency(final String name, final long... values) {
        final Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (final long value : values) {
            histogram.recordValueWithCount(value, 10_000); // fewer have no 99.9th percentile
        }
        return new StepResult(
                0,
                "",
                64,
                Map.of(Counts.SENT, (long) values.length),
                1,
                0,
                1,
                Map.of(name, histogram),
                List.of());
    }

    private static StepResult notTimed(final String name, final long count) {
        return new StepResult(0, "", 64, Map.of(name, count), 0, 0, 0, Map.of(), List.of());
    }

    private TrialResult row(final TrialFacts facts) {
        final List<TrialResult> rows = merge.rows(facts);
        assertThat(rows).hasSize(1);
        return rows.getFirst();
    }

    @Test
    void shouldMultiplyWhatIsExpectedByTheSubscribers() {
        merge.add("pub-1", sent(0, 100, 0, 50));
        merge.add("sub-1", received(0, 100));
        merge.add("sub-2", received(0, 97));

        final TrialResult row = row(facts(Map.of("maxDuplicated", 4)));

        assertThat(row.subscribers()).isEqualTo(2);
        assertThat(row.expected()).isEqualTo(200);
        assertThat(row.received()).isEqualTo(197);
        assertThat(row.lost()).isEqualTo(3);
        assertThat(row.duplicated()).isEqualTo(4);
        assertThat(row.maxTightSends()).isEqualTo(3);
        assertThat(row.durationNs()).isEqualTo(1_000);
        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(row.reasons())
                .containsExactly(
                        "Lost 3 of 200 messages expected (1.500 %); at most 0.000 % may be lost.");
        assertThat(row.labels()).containsExactly(Labels.AS_FAST_AS_POSSIBLE);
    }

    /** It said how long a queue had grown at a server that was dead. */
    @Test
    void shouldNotCallATrialSaturatedWhoseServerHadEnded() {
        merge.add("pub-1", sent(0, 100, 1_000, 118));
        merge.add("sub-1", received(0, 100));
        final TrialFacts usual = facts(Map.of("maxDuplicated", 2));
        assertThat(row(usual).labels()).contains(Labels.SATURATED);
        assertThat(row(usual).verdict()).isEqualTo(Verdict.FAIL);

        final TrialResult row =
                row(
                        new TrialFacts(
                                usual.test(),
                                usual.workload(),
                                usual.channel(),
                                1,
                                2,
                                2,
                                null,
                                null,
                                usual.criteria(),
                                false,
                                List.of(),
                                List.of(),
                                List.of(
                                        new RoleSummary(
                                                "latency-pub",
                                                1,
                                                Map.of(RoleSummary.SERVER_GONE, true),
                                                List.of()))));

        assertThat(row.labels()).doesNotContain(Labels.SATURATED);
        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons())
                .containsExactly(
                        "Held 118/s of the 1,000/s asked for, but the server had ended before the test did.");
    }

    /** With an allowance for losses, one of 6,000 failed the build: none of them is a loss. */
    @Test
    void shouldAllowAFewPingsWithoutAnEchoInTheSampleOfAGate() throws IOException {
        final Map<?, ?> plan =
                new YAMLMapper().readValue(new File("../samples/ci/plan.yaml"), Map.class);
        final Map<String, Object> criteria = new HashMap<>();
        ((Map<?, ?>) ((Map<?, ?>) ((List<?>) plan.get("tests")).getFirst()).get("criteria"))
                .forEach((name, value) -> criteria.put((String) name, value));

        merge.add("pub-1", pings(5));
        assertThat(row(facts(criteria)).verdict()).isEqualTo(Verdict.PASS);
        final TrialMerge many = new TrialMerge();
        many.add("pub-1", pings(13));
        assertThat(many.rows(facts(criteria)))
                .singleElement()
                .satisfies(row -> assertThat(row.verdict()).isEqualTo(Verdict.FAIL));
    }

    private static StepResult pings(final long timedOut) {
        return new StepResult(
                0,
                "",
                64,
                Map.of(Counts.SENT, 1_200L, Counts.TIMED_OUT, timedOut),
                6_000_000_000L,
                200,
                200,
                Map.of(),
                List.of());
    }

    @Test
    void shouldNotCallAStreamAsFastAsPossibleThatSleeps() {
        merge.add("pub-1", sent(0, 100, 0, 50));
        final TrialFacts plain = facts(Map.of());
        final TrialFacts sleeping =
                new TrialFacts(
                        plain.test(),
                        plain.workload(),
                        plain.channel(),
                        plain.repeat(),
                        plain.hotThreads(),
                        plain.cores(),
                        null,
                        null,
                        plain.criteria(),
                        plain.isSearched(),
                        List.of(),
                        List.of(),
                        List.of(
                                new TrialResult.RoleSummary(
                                        "pub", 1, Map.of("pace", "sleep"), List.of())));

        assertThat(row(sleeping).labels()).containsExactly(Labels.PACED_BY_SLEEPING);
        assertThat(row(plain).labels()).containsExactly(Labels.AS_FAST_AS_POSSIBLE);
    }

    @Test
    void shouldChargeASubscriberWithTheStepsItDidNotHear() {
        merge.add("pub-1", sent(0, 100, 0, 50));
        merge.add("pub-1", sent(1, 100, 0, 50));
        merge.add("sub-1", received(0, 100));

        final List<TrialResult> rows = merge.rows(facts(Map.of("maxDuplicated", 9)));

        assertThat(rows).extracting(TrialResult::lost).containsExactly(0L, 100L);
        assertThat(rows)
                .extracting(TrialResult::verdict)
                .containsExactly(Verdict.PASS, Verdict.FAIL);
    }

    @Test
    void shouldAddUpPublishersAndTakeTheLargestOfMaxima() {
        merge.add("pub-1", sent(0, 100, 1000, 999));
        merge.add(
                "pub-2",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 50L, Counts.MAX_TIGHT_SENDS, 9L),
                        1,
                        500,
                        499.5,
                        Map.of(),
                        List.of()));
        merge.add("sub-1", received(0, 150));

        final TrialResult row = row(facts(Map.of("maxDuplicated", 2)));

        assertThat(row.sent()).isEqualTo(150);
        assertThat(row.offeredRatePerSecond()).isEqualTo(1500);
        assertThat(row.achievedRatePerSecond()).isEqualTo(1498.5);
        assertThat(row.maxTightSends()).isEqualTo(9);
        assertThat(row.durationNs()).isEqualTo(1_000);
        assertThat(row.verdict()).isEqualTo(Verdict.PASS);
        assertThat(row.labels()).isEmpty();
    }

    /** They were short: the others read too high, and passed. */
    @ParameterizedTest
    @CsvSource({
        "latencyNotPositive, 202, PASS",
        "latencyNotPositive, 203, VOID",
        "latencyOutOfRange, 203, VOID"
    })
    void shouldBeVoidWhereMoreThanOneInAHundredLatenciesIsInNoFigure(
            final String name, final long count, final Verdict verdict) {
        merge.add("sub-1", latency(Latencies.RESPONSE_NS, 20_000, 30_000));
        merge.add("sub-1", notTimed(name, count));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.verdict()).isEqualTo(verdict);
        assertThat(row.notTimed()).isEqualTo(count);
        assertThat(row.reasons()).hasSize(verdict == Verdict.PASS ? 0 : 1);
    }

    /** What was timed of other kinds, and by a capture, hid those that are missing. */
    @ParameterizedTest
    @CsvSource({"100, PASS", "190, VOID"})
    void shouldJudgeWhatIsInNoFigureOfEachLatencyByItself(
            final long missing, final Verdict verdict) {
        merge.add("pub-1", latency(Latencies.SEND_NS, 1_000));
        merge.add("capture-1", latency("wireNs", 5_000));
        merge.add("sub-1", latency(Latencies.RESPONSE_NS, 20_000));
        merge.add(
                "sub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(
                                Counts.NOT_POSITIVE,
                                missing,
                                Counts.of(Latencies.RESPONSE_NS, Counts.NOT_POSITIVE),
                                missing),
                        0,
                        0,
                        0,
                        Map.of(),
                        List.of()));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.verdict()).isEqualTo(verdict);
        assertThat(row.notTimed()).isEqualTo(missing);
        if (verdict == Verdict.VOID) {
            assertThat(row.reasons())
                    .singleElement()
                    .asString()
                    .startsWith("responseNs: 190 of 10,190 latencies (1.865 %) are zero");
        }
    }

    /** They are those that took longest, and nobody counted them. */
    @ParameterizedTest
    @CsvSource({"101, PASS", "102, VOID"})
    void shouldBeVoidWhereMoreThanOneInAHundredServiceTimesIsMissing(
            final long missing, final Verdict verdict) {
        merge.add("pub-1", latency(Latencies.SERVICE_NS, 20_000));
        merge.add("pub-1", notTimed(Counts.SEND_TIME_NOT_KEPT, missing));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.verdict()).isEqualTo(verdict);
        if (verdict == Verdict.VOID) {
            assertThat(row.reasons())
                    .singleElement()
                    .asString()
                    .startsWith("102 of 10,102 service times (1.010 %) are missing");
        }
    }

    @Test
    void shouldBeVoidWhereNoLatencyIsInAFigure() {
        merge.add("sub-1", notTimed(Counts.NOT_POSITIVE, 1));

        assertThat(row(facts(Map.of())).verdict()).isEqualTo(Verdict.VOID);
    }

    @Test
    void shouldFailForALossAlsoWhereLatenciesAreInNoFigure() {
        merge.add("pub-1", sent(0, 100, 0, 50));
        merge.add("sub-1", received(0, 97));
        merge.add("sub-1", notTimed(Counts.NOT_POSITIVE, 97));

        assertThat(row(facts(Map.of("maxDuplicated", 2))).verdict()).isEqualTo(Verdict.FAIL);
    }

    /** It was killed: its publisher by hand had lost nothing that it knew of, and passed. */
    @Test
    void shouldBeVoidWhereNobodySaysWhatASubscriberReceived() {
        merge.add("pub-1", sent(0, 100, 0, 50));
        merge.add("pub-1", notTimed(Counts.NOT_CONFIRMED, 1));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons())
                .containsExactly(
                        "What 1 subscriber received is not known: it did not acknowledge the end.");
    }

    @Test
    void shouldTakeTheWordOfASubscriberWhoseAcknowledgementWasLost() {
        merge.add("pub-1", sent(0, 100, 0, 50));
        merge.add("pub-1", notTimed(Counts.NOT_CONFIRMED, 1));
        merge.add("sub-1", received(0, 100));

        assertThat(row(facts(Map.of("maxDuplicated", 2))).verdict()).isEqualTo(Verdict.PASS);
    }

    /** A gateway dropped the rest, together with the end that tells how many there were. */
    @Test
    void shouldExpectWhatSendersSayWhereReceiversKnowOfLess() {
        merge.add("producers-1", sent(0, 400, 0, 50));
        merge.add("producers-1", counted(Map.of(Counts.FANNED_OUT, 100L)));
        merge.add(
                "consumers-1",
                counted(
                        Map.of(
                                Counts.RECEIVED, 80L,
                                Counts.EXPECTED, 80L,
                                Counts.FULL_RECEIVERS, 2L)));
        merge.add(
                "consumers-2",
                counted(
                        Map.of(
                                Counts.RECEIVED, 100L,
                                Counts.EXPECTED, 100L,
                                Counts.FULL_RECEIVERS, 1L)));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.expected()).isEqualTo(300);
        assertThat(row.lost()).isEqualTo(120);
        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
    }

    private static StepResult counted(final Map<String, Long> counts) {
        return StepResult.received(0, "", 64, counts, 1_000, Map.of());
    }

    @Test
    void shouldSumHistogramsOfTheSameName() {
        merge.add("sub-1", latency(Latencies.RESPONSE_NS, 100, 200));
        merge.add("sub-2", latency(Latencies.RESPONSE_NS, 50, 1_000));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.latency(Latencies.RESPONSE_NS).orElseThrow().count()).isEqualTo(40_000);
        assertThat(row.latency(Latencies.RESPONSE_NS).orElseThrow().min()).isEqualTo(50);
        assertThat(row.latency(Latencies.RESPONSE_NS).orElseThrow().max()).isEqualTo(1_000);
        assertThat(row.latency(Latencies.ROUND_TRIP_NS)).isEmpty();
    }

    @Test
    void shouldTakeWhatWasExpectedFromTheRolesWhereNotEverythingGoesToEverybody() {
        merge.add("pub-1", step(Map.of(Counts.SENT, 100L)));
        merge.add("sub-1", step(Map.of(Counts.EXPECTED, 2L, Counts.RECEIVED, 2L)));
        merge.add("sub-2", step(Map.of(Counts.EXPECTED, 4L, Counts.RECEIVED, 3L)));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.label()).isEqualTo("steady state");
        assertThat(row.expected()).isEqualTo(6);
        assertThat(row.lost()).isEqualTo(1);
        assertThat(row.reasons())
                .containsExactly(
                        "Lost 1 of 6 messages expected (16.67 %); at most 0.000 % may be lost.");
    }

    private static StepResult step(final Map<String, Long> counts) {
        return new StepResult(0, "steady state", 0, counts, 1_000, 0, 0, Map.of(), List.of());
    }

    @Test
    void shouldKeepTheLatenciesThatOnlyAWorkloadKnows() {
        merge.add("pub-1", sent(0, 100, 0, 100));
        merge.add("sub-1", latency("imageRetrievalNs", 5_000));

        final TrialResult row = row(facts(Map.of("maxP50", "1us")));

        assertThat(row.latencies()).containsOnlyKeys("imageRetrievalNs");
        assertThat(row.reasons()).hasSize(1).first().asString().contains("The median");
    }

    @Test
    void shouldLabelWhatDidNotHoldItsRateAsSaturated() {
        merge.add("pub-1", sent(0, 100, 1000, 800));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.labels()).containsExactly(Labels.SATURATED);
        assertThat(row.reasons())
                .containsExactly(
                        "Held 800/s of the 1,000/s asked for (80.00 %); at least 99.00 % must be held.");
    }

    @ParameterizedTest
    @CsvSource({"-1, PASS", "2, PASS", "1, FAIL"})
    void shouldCountMessagesThatWaitedForRoomWhereAsked(final int allowed, final Verdict verdict) {
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 10L, Counts.WOULD_BLOCK, 2L),
                        1,
                        0,
                        1,
                        Map.of(),
                        List.of()));

        assertThat(row(facts(Map.of("maxWouldBlock", allowed))).verdict()).isEqualTo(verdict);
    }

    @Test
    void shouldTakeLossFromTheRoleWhereNobodySaysWhatWasReceived() {
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 10L, Counts.LOST, 1L, Counts.TIMED_OUT, 1L),
                        1,
                        0,
                        1,
                        Map.of(),
                        List.of("The echo was slow.")));

        assertThat(row(facts(Map.of("maxLostPart", 0.5))).reasons())
                .containsExactly(
                        "1 ping had no echo in time; at most 0 may.", "The echo was slow.");
    }

    @Test
    void shouldHoldTheHeadlineLatencyAgainstItsBounds() {
        merge.add("pub-1", latency(Latencies.ROUND_TRIP_NS, 1_000, 2_000, 30_000));

        final TrialResult row = row(facts(Map.of("maxP50", "1us", "maxLatency", "1ms")));

        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(row.labels()).containsExactly(Labels.CLOSED_LOOP);
        assertThat(row.reasons())
                .containsExactly("The median of the latency is 2.000 us; at most 1us is allowed.");
    }

    /** 45 us by clocks known to 40 us passed with a limit of 50 us, and 55 us failed. */
    @ParameterizedTest
    @CsvSource({
        "45_000, stream, false, VOID", "55_000, stream, false, VOID",
        "9_000, stream, false, PASS", "95_000, stream, false, FAIL",
        "45_000, stream, true, FAIL", "9_000, stream, true, PASS",
        "45_000, latency, false, PASS", "55_000, latency, false, FAIL"
    })
    void shouldNotJudgeAOneWayTimeByMoreThanTheClocksOfTheHostsAreKnownTo(
            final String ns,
            final String workload,
            final boolean isSearched,
            final Verdict verdict) {
        merge.add(
                "stream-sub-1",
                latency(Latencies.RESPONSE_NS, Long.parseLong(ns.replace("_", ""))));

        final TrialResult row = row(betweenHosts(Map.of("maxP99", "50us"), workload, isSearched));

        assertThat(row.verdict()).isEqualTo(verdict);
        if (verdict == Verdict.VOID) {
            assertThat(row.reasons())
                    .singleElement()
                    .asString()
                    .startsWith("The 99th percentile of the latency is ")
                    .contains(" us, by clocks of hosts that are known to 40.000 us; whether it is")
                    .contains("more than 50us");
        }
    }

    private static TrialFacts betweenHosts(
            final Map<String, Object> criteria, final String workload, final boolean isSearched) {
        return new TrialFacts(
                "t",
                workload,
                "udp:",
                1,
                2,
                2,
                null,
                null,
                Settings.read(Criteria.class, criteria, key -> key),
                isSearched,
                List.of(),
                List.of(),
                List.of(
                        new RoleSummary("stream-pub", 1, Map.of(), List.of()),
                        new RoleSummary(
                                "stream-sub",
                                1,
                                Map.of(RoleSummary.HOST, "h2", RoleSummary.CLOCK_BOUND_NS, 40_000L),
                                List.of())));
    }

    @Test
    void shouldNotPassABoundThatTooFewLatenciesCanShow() {
        final Histogram few = new Histogram(3);
        few.recordValueWithCount(1_000, 3_999);
        few.recordValue(30_000);
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 4_000L),
                        1,
                        0,
                        1,
                        Map.of(Latencies.ROUND_TRIP_NS, few),
                        List.of()));

        final TrialResult unknown = row(facts(Map.of("maxP999", "10us")));
        assertThat(unknown.verdict()).isEqualTo(Verdict.VOID);
        assertThat(unknown.reasons())
                .containsExactly(
                        "The 99.9th percentile of the latency cannot be determined from 4,000: it needs 10,000; measure longer "
                                + "or more.");
        assertThat(row(facts(Map.of("maxP999", "40us"))).verdict())
                .as("the longest is within it")
                .isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldCountWhatCameCorruptedOrLateAsThatAndNotAsLostToo() {
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(
                                Counts.SENT, 100L,
                                Counts.RECEIVED, 90L,
                                Counts.TIMED_OUT, 7L,
                                Counts.CORRUPTED, 3L),
                        1,
                        0,
                        1,
                        Map.of(),
                        List.of()));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.lost()).isZero();
        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(row.reasons()).hasSize(2).noneMatch(reason -> reason.startsWith("Lost"));
    }

    @Test
    void shouldFailAPublisherByHandWhoseSubscribersReportedLosses() {
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(
                                Counts.SENT, 30_000L,
                                Counts.COUNTED_IN, 4L,
                                Counts.LOST_AT_SUBSCRIBERS, 2_217L),
                        1,
                        0,
                        1,
                        Map.of(),
                        List.of()));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(row.reasons().getFirst()).startsWith("Lost 2,217 of 120,000 messages expected");
    }

    @Test
    void shouldNotBlameTheEngineForATailThatTheNoiseFloorExplains() {
        merge.add("pub-1", latency(Latencies.ROUND_TRIP_NS, 1_000, 2_000, 30_000));
        final NoiseSummary noise =
                new NoiseSummary(
                        1, List.of(new CoreNoise(0, 20, OptionalLong.of(900), 40_000, 50, 0.002)));

        final TrialResult row = row(facts(Map.of("maxP999", "10us"), noise));

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.labels()).contains(Labels.NOISY);
        assertThat(row.reasons()).last().asString().contains("too noisy to tell");
    }

    @Test
    void shouldShowAVoidTrialThatMeasuredNothing() {
        final TrialResult row = row(facts(Map.of(), "It hangs."));

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons()).containsExactly("It hangs.");
        assertThat(row.sent()).isZero();
    }

    @Test
    void shouldNotPassATrialInWhichNothingHappened() {
        assertThat(row(facts(Map.of())).verdict()).isEqualTo(Verdict.VOID);

        merge.add("pub-1", sent(0, 0, 0, 0));
        merge.add("sub-1", received(0, 0));

        assertThat(row(facts(Map.of())).reasons())
                .containsExactly("Nothing was measured: no message was sent or received.");
    }

    /** It said only that nothing was measured, whatever had kept the publisher from sending. */
    @Test
    void shouldSayWhatItsRolesSayWhereNothingHappened() {
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 0L),
                        1_000,
                        100,
                        0,
                        Map.of(),
                        List.of("The store is lost.")));

        final TrialResult row = row(facts(Map.of()));

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons())
                .containsExactly(
                        "Nothing was measured: no message was sent or received.",
                        "The store is lost.");
    }

    @Test
    void shouldTakeWhatAReceiverByHandSaysIsLost() {
        merge.add(
                "sub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.RECEIVED, 90L, Counts.LOST, 10L),
                        1,
                        0,
                        0,
                        Map.of(),
                        List.of()));

        assertThat(row(facts(Map.of("maxLostPart", 0.2))).lost()).isEqualTo(10);
        assertThat(row(facts(Map.of())).reasons())
                .containsExactly(
                        "Lost 10 of 100 messages expected (10.00 %); at most 0.000 % may be lost.");
    }

    @Test
    void shouldLeaveVoidRowsOutOfAggregates() {
        merge.add("pub-1", latency(Latencies.ROUND_TRIP_NS, 1_000));
        final TrialResult good = row(facts(Map.of()));
        final TrialResult spoiled = row(facts(Map.of(), "It hangs."));

        assertThat(Aggregates.of(List.of(good, spoiled, good)))
                .singleElement()
                .satisfies(aggregate -> {
                    assertThat(aggregate.repeats()).isEqualTo(2);
                    assertThat(aggregate.figures().get("roundTripNs.p50").median())
                            .isEqualTo(1_000);
                });
        assertThat(Aggregates.of(List.of(spoiled))).isEmpty();
    }

    /** What was sent is not what came back. */
    @Test
    void shouldAggregateWhatWasEchoedOfPings() {
        merge.add("pub-1", step(Map.of(Counts.SENT, 100L, Counts.TIMED_OUT, 25L)));
        final TrialResult pings = row(facts(Map.of()));

        assertThat(Aggregates.of(List.of(pings)).getFirst().figures())
                .hasEntrySatisfying(
                        "notEchoed", spread -> assertThat(spread.median()).isEqualTo(25))
                .hasEntrySatisfying(
                        "echoedRatePerSecond",
                        spread ->
                                assertThat(spread.median())
                                        .isEqualTo(0.75 * pings.achievedRatePerSecond()));
    }

    @Test
    void shouldTakeTheWorstRowAsTheVerdictOfTheRun() {
        merge.add("pub-1", latency(Latencies.ROUND_TRIP_NS, 1_000));
        final TrialResult good = row(facts(Map.of()));
        final TrialResult spoiled = row(facts(Map.of(), "It hangs."));

        assertThat(RunVerdict.of(List.of(good), List.of(), false).verdict())
                .isEqualTo(Verdict.PASS);
        assertThat(RunVerdict.of(List.of(good, spoiled), List.of(), false).verdict())
                .isEqualTo(Verdict.VOID);
        assertThat(RunVerdict.of(List.of(good, spoiled, spoiled), List.of(), false).reasons())
                .containsExactly("t on udp:, repeat 1: It hangs.");
        final String taken =
                "Other tasks or the hypervisor used the core of pub 1, publisher, for 71.2 % of it.";
        assertThat(
                        RunVerdict.of(List.of(good.voided(taken, List.of())), List.of(), false)
                                .reasons())
                .as("another part in each step")
                .containsExactly("t on udp:, 64 B, repeat 1: " + taken);
        assertThat(RunVerdict.of(List.of(good), List.of(), true).verdict()).isEqualTo(Verdict.VOID);
        assertThat(RunVerdict.of(List.of(), List.of(), false).verdict()).isEqualTo(Verdict.VOID);
    }

    @Test
    void shouldKeepWhatRolesSaidOfAStepWhenTheTrialIsVoid() {
        final String lost = "archive: took no message for 3s: the store is lost.";
        merge.add(
                "pub",
                new StepResult(
                        0, "", 64, Map.of(Counts.SENT, 5L), 1_000, 0, 0, Map.of(), List.of(lost)));

        final TrialResult row = row(facts(Map.of(), "stream-sub-1: the publisher fell silent."));

        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
        assertThat(row.reasons()).containsExactly("stream-sub-1: the publisher fell silent.", lost);
    }
}

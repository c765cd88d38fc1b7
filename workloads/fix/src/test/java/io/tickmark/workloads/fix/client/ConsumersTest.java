package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.workloads.fix.client.Received.ReceivedCounts;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.RawGateway;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConsumersTest {
    private static final int WARM_UP = 0;
    private static final int MEASURED = 1;
    private static final int END = 2;

    @Test
    void shouldAddUpTheRunsOfAProducerThatIsStartedAgain() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of()).consumers(Map.of()).start()) {
            try (RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
                for (final int messages : new int[] {3, 2}) {
                    send(producer, 1, WARM_UP, 0);
                    for (int number = 0; number < messages; number++) {
                        send(producer, 1, MEASURED, number);
                    }
                    send(producer, 1, END, messages);
                    producer.settle();
                }
            }
            assertThat(trial.count("consumers", "received")).isEqualTo(5);
            assertThat(trial.count("consumers", "expected")).isEqualTo(5);
            assertThat(trial.count("consumers", "duplicated")).isZero();
        }
    }

    private static void send(
            final RawClient producer, final int producerNumber, final int phase, final int number)
            throws IOException {
        producer.say("W", load(producerNumber, phase, number, "X"));
    }

    private static String load(
            final int producerNumber, final int phase, final int number, final String symbol) {
        return load(producerNumber, phase, number, symbol, System.nanoTime());
    }

    private static String load(
            final int producerNumber,
            final int phase,
            final int number,
            final String symbol,
            final long nowNs) {
        return "9700=Y|9701=%019d|9702=%019d|9703=%05d%d%012d|9704=%012d|9705=%s|55=%s|268=0|"
                .formatted(
                        nowNs, nowNs, producerNumber, phase, number, number, HostId.text(), symbol);
    }

    /** Threads behind the first took such times for a nanosecond. */
    @Test
    void shouldTimeMeasuredMessagesOnlyWhereAProducerStillWarmsUp() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of()).consumers(Map.of()).start()) {
            try (RawClient early = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                    RawClient late = new RawClient(trial.port("fixProducers"), "PRODUCER2")) {
                send(late, 2, WARM_UP, 0);
                late.settle();
                send(early, 1, MEASURED, 0);
                early.settle();
                send(late, 2, WARM_UP, 1);
                late.settle();
                send(late, 2, MEASURED, 0);
                late.settle();
                send(early, 1, END, 1);
                early.settle();
                send(late, 2, END, 1);
                late.settle();
            }
            assertThat(trial.count("consumers", "received")).isEqualTo(2);
            assertThat(trial.count("consumers", "expected")).isEqualTo(2);
            assertThat(trial.result("consumers").metrics()).containsEntry("warmUpReceived", 2L);
            trial.result("consumers")
                    .steps()
                    .getFirst()
                    .latencies()
                    .forEach((name, latency) ->
                            assertThat(latency.getTotalCount()).as(name).isEqualTo(2));
        }
    }

    /** A busy machine may hold producers up while they warm up. */
    @Test
    void shouldNotTakeAPauseInTheWarmUpForItsEnd() {
        final ReceivedCounts counts = ReceivedCounts.COLUMNS.zero();
        final AtomicInteger begun = new AtomicInteger();
        final Received received =
                new Received(
                        new TestContext(1, 1, new VirtualClock(0)),
                        1,
                        1,
                        counts,
                        begun::incrementAndGet);
        received.warmsUpUntil(1_000);
        counts.warmUps().increment();

        received.pass(900, 100);
        assertThat(received.isMeasuring()).isFalse();
        received.pass(1_001, 100);
        assertThat(received.isMeasuring()).isTrue();
        assertThat(begun).hasValue(1);
    }

    /** The second thread's session never receives the end, the first one's does. */
    @Test
    void shouldExpectOfEverySessionWhatAnyOfTheirThreadsKnowsOf() throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(
                                        Map.of(
                                                "consumersPort", gateway.port(),
                                                "consumers", 2,
                                                "threads", 2))
                                .start()) {
            final RawClient whole = gateway.session(0);
            final RawClient cutShort = gateway.session(1);
            for (int number = 0; number < 3; number++) {
                send(whole, 1, MEASURED, number);
            }
            send(whole, 1, END, 3);
            send(cutShort, 1, MEASURED, 0);
            logOut(whole);
            logOut(cutShort);
            assertThat(trial.count("consumers", "received")).isEqualTo(3 + 1);
            assertThat(trial.count("consumers", "expected")).isEqualTo(3 + 3);
        }
    }

    /** The second thread's session is warmed up until the first one's is measured. */
    @Test
    void shouldRecordTheMeasuredMessagesOfEveryThreadAlike() throws Exception {
        final long early = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(
                                        Map.of(
                                                "consumersPort", gateway.port(),
                                                "consumers", 2,
                                                "threads", 2))) {
            trial.context("consumers").recording().watchFaults(0);
            trial.start();
            final RawClient first = gateway.session(0);
            final RawClient second = gateway.session(1);
            send(second, 1, WARM_UP, 0);
            second.settle();
            send(first, 1, MEASURED, 0);
            first.say("W", load(1, MEASURED, 1, "X", early));
            first.settle();
            send(second, 1, WARM_UP, 1);
            send(second, 1, MEASURED, 0);
            second.say("W", load(1, MEASURED, 1, "X", early));
            logOut(first);
            logOut(second);
            assertThat(trial.count("consumers", Counts.RECEIVED)).isEqualTo(4);
            assertThat(trial.count("consumers", Counts.NOT_POSITIVE))
                    .as("response and service time of one message of each")
                    .isEqualTo(4);
            assertThat(trial.result("consumers").steps().getFirst().latencies())
                    .containsOnlyKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS)
                    .allSatisfy((name, latency) ->
                            assertThat(latency.getTotalCount()).as(name).isEqualTo(2));
            assertThat(trial.context("consumers").recording().deliveries())
                    .containsKeys(Latencies.RESPONSE_NS, Latencies.RESPONSE_NS + "-2");
        }
    }

    /** One session that got through at once had hidden the others of its thread. */
    @Test
    void shouldTellTheSessionsOfAThreadAndTheirProducersApart() throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(
                                        Map.of(
                                                "consumersPort",
                                                gateway.port(),
                                                "consumers",
                                                2,
                                                "threads",
                                                1))) {
            trial.context("consumers").recording().watchFaults(System.nanoTime());
            trial.start();
            final RawClient first = gateway.session(0);
            final RawClient second = gateway.session(1);
            send(first, 1, MEASURED, 0);
            send(first, 1, MEASURED, 1);
            send(first, 2, MEASURED, 0);
            send(second, 2, MEASURED, 0);
            logOut(first);
            logOut(second);
            assertThat(trial.count("consumers", Counts.RECEIVED)).isEqualTo(4);
            assertThat(
                            trial.context("consumers")
                                    .recording()
                                    .deliveries()
                                    .get(Latencies.RESPONSE_NS)
                                    .getFirst()
                                    .streams())
                    .isEqualTo(3);
        }
    }

    /** It counted as one that did not recover. */
    @Test
    void shouldMissNoMessagesOfAProducerThatHasEndedUnlessItsLastOneIsMissing() throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(Map.of("consumersPort", gateway.port(), "threads", 1))) {
            final long faultNs = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
            final long beforeNs = faultNs - TimeUnit.SECONDS.toNanos(1);
            trial.context("consumers").recording().watchFaults(faultNs);
            trial.start();
            final RawClient session = gateway.session(0);
            for (int producer = 1; producer <= 3; producer++) {
                session.say("W", load(producer, MEASURED, 0, "X", beforeNs));
            }
            session.say("W", load(1, END, 1, "X", beforeNs));
            session.say("W", load(2, END, 2, "X", beforeNs)); // its second message is lost
            session.say("W", load(3, MEASURED, 1, "X", faultNs + 1));
            session.say("W", load(3, END, 2, "X", faultNs + 2));
            logOut(session);
            assertThat(trial.count("consumers", Counts.RECEIVED)).isEqualTo(4);
            assertThat(
                            trial.context("consumers")
                                    .recording()
                                    .deliveries()
                                    .get(Latencies.RESPONSE_NS)
                                    .getFirst())
                    .satisfies(after -> {
                        assertThat(after.streams()).isEqualTo(2);
                        assertThat(after.first().getLast().streams()).isEqualTo(1);
                    });
        }
    }

    /** What came after them, the end for example, made the rate appear too low. */
    @Test
    void shouldDivideByTheTimeUpToTheLastMeasuredMessage() throws Exception {
        final AtomicLong laterNs = new AtomicLong();
        try (RawGateway gateway = new RawGateway("CONSUMER1");
                Trial trial =
                        new Trial(Map.of())
                                .on(() -> System.nanoTime() + laterNs.get())
                                .consumers(Map.of("consumersPort", gateway.port(), "heartbeat", 0))
                                .start()) {
            final RawClient session = gateway.session(0);
            send(session, 1, MEASURED, 0);
            session.settle();
            laterNs.set(TimeUnit.HOURS.toNanos(1));
            send(session, 1, MEASURED, 1);
            session.settle();
            laterNs.set(TimeUnit.HOURS.toNanos(5));
            send(session, 1, MEASURED, 1);
            send(session, 1, END, 2);
            logOut(session);
            assertThat(trial.count("consumers", Counts.RECEIVED)).isEqualTo(2);
            assertThat(trial.count("consumers", Counts.DUPLICATED)).isEqualTo(1);
            assertThat(trial.result("consumers").steps().getFirst().durationNs())
                    .isBetween(TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(2));
        }
    }

    @Test
    void shouldNotPassWhereAGatewayDropsTheFieldsOfMeasuredMessages() throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(Map.of("consumersPort", gateway.port()))
                                .start()) {
            final RawClient session = gateway.session(0);
            send(session, 1, WARM_UP, 0);
            session.say("W", "55=X|268=0|");
            session.say("W", "55=X|268=0|");
            logOut(session);
            assertThat(trial.result("consumers").failure())
                    .startsWith(
                            "No consumer received a measured message: of those that came, 1 belonged to the warm-up, "
                                    + "0 were not marked to fan out, and 2 were foreign");
            assertThat(trial.result("consumers").steps()).isEmpty();
        }
    }

    @Test
    void shouldExpectWhatItKnowsOfWhereNothingOfItArrived() throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(Map.of("consumersPort", gateway.port(), "consumers", 2))
                                .start()) {
            send(gateway.session(0), 1, END, 3);
            logOut(gateway.session(0));
            logOut(gateway.session(1));
            assertThat(trial.count("consumers", Counts.RECEIVED)).isZero();
            assertThat(trial.count("consumers", Counts.EXPECTED)).isEqualTo(2 * 3);
            assertThat(trial.result("consumers").failure())
                    .startsWith("No consumer received a measured message");
        }
    }

    @Test
    void shouldNotBlameTheGatewayWhereItIsStoppedBeforeAnyMessage() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of()).consumers(Map.of()).start()) {
            trial.stop("consumers");
            assertThat(trial.result("consumers").failure()).isEmpty();
        }
    }

    /** It was disconnected while the role continued, which is then stopped. */
    @Test
    void shouldReportWhySessionsEndedBeforeItWasStopped() throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(Map.of("consumersPort", gateway.port(), "consumers", 2))
                                .start()) {
            gateway.session(0).close();
            final RawClient other = gateway.session(1);
            other.settle();
            other.settle(); // its thread has looked at both in between
            trial.stop("consumers");
            assertThat(other.hear()).startsWith("5|");
            other.say("5", "");
            assertThat(trial.result("consumers").failure())
                    .isEqualTo("A consumer's session ended: the other side closed the connection.");
        }
    }

    /** Only of those that stop reading it does not matter. */
    @ParameterizedTest
    @CsvSource({"0, ''", "1, A consumer's session ended: the other side closed the connection."})
    void shouldReportWhySessionsEndedBesideASlowOne(final int cutOff, final String failure)
            throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2", "CONSUMER3");
                Trial trial =
                        new Trial(Map.of())
                                .consumers(
                                        Map.of(
                                                "consumersPort", gateway.port(),
                                                "consumers", 3,
                                                "stalled", 1))
                                .start()) {
            gateway.session(cutOff).close();
            gateway.session(2).settle();
            gateway.session(2).settle(); // their thread has looked at all in between
            send(gateway.session(2), 1, MEASURED, 0);
            send(gateway.session(2), 1, END, 1);
            for (int reader = 1; reader < 3; reader++) {
                if (reader != cutOff) {
                    logOut(gateway.session(reader));
                }
            }
            assertThat(trial.result("consumers").failure()).isEqualTo(failure);
        }
    }

    private static void logOut(final RawClient session) throws IOException {
        session.say("5", "");
        awaitLogout(session);
    }

    private static void awaitLogout(final RawClient session) throws IOException {
        String heard = session.hear();
        while (!heard.startsWith("5|")) {
            heard = session.hear();
        }
    }

    private enum Ended {
        BY_SILENCE,
        BY_LOGOUT,
        BY_STOP
    }

    /** It passed with nothing lost, as it knew of no message that had not come. */
    @ParameterizedTest
    @EnumSource
    void shouldNotPassWhereTheEndOfAProducerNeverCame(final Ended how) throws Exception {
        final AtomicLong laterNs = new AtomicLong();
        try (RawGateway gateway = new RawGateway("CONSUMER1", "CONSUMER2");
                Trial trial =
                        new Trial(Map.of())
                                .on(() -> System.nanoTime() + laterNs.get())
                                .consumers(
                                        Map.of(
                                                "consumersPort",
                                                gateway.port(),
                                                "consumers",
                                                2,
                                                "heartbeat",
                                                0,
                                                "idleTimeout",
                                                "1h"))
                                .start()) {
            for (int session = 0; session < 2; session++) {
                for (int number = 0; number < 5; number++) {
                    send(gateway.session(session), 7, MEASURED, number);
                }
                send(gateway.session(session), 8, MEASURED, 0);
                send(gateway.session(session), 8, END, 1);
                gateway.session(session).settle();
            }
            switch (how) {
                case BY_SILENCE -> laterNs.set(TimeUnit.HOURS.toNanos(2));
                case BY_STOP -> trial.stop("consumers");
                case BY_LOGOUT -> {
                    logOut(gateway.session(0));
                    logOut(gateway.session(1));
                }
            }
            if (how != Ended.BY_LOGOUT) {
                for (int session = 0; session < 2; session++) {
                    awaitLogout(gateway.session(session));
                    gateway.session(session).say("5", "");
                }
            }
            final String sentence =
                    "The end of producer 7 never arrived: what it sent after number 4 (field 9704) is not known.";
            assertThat(trial.count("consumers", Counts.RECEIVED)).isEqualTo(2 * 6);
            assertThat(trial.result("consumers").failure())
                    .isEqualTo(how == Ended.BY_STOP ? "" : sentence);
            assertThat(trial.result("consumers").warnings())
                    .isEqualTo(how == Ended.BY_STOP ? List.of(sentence) : List.of());
        }
    }

    /** The producers of the same plan say how much that was: it is lost. */
    @Test
    void shouldLeaveItToTheProducersOfThePlanWhatIsLostWithAnEnd() throws Exception {
        try (RawGateway gateway = new RawGateway("PRODUCER1", "CONSUMER1");
                Trial trial =
                        new Trial(Map.of())
                                .producers(
                                        Map.of(
                                                "producersPort", gateway.port(),
                                                "messages", 4,
                                                "rate", 1000,
                                                "every", 1))
                                .consumers(Map.of("consumersPort", gateway.port()))
                                .start()) {
            send(gateway.session(1), 1, MEASURED, 0);
            send(gateway.session(1), 1, MEASURED, 1);
            awaitLogout(gateway.session(0));
            gateway.session(0).say("5", "");
            logOut(gateway.session(1));
            assertThat(trial.count("producers", Counts.FANNED_OUT)).isEqualTo(4);
            assertThat(trial.count("consumers", Counts.FULL_RECEIVERS)).isEqualTo(1);
            assertThat(trial.count("consumers", Counts.RECEIVED)).isEqualTo(2);
            assertThat(trial.result("consumers").failure()).isEmpty();
            assertThat(trial.result("consumers").warnings())
                    .containsExactly(
                            "The end of producer 1 never arrived: what it sent after number 1 (field 9704) is not known.");
        }
    }

    /** Of symbols only the numbers of the gateway tell what else there was, up to its Logout. */
    @Test
    void shouldNotPassWhereTheGatewayDoesNotEndASubscription() throws Exception {
        final AtomicLong laterNs = new AtomicLong();
        try (RawGateway gateway = new RawGateway("CONSUMER1")) {
            final CompletableFuture<Void> subscribed =
                    CompletableFuture.runAsync(() -> answerSubscription(gateway, "55=X|268=0|"));
            try (Trial trial =
                    new Trial(Map.of())
                            .on(() -> System.nanoTime() + laterNs.get())
                            .consumers(
                                    Map.of(
                                            "consumersPort",
                                            gateway.port(),
                                            "symbols",
                                            "X",
                                            "heartbeat",
                                            0,
                                            "idleTimeout",
                                            "1h"))
                            .start()) {
                subscribed.get(120, TimeUnit.SECONDS);
                send(gateway.session(0), 1, MEASURED, 0);
                gateway.session(0).settle();
                laterNs.set(TimeUnit.HOURS.toNanos(2));
                awaitLogout(gateway.session(0));
                laterNs.addAndGet(TimeUnit.SECONDS.toNanos(6)); // it waits for 5 s
                assertThat(trial.result("consumers").failure())
                        .as("whoever sees it first, the session or the role")
                        .isIn(
                                "A consumer's session ended: no answer to the Logout.",
                                "The gateway did not answer the Logout of 1 session: what else it had for them is unknown.");
            }
        }
    }

    /** Messages received after a resend request are not lost, those that the gateway skips are. */
    @ParameterizedTest
    @CsvSource({"true, 4, 4", "false, 3, 4"})
    void shouldExpectOfSymbolsWhatTheNumbersShow(
            final boolean isFilled, final long received, final long expected) throws Exception {
        try (RawGateway gateway = new RawGateway("CONSUMER1")) {
            final CompletableFuture<Void> subscribed =
                    CompletableFuture.runAsync(() -> answerSubscription(gateway, "55=X|268=0|"));
            try (Trial trial =
                    new Trial(Map.of())
                            .consumers(Map.of("consumersPort", gateway.port(), "symbols", "X"))
                            .start()) {
                subscribed.get(120, TimeUnit.SECONDS);
                final RawClient session = gateway.session(0);
                send(session, 1, MEASURED, 0);
                session.lose(1);
                send(session, 1, MEASURED, 2);
                assertThat(session.hear()).startsWith("2|7=4|");
                session.lose(-2);
                if (isFilled) {
                    send(session, 1, MEASURED, 1);
                } else {
                    session.say("4", "123=Y|36=%d|".formatted(session.sequence() + 2));
                }
                send(session, 1, MEASURED, 2);
                send(session, 1, MEASURED, 3);
                logOut(session);
                assertThat(trial.count("consumers", "received")).isEqualTo(received);
                assertThat(trial.count("consumers", "expected")).isEqualTo(expected);
                assertThat(trial.count("consumers", "sequenceGaps")).isEqualTo(1);
            }
        }
    }

    /**
     * Messages that the gateway has kept came from producers, not in the order of their numbers; a
     * producer that is already active continues right after them.
     */
    @Test
    void shouldNotMeasureTheAnswersToItsRequest() throws Exception {
        final long beginNs = SystemNanoClock.INSTANCE.nanoTime();
        final NanoClock slow = // it waits for answers for as long as it takes
                () -> beginNs + (SystemNanoClock.INSTANCE.nanoTime() - beginNs) / 100;
        try (RawGateway gateway = new RawGateway("CONSUMER1")) {
            final CompletableFuture<Void> subscribed =
                    CompletableFuture.runAsync(() ->
                            answerSubscription(
                                    gateway,
                                    load(1, MEASURED, 500, "Y"),
                                    load(1, MEASURED, 499, "X"),
                                    load(1, MEASURED, 501, "X")));
            try (Trial trial =
                    new Trial(Map.of())
                            .on(slow)
                            .consumers(Map.of("consumersPort", gateway.port(), "symbols", "Y,X"))
                            .start()) {
                subscribed.get(120, TimeUnit.SECONDS);
                send(gateway.session(0), 1, MEASURED, 502);
                logOut(gateway.session(0));
                assertThat(trial.count("consumers", "received")).isEqualTo(2);
                assertThat(trial.count("consumers", "expected")).isEqualTo(2);
                assertThat(trial.count("consumers", "duplicated")).isZero();
            }
        }
    }

    private static void answerSubscription(final RawGateway gateway, final String... answers) {
        try {
            assertThat(gateway.session(0).hear()).startsWith("V|");
            for (final String answer : answers) {
                gateway.session(0).say("W", "262=1|" + answer);
            }
        } catch (final Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

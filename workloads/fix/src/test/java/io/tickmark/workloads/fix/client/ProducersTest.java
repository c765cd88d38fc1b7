package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.RawGateway;
import io.tickmark.workloads.fix.trial.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When messages of producers are due: read from the messages themselves. */
class ProducersTest {
    private static final int SESSIONS = 4;
    private static final int MESSAGES = 5;
    private static final double RATE = 50.5;

    /** Of messages of 4 KB, more than sockets keep. */
    private static final int MUCH = 20_000;

    /** So many sessions that one of them has no room for a Logout. */
    private static final int SHORT_OF_ROOM = 8;

    /** At 100 a second this many take longer than the counter lags. */
    private static final int WARM_UPS = 50;

    /** After that many without a message more, nothing has room any more. */
    private static final int STILL_LOOKS = 10;

    /** 9701 intended time; 9703 producer, part of the run, number. */
    private static final Pattern STAMP =
            Pattern.compile("\\|9701=(\\d+)\\|.*\\|9703=\\d{5}1(\\d{12})\\|");

    @TempDir Path folder;

    /** One consumer makes the gateway, and so its producers, wait longer than they send. */
    private Trial withAGatewayThatWaits(final String patience) throws Exception {
        return new Trial(Map.of())
                .gateway(
                        Map.of(
                                "slow",
                                "block",
                                "slowBytes",
                                4096,
                                "slowTime",
                                patience,
                                "fanOut",
                                "all",
                                "workers",
                                1));
    }

    private Map<String, Object> muchLoad(final String duration) throws Exception {
        final Path message =
                Files.writeString(
                        folder.resolve("long.fix"), "35=W|55=X|58=" + "x".repeat(4000) + "|268=0|");
        return Map.of(
                "duration", duration, "rate", MUCH, "every", 1, "message", message.toString());
    }

    @Test
    void shouldGiveUpWhatTheGatewayHasNotTakenSoonAfterTheEnd() throws Exception {
        try (Trial trial = withAGatewayThatWaits("5s");
                RawClient _ = RawClient.withLittleRoom(trial.port("fixConsumers"), "STALLED")) {
            trial.producers(muchLoad("1s")).start();
            assertThat(trial.count("producers", "sent")).isPositive().isLessThan(MUCH);
            assertThat(trial.result("producers").failure()).isEmpty();
            assertThat(trial.result("producers").steps().getFirst().achievedRatePerSecond())
                    .as("it tried for two seconds to send what was due in one")
                    .isPositive()
                    .isLessThan(MUCH / 2.0);
        }
    }

    /** As many gaps as messages, and what the last one was late at most. */
    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2"})
    void shouldHoldItsRateWhereAllIsSentInTime(final boolean isBurst, final int threads)
            throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of("exitAtEnd", false))) {
            trial.producers(
                            Map.of(
                                    "producers", SESSIONS,
                                    "messages", MESSAGES,
                                    "rate", RATE,
                                    "burst", isBurst,
                                    "threads", threads))
                    .start();
            final StepResult step = trial.result("producers").steps().getFirst();
            final double lagS = step.counts().get(Counts.MAX_LAG_NS) / 1e9;
            assertThat(step.offeredRatePerSecond()).isEqualTo(SESSIONS * RATE);
            assertThat(step.achievedRatePerSecond())
                    .isLessThanOrEqualTo(SESSIONS * RATE * (1 + 1e-9))
                    .isGreaterThanOrEqualTo(
                            SESSIONS * MESSAGES / (MESSAGES / RATE + lagS) * (1 - 1e-9));
        }
    }

    @Test
    void shouldNotBlameTheGatewayWhereItIsStoppedUnderBackPressure() throws Exception {
        try (Trial trial = withAGatewayThatWaits("9s");
                RawClient _ = RawClient.withLittleRoom(trial.port("fixConsumers"), "STALLED")) {
            trial.producers(muchLoad("1s")).start();
            awaitBackPressure(trial);
            trial.stop("producers");
            assertThat(trial.result("producers").failure()).isEmpty();
        }
    }

    /**
     * Messages are short: of eight sessions, each of which is filled by a separate thread, some
     * have less room left than a Logout takes.
     */
    @Test
    void shouldNotBlameTheGatewayWhereNotEvenTheLogoutHasRoom() throws Exception {
        final String[] ids =
                IntStream.rangeClosed(1, SHORT_OF_ROOM)
                        .mapToObj(i -> "PRODUCER" + i)
                        .toArray(String[]::new);
        final Path message = Files.writeString(folder.resolve("short.fix"), "35=W|55=X|268=0|");
        try (RawGateway gateway = RawGateway.withLittleRoom(ids);
                Trial trial = new Trial(Map.of()).on(() -> 2 * System.nanoTime())) {
            trial.producers(
                            Map.of(
                                    "producersPort",
                                    gateway.port(),
                                    "producers",
                                    ids.length,
                                    "threads",
                                    ids.length,
                                    "duration",
                                    "600s",
                                    "rate",
                                    0,
                                    "every",
                                    1,
                                    "heartbeat",
                                    0,
                                    "message",
                                    message.toString()))
                    .start();
            awaitBackPressure(trial);
            trial.stop("producers");
            assertThat(trial.result("producers").failure()).isEmpty();
        }
    }

    /** A producer that got no core for a moment has sent nothing in it, either. */
    private static void awaitBackPressure(final Trial trial) throws InterruptedException {
        final Counter sent = trial.context("producers").recording().counter(Counts.SENT);
        long before = 0;
        int still = 0;
        while (still < STILL_LOOKS) {
            Thread.sleep(200);
            final long now = sent.get();
            still = now > 0 && now == before ? still + 1 : 0;
            before = now;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"duration", "messages"})
    void shouldFailAtOnceWhereTheGatewayLogsItOutBeforeItsEnd(final String bound) throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of())) {
            trial.producers(
                            Map.of(
                                    "producers",
                                    2,
                                    "rate",
                                    200,
                                    bound,
                                    bound.equals("duration") ? "600s" : "120000"))
                    .start();
            final Counter in = trial.context("gateway").recording().counter("gatewayIn");
            while (in.get() == 0) {
                Thread.sleep(1);
            }
            trial.stop("gateway");
            assertThat(trial.result("producers").failure())
                    .isEqualTo("A producer's session ended: the gateway logged it out.");
        }
    }

    /**
     * Sockets fill until the end. On a clock five times as fast, as all that follows is waiting: 10
     * s for the last words, 5 s for the Logouts.
     */
    @Test
    void shouldGiveUpLastWordsOfAllSessionsAtTheSameTime() throws Exception {
        try (RawGateway gateway = RawGateway.withLittleRoom("PRODUCER1", "PRODUCER2");
                Trial trial = new Trial(muchLoad("9s")).on(() -> 3 * System.nanoTime())) {
            trial.producers(
                            Map.of(
                                    "producersPort", gateway.port(),
                                    "producers", 2,
                                    "heartbeat", 0))
                    .start();
            assertThat(trial.result("producers").failure())
                    .isEqualTo(
                            "The gateway did not accept the producers' last messages within 10 s.");
        }
    }

    /** The time line is of the step and its counters. */
    @Test
    void shouldHaveNoWarmUpInItsTimeLine() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of("fanOut", "all"));
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
            trial.producers(Map.of("rate", 100, "warmUp", "600s")).start();
            for (int warmUps = 0; warmUps < WARM_UPS; warmUps++) {
                assertThat(consumer.hear()).contains("|9703=000010");
            }
            final Progress progress = trial.context("producers").recording().progress();
            assertThat(progress.inStep()).isFalse();
            assertThat(progress.counters()).containsEntry(Counts.SENT, 0L);
            trial.stop("producers");
            assertThat(trial.count("producers", "sent")).isZero();
            assertThat(trial.context("producers").recording().progress().counters())
                    .containsEntry(Counts.SENT, 0L);
        }
    }

    /** Each has its own sessions, and a grid interleaved with those of the others. */
    @Test
    void shouldSpreadSeveralProcessesOverTheGridAndTheirMarksOverTheMessages() throws Exception {
        final Map<Integer, List<Long>> markedNs = new TreeMap<>();
        final List<Long> intendedNs = new ArrayList<>();
        try (Trial trial = new Trial(Map.of()).gateway(Map.of("fanOut", "all"));
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
            final Map<String, Object> load =
                    Map.of("producers", SESSIONS, "messages", SESSIONS, "rate", RATE);
            trial.as(1, 2).producers(load).as(2, 2).producers(load).start();
            while (intendedNs.size() < 2 * SESSIONS * SESSIONS) {
                final String message = consumer.hear();
                final Matcher stamp = STAMP.matcher(message);
                if (stamp.find()) {
                    final long ns = Long.parseLong(stamp.group(1));
                    intendedNs.add(ns);
                    if (message.contains("|9700=Y|")) {
                        markedNs.computeIfAbsent(
                                        Integer.parseInt(stamp.group(2)), key -> new ArrayList<>())
                                .add(ns);
                    }
                }
            }
        }
        final double slotNs = 1e9 / (RATE * 2 * SESSIONS);
        intendedNs.sort(null);
        for (int i = 1; i < intendedNs.size(); i++) {
            assertThat((double) intendedNs.get(i) - intendedNs.get(i - 1))
                    .isCloseTo(slotNs, within(3.0));
        }
        assertThat(markedNs).hasSize(SESSIONS);
        markedNs.values()
                .forEach(each -> {
                    assertThat(each).as("one of each process").hasSize(2);
                    assertThat((double) Math.abs(each.get(0) - each.get(1)))
                            .as("half the sessions lie between, and half a slot")
                            .isBetween((SESSIONS - 1) * slotNs - 3, (SESSIONS + 1) * slotNs + 3);
                });
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2"})
    void shouldSendAtOneMomentWithBurstAndInTurnWithout(final boolean isBurst, final int threads)
            throws Exception {
        final Map<Long, List<Long>> intendedNs = new TreeMap<>();
        try (Trial trial = new Trial(Map.of()).gateway(Map.of("fanOut", "all"));
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
            trial.producers(
                            Map.of(
                                    "producers", SESSIONS,
                                    "messages", MESSAGES,
                                    "rate", RATE,
                                    "burst", isBurst,
                                    "threads", threads))
                    .start();
            for (int heard = 0; heard < SESSIONS * MESSAGES; ) {
                final Matcher stamp = STAMP.matcher(consumer.hear());
                if (stamp.find()) { // one session's final message may arrive before another's
                    // message
                    heard++;
                    intendedNs
                            .computeIfAbsent(
                                    Long.parseLong(stamp.group(2)), key -> new ArrayList<>())
                            .add(Long.parseLong(stamp.group(1)));
                }
            }
        }
        assertThat(intendedNs).hasSize(MESSAGES);
        final long firstNs = intendedNs.get(0L).stream().mapToLong(ns -> ns).min().orElseThrow();
        intendedNs.forEach((number, each) -> {
            assertThat(each).hasSize(SESSIONS);
            assertThat(new HashSet<>(each)).hasSize(isBurst ? 1 : SESSIONS);
            final long gridNs = Math.round(number * 1e9 / RATE);
            assertThat(each.stream().mapToLong(ns -> ns).min().orElseThrow() - firstNs)
                    .isBetween(gridNs - 2, gridNs + 2);
        });
    }
}

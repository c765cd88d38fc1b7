package io.tickmark.workloads.fix.gateway;

import static io.tickmark.kernel.settings.SettingDescriptor.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.GatewaySettings.SlowPolicy;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayTest {
    private static final Map<String, Object> SMALL_LOAD =
            Map.of("producers", 4, "messages", 100, "rate", 1000, "every", 5, "warmUp", "200ms");

    /** More than accumulates while a reader is stalled for some seconds. */
    private static final int ROOM_BYTES = 1 << 25;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldGiveEveryMarkedMessageToEveryConsumer(final int workers) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("workers", workers))
                        .consumers(Map.of("consumers", 7))
                        .producers(SMALL_LOAD)
                        .start()) {
            assertThat(trial.count("producers", "sent")).isEqualTo(400);
            assertThat(trial.count("producers", "fannedOut")).isEqualTo(80);
            assertThat(trial.count("consumers", "received")).isEqualTo(560);
            assertThat(trial.count("consumers", "expected")).isEqualTo(560);
            assertThat(trial.count("consumers", "duplicated")).isZero();
            assertThat(trial.count("consumers", "corrupted")).isZero();
            assertThat(trial.count("consumers", "sequenceGaps")).isZero();
            assertThat(trial.result("consumers").failure()).isEmpty();
            assertThat(trial.result("consumers").steps().getFirst().latencies())
                    .containsOnlyKeys("responseNs", "serviceNs");
            // warm-up and the four end messages are among those the gateway took
            final long in = trial.count("gateway", GatewayCounts.IN);
            final long unmarked = trial.count("gateway", GatewayCounts.UNMARKED);
            assertThat(in - unmarked).isGreaterThanOrEqualTo(80 + 4);
            assertThat(trial.count("gateway", GatewayCounts.OUT)).isEqualTo(7 * (in - unmarked));
        }
    }

    @ParameterizedTest
    @EnumSource(value = IdleMode.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldGiveEveryMarkedMessageHoweverItsThreadsWait(final IdleMode idle) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .waiting(idle)
                        .gateway(Map.of("workers", 2))
                        .consumers(Map.of("consumers", 2))
                        .producers(SMALL_LOAD)
                        .start()) {
            assertThat(trial.count("producers", "sent")).isEqualTo(400);
            assertThat(trial.count("consumers", "received")).isEqualTo(160);
            assertThat(trial.result("consumers").failure()).isEmpty();
        }
    }

    @Test
    void shouldFanOutAllWhereAsked() throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("fanOut", "all"))
                        .consumers(Map.of("consumers", 2))
                        .producers(SMALL_LOAD)
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(160);
            assertThat((Long) trial.result("consumers").metrics().get("unmarkedReceived"))
                    .isGreaterThanOrEqualTo(640);
            assertThat(trial.count("gateway", GatewayCounts.UNMARKED)).isZero();
            assertThat(trial.count("gateway", GatewayCounts.OUT)).isGreaterThanOrEqualTo(800);
        }
    }

    /** It delivered what came in the warm-up, whose end is far away. */
    @Test
    void shouldNotPassForWhatItDeliveredInTheWarmUp() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of("fanOut", "all"))) {
            trial.role("gateway").connect(Endpoints.of(Map.of("fixWarmUpNs", "600000000000")));
            trial.start();
            try (RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1");
                    RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
                producer.say("W", "55=A|268=0|");
                assertThat(consumer.hear()).startsWith("W|");
            }
            assertThat(trial.result("gateway").failure())
                    .startsWith(
                            "The gateway delivered nothing to any consumer after the warm-up: 0 messages came in");
        }
    }

    @ParameterizedTest
    @EnumSource(io.tickmark.workloads.fix.session.FixVersion.class)
    void shouldSpeakEveryVersionOnOnePort(
            final io.tickmark.workloads.fix.session.FixVersion version) throws Exception {
        final int port = FreePort.tcp();
        final Map<String, Object> ports =
                Map.of("producersPort", port, "consumersPort", port, "version", word(version));
        try (Trial trial =
                new Trial(ports)
                        .gateway(ports)
                        .consumers(Map.of("consumers", 2))
                        .producers(SMALL_LOAD)
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(160);
        }
    }

    @ParameterizedTest
    @EnumSource(value = SlowPolicy.class, mode = EnumSource.Mode.EXCLUDE, names = "BLOCK")
    void shouldKeepTheOthersWholeWhenOneStopsReading(final SlowPolicy policy) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(
                                Map.of(
                                        "slowTime",
                                        "60s",
                                        "slowBytes",
                                        ROOM_BYTES,
                                        "slowSessions",
                                        "CONSUMER1=" + word(policy) + ":100000:500ms"))
                        .consumers(Map.of("consumers", 4, "stalled", 1))
                        .producers(
                                Map.of(
                                        "producers",
                                        2,
                                        "messages",
                                        10_000,
                                        "rate",
                                        5_000,
                                        "every",
                                        1,
                                        "warmUp",
                                        "200ms"))
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(3 * 20_000);
            assertThat(trial.count("consumers", "expected")).isEqualTo(3 * 20_000);
            switch (policy) {
                case DROP -> assertThat(trial.count("gateway", "dropped")).isPositive();
                case CONFLATE -> assertThat(trial.count("gateway", "conflated")).isPositive();
                default -> assertThat(trial.count("gateway", "cutOff")).isEqualTo(1);
            }
        }
    }

    /** More is sent than sockets keep for one that does not read. */
    @Test
    void shouldCutOffAConsumerThatBlocksEverybodyForTooLong() throws Exception {
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(
                                        Map.of(
                                                "slow", "block",
                                                "slowTime", "60s",
                                                "slowSessions", "STALLED=block:20000:300ms"))
                                .consumers(Map.of("consumers", 2));
                RawClient _ = RawClient.withLittleRoom(trial.port("fixConsumers"), "STALLED")) {
            trial.producers(
                            Map.of(
                                    "producers", 2,
                                    "messages", 10_000,
                                    "rate", 0,
                                    "every", 1,
                                    "warmUp", "200ms"))
                    .start();
            assertThat(trial.count("consumers", "received")).isEqualTo(2 * 20_000);
            assertThat(trial.count("gateway", "cutOff")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveSubscribersTheSymbolsTheyAskedFor(final boolean incremental) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("subscriptions", "symbol"))
                        .consumers(
                                Map.of(
                                        "consumers",
                                        3,
                                        "symbols",
                                        "SYM000001,SYM000003",
                                        "incremental",
                                        incremental))
                        .producers(
                                Map.of(
                                        "producers",
                                        1,
                                        "messages",
                                        400,
                                        "rate",
                                        2000,
                                        "every",
                                        1,
                                        "symbolCount",
                                        4))
                        .start()) {
            assertThat(trial.result("producers").failure()).isEmpty();
            assertThat(trial.count("producers", "sent")).isEqualTo(400);
            assertThat(trial.count("gateway", GatewayCounts.OUT)).isEqualTo(3 * 200 + 6);
            // two symbols of four; the first answers are empty snapshots, which are foreign
            assertThat(trial.count("consumers", "received")).isEqualTo(3 * 200);
            assertThat(trial.result("consumers").metrics()).containsEntry("foreignMessages", 6L);
            assertThat(trial.count("consumers", "sequenceGaps")).isZero();
        }
    }

    /** Of the gateway; each holds where it is given, with the other or without. */
    @ParameterizedTest
    @CsvSource({"me, right", "me, ''", "'', right"})
    void shouldRefuseAWrongPassword(final String username, final String password) throws Exception {
        try (Trial trial =
                new Trial(Map.of()).gateway(Map.of("username", username, "password", password))) {
            assertThatThrownBy(
                            () -> trial.consumers(Map.of("username", "you", "password", "wrong")))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Username or password is wrong");
        }
    }

    @Test
    void shouldDistinguishTheSessionsOfSeveralProcesses() throws Exception {
        final Map<String, Object> load = Map.of("messages", 20, "rate", 500, "every", 1);
        final Map<String, Object> more = new java.util.HashMap<>(load);
        more.put("producers", 3);
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of())
                        .as(1, 2)
                        .consumers(Map.of("consumers", 3))
                        .producers(more)
                        .as(2, 2)
                        .consumers(Map.of("consumers", 2))
                        .producers(load)
                        .start()) {
            for (final String consumers : new String[] {"consumers", "consumers-2"}) {
                final long sessions = consumers.equals("consumers") ? 3 : 2;
                assertThat(trial.count(consumers, "received")).isEqualTo(sessions * 4 * 20);
                assertThat(trial.count(consumers, "expected")).isEqualTo(sessions * 4 * 20);
                assertThat(trial.count(consumers, "duplicated")).isZero();
            }
        }
    }

    /**
     * It has logged out, but does not read what is pending for it: until that is given up, and
     * after.
     */
    @Test
    void shouldCountWhatAConsumerGotThatEndsWithMessagesWaiting() throws Exception {
        final int messages = 140;
        try (Trial trial =
                        new Trial(Map.of()).gateway(Map.of("workers", 1, "fanOut", "all")).start();
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
            final GatewayEngine engine = ((Gateway) trial.role("gateway")).engine();
            try (RawClient consumer =
                    RawClient.withLittleRoom(trial.port("fixConsumers"), "CONSUMER1")) {
                for (int i = 0; i < messages; i++) {
                    producer.say("W", "55=A|58=" + "x".repeat(60_000) + "|268=0|");
                }
                while (engine.counts().get(GatewayCounts.IN) < messages) {
                    producer.settle();
                }
                final long out = engine.counts().get(GatewayCounts.OUT);
                assertThat(out).isPositive().isLessThan(messages);
                consumer.say("5", "");
                while (engine.consumers() > 0) {
                    assertThat(engine.counts()).containsEntry(GatewayCounts.OUT, out);
                    producer.settle();
                }
                assertThat(engine.counts()).containsEntry(GatewayCounts.OUT, out);
            }
        }
    }

    /** Its Logon is right but for its number, which only shows once it is admitted. */
    @Test
    void shouldNotCountAProducerThatIsRefused() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of("workers", 1)).start();
                RawClient good = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
            final GatewayEngine engine = ((Gateway) trial.role("gateway")).engine();
            try (RawClient first = new RawClient(trial.port("fixProducers"), "PRODUCER2")) {
                first.settle();
            }
            while (engine.producers() > 1) {
                good.settle();
            }
            assertThatThrownBy(() -> new RawClient(trial.port("fixProducers"), "PRODUCER2"))
                    .hasMessage("not logged on");
            good.settle();

            assertThat(engine.producers()).isEqualTo(1);
            assertThat(engine.producersEver()).isEqualTo(2);
        }
    }

    @Test
    void shouldCountWhatItRejectsAndSayWhyItRejectedTheFirst() throws Exception {
        final Path message = folder.resolve("twice.fix");
        java.nio.file.Files.writeString(message, "35=8|37=1|37=2|");
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of())
                        .producers(
                                Map.of("messages", 10, "rate", 1000, "message", message.toString()))
                        .start()) {
            assertThat(trial.count("producers", "sent")).isEqualTo(10);
            assertThat(trial.count("producers", "rejectsReceived"))
                    .as("those and the last word")
                    .isEqualTo(11);
            assertThat(trial.result("producers").steps().getFirst().reasons())
                    .containsExactly(
                            "The gateway rejected 11 messages, the first number 2, field 37:"
                                    + " Tag appears more than once.");
            assertThat(trial.count("gateway", GatewayCounts.REJECTS_SENT)).isEqualTo(11);
            assertThat(trial.count("gateway", GatewayCounts.IN)).isZero();
            assertThat(trial.context("gateway").lines())
                    .containsOnlyOnce(
                            "Message 2 (35=8) of PRODUCER1 was rejected: Tag appears more than once (37); further ones are "
                                    + "only counted.");
        }
    }

    @Test
    void shouldBringLongMessagesToTheConsumersOfEveryWorker() throws Exception {
        final String body = "55=A|58=" + "x".repeat(600_000) + "|268=0|";
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(
                                        Map.of(
                                                "workers",
                                                2,
                                                "fanOut",
                                                "all",
                                                "maxMessageBytes",
                                                1 << 20,
                                                "exitAtEnd",
                                                false))
                                .start();
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                RawClient here = new RawClient(trial.port("fixConsumers"), "CONSUMER1");
                RawClient there = new RawClient(trial.port("fixConsumers"), "CONSUMER2")) {
            producer.say("W", body);
            assertThat(here.hear()).isEqualTo("W|" + body);
            assertThat(there.hear()).isEqualTo("W|" + body);
        }
    }

    @Test
    void shouldRefuseASecondSessionOfTheSameName() throws Exception {
        try (Trial trial = new Trial(Map.of()).gateway(Map.of()).consumers(Map.of())) {
            assertThatThrownBy(() -> trial.consumers(Map.of()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("did not let a session log on");
        }
    }

    @Test
    void shouldSayThatAPortIsInUse() throws Exception {
        try (java.net.ServerSocket taken =
                        new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
                Trial trial = new Trial(Map.of())) {
            assertThatThrownBy(() -> trial.gateway(Map.of("consumersPort", taken.getLocalPort())))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("--consumers-port " + taken.getLocalPort())
                    .hasMessageContaining("give another port");
        }
    }

    @Test
    void shouldKeepNumbersInFilesOverARestart() throws Exception {
        final Map<String, Object> store = Map.of("store", "file", "storeDir", folder.toString());
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(store)
                        .consumers(Map.of())
                        .producers(SMALL_LOAD)
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(80);
        }
        try (io.tickmark.workloads.fix.session.FileStore kept =
                io.tickmark.workloads.fix.session.FileStore.open(folder, "CONSUMER1", 1 << 30, 0)) {
            assertThat(kept.nextOutgoing()).isGreaterThan(80);
            assertThat(kept.read(50, new byte[4096])).isPositive();
        }
    }

    @Test
    void shouldGoOnWhenAClientDies() throws Exception {
        try (Trial trial =
                new Trial(Map.of()).gateway(Map.of()).consumers(Map.of("consumers", 3))) {
            try (java.net.Socket rude =
                    new java.net.Socket(
                            java.net.InetAddress.getLoopbackAddress(),
                            trial.port("fixConsumers"))) {
                rude.getOutputStream().write("8=FIX.4.4\u00019=60000\u000135=W\u0001".getBytes());
            }
            try (java.net.Socket garbage =
                    new java.net.Socket(
                            java.net.InetAddress.getLoopbackAddress(),
                            trial.port("fixProducers"))) {
                garbage.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes());
                assertThat(garbage.getInputStream().read()).as("cut off").isEqualTo(-1);
            }
            trial.producers(SMALL_LOAD).start();
            assertThat(trial.count("consumers", "received")).isEqualTo(240);
        }
    }
}

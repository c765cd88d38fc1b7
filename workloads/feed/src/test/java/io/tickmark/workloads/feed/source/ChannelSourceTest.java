package io.tickmark.workloads.feed.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.transport.control.Control;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.client.ClientCounts;
import io.tickmark.workloads.feed.client.ClientGroup;
import io.tickmark.workloads.feed.serve.ChannelList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that receives its messages through an engine from a real publisher. */
class ChannelSourceTest {
    private static final long WAIT_NS = 120_000_000_000L;
    private static final int RATE = 5000;
    private static final long ENOUGH = 500;

    /** Of names that are those of the machine. */
    private static final long PID = ProcessHandle.current().pid();

    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);

    /** A publisher on a separate thread, until it is closed. */
    private static final class Publisher implements AutoCloseable {
        private final AtomicBoolean isStopped = new AtomicBoolean();
        private final Exchange exchange;
        private final Thread thread;

        Publisher(final String channel) {
            final ChannelUri uri = ChannelUri.parse(channel);
            exchange =
                    new Transports()
                            .of(uri)
                            .exchange(
                                    uri,
                                    Topic.of(List.of("feed")).getFirst(),
                                    ExchangeSide.BIND,
                                    0);
            thread = Thread.ofPlatform().daemon().start(this::run);
        }

        String channel() {
            return exchange.channel().toString();
        }

        private void run() {
            final FeedSender sender =
                    new FeedSender(
                            FeedPlan.of(feed(Map.of("symbols", 20, "rate", RATE))),
                            exchange,
                            SystemNanoClock.INSTANCE,
                            new Control((int) System.nanoTime() | 1));
            while (sender.receivers() == 0 && !isStopped.get()) {
                sender.attend();
                LockSupport.parkNanos(100_000);
            }
            sender.start(System.nanoTime());
            while (!isStopped.get()) {
                if (sender.send() + sender.attend() == 0) {
                    LockSupport.parkNanos(50_000);
                }
            }
        }

        @Override
        public void close() {
            isStopped.set(true);
            Threads.join(List.of(thread));
            exchange.close();
        }
    }

    private static FeedSettings feed(final Map<String, ?> values) {
        return Settings.read(FeedSettings.class, values, key -> key);
    }

    private static void awaitMore(final RunningServer server, final long than)
            throws InterruptedException {
        final long endNs = System.nanoTime() + WAIT_NS;
        while (server.hub().feedFigures().sent().get() <= than && System.nanoTime() < endNs) {
            Thread.sleep(5);
        }
        assertThat(server.hub().feedFigures().sent().get()).isGreaterThan(than);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"shm://tickmark-source-test-%d", "udp://127.0.0.1:0", "tcp://127.0.0.1:0"})
    void shouldPushWhatAPublisherSendsByAnEngine(final String channel) throws Exception {
        try (Publisher publisher = new Publisher(channel.formatted(PID));
                RunningServer server =
                        new RunningServer(Map.of("symbols", 20, "source", publisher.channel()))
                                .start();
                ClientGroup group = new ClientGroup(SystemNanoClock.INSTANCE, recording)) {
            awaitMore(server, 0);
            group.connect(
                    server.forClients(),
                    ChannelList.shipped().get("ws-binary"),
                    RunningServer.session(Map.of("conflation", "buffer")));
            assertThat(group.awaitOpen(WAIT_NS)).isTrue();
            final long nowNs = System.nanoTime();
            group.measure(nowNs, nowNs + WAIT_NS, () -> group.counts().received().get() > ENOUGH);
            assertThat(group.finish(WAIT_NS)).isTrue();
            final ClientCounts figures = group.counts();
            final double seconds = (System.nanoTime() - nowNs) / 1e9;
            // due in the measured time on the publisher's schedule: it is one clock
            assertThat(figures.received().get()).isBetween(ENOUGH, 1 + (long) (RATE * seconds));
            assertThat(figures.lost().get()).isZero();
            assertThat(server.hub().feedFigures().skipped().get()).isZero();
        }
    }

    @Test
    void shouldHearAPublisherThatComesLaterAndOneThatComesAgain() throws Exception {
        final String channel = "shm://tickmark-source-again-" + PID;
        try (RunningServer server =
                new RunningServer(Map.of("symbols", 20, "source", channel)).start()) {
            try (Publisher first = new Publisher(channel)) {
                assertThat(first.channel()).isNotEmpty();
                awaitMore(server, 500);
            }
            try (Publisher second = new Publisher(channel)) {
                assertThat(second.channel()).isNotEmpty();
                awaitMore(server, server.hub().feedFigures().sent().get() + 500);
            }
            assertThat(server.hub().feedFigures().lost().get()).isZero();
        }
    }

    /** It acknowledged each end with nothing lost: the publisher passed. */
    @ParameterizedTest
    @ValueSource(strings = {"shm://tickmark-source-lost-%d", "udp://127.0.0.1:0"})
    void shouldTellAPublisherWhatItLost(final String channel) throws Exception {
        try (HandPublisher publisher = new HandPublisher(channel.formatted(PID));
                RunningServer server =
                        new RunningServer(Map.of("symbols", 3, "source", publisher.channel()))
                                .start()) {
            publisher.awaitReceiver();
            publisher.sendStream(-1, 1, 0);
            assertThat(publisher.end(-1, 1, 1)).as("the warm-up").isZero();
            for (final int number : new int[] {2, 3, 5}) {
                publisher.sendStream(0, 1, number);
            }
            assertThat(publisher.end(0, 1, 7)).as("head, middle and tail").isEqualTo(4);
            assertThat(server.hub().feedFigures().lost().get()).isEqualTo(4);
            for (final int number : new int[] {0, 1, 2}) {
                publisher.sendStream(1, 1, number);
            }
            assertThat(publisher.end(1, 1, 5)).as("the tail").isEqualTo(2);
            assertThat(server.hub().feedFigures().lost().get()).isEqualTo(4 + 2);
        }
    }

    @Test
    void shouldLeaveAnEndOpenWhereItCameLate() throws Exception {
        try (HandPublisher publisher = new HandPublisher("shm://tickmark-source-late-" + PID);
                RunningServer server =
                        new RunningServer(Map.of("symbols", 3, "source", publisher.channel()))
                                .start()) {
            publisher.awaitReceiver();
            publisher.sendStream(0, 1, 3);
            for (int times = 0; times < 5; times++) {
                publisher.announceEnd(0, 1, 4);
            }
            publisher.sendStream(1, 1, 0);
            assertThat(publisher.end(1, 1, 1)).isZero();
            assertThat(publisher.repliedSteps()).containsOnly(1);
            assertThat(server.hub().feedFigures().lost().get()).isZero();
        }
    }

    @Test
    void shouldSkipSymbolsBeyondItsOwn() throws Exception {
        try (Publisher publisher = new Publisher("shm://tickmark-source-small-" + PID);
                RunningServer server =
                        new RunningServer(Map.of("symbols", 5, "source", publisher.channel()))
                                .start()) {
            awaitMore(server, 100);
            assertThat(server.hub().feedFigures().skipped().get()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "udp://nowhere|1|--source: --channel udp://nowhere",
                "pigeon://x|1|no transport for scheme 'pigeon'",
                "shm://x|2|--threads 2: one thread receives from a channel",
                "/nowhere/prices.csv|1|--source /nowhere/prices.csv: cannot be read"
            })
    void shouldSayWhatIsWrongWithASource(
            final String source, final int threads, final String words) {
        assertThatThrownBy(() -> FeedPlan.of(feed(Map.of("source", source, "threads", threads))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(words);
    }
}

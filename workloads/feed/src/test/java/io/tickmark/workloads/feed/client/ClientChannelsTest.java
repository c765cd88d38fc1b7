package io.tickmark.workloads.feed.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.serve.ChannelList;
import java.util.Map;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headless clients by every channel, against the real server. */
class ClientChannelsTest {
    private static final int CLIENTS = 20;
    private static final long WAIT_NS = 30_000_000_000L;
    private static final String TOKEN = "a-token-of-a-test-01";

    private static RunningServer server;

    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);

    @BeforeAll
    static void start() {
        server = new RunningServer(Map.of("symbols", 10, "rate", 2000)).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ClientGroup group() {
        return new ClientGroup(SystemNanoClock.INSTANCE, recording);
    }

    @ParameterizedTest
    @CsvSource({
        "ws-binary, 0ms",
        "ws-binary, 2ms",
        "ws-json, 0ms",
        "ws-json, 2ms",
        "events, 0ms",
        "events, 2ms",
        "stream, 0ms",
        "stream, 2ms",
        "polling, 0ms",
        "polling, 2ms"
    })
    void shouldReceiveEverythingOnceByEveryChannel(final String channel, final String flush) {
        try (ClientGroup group = group()) {
            for (int i = 0; i < CLIENTS; i++) {
                group.connect(
                        server.forClients(),
                        ChannelList.shipped().get(channel),
                        RunningServer.session(Map.of("conflation", "buffer", "flush", flush)));
            }
            assertThat(group.awaitOpen(WAIT_NS)).as("%s", group.surprises()).isTrue();
            final long nowNs = System.nanoTime();
            group.measure(nowNs, nowNs + 400_000_000L, () -> false);
            assertThat(group.finish(WAIT_NS)).as("every session told its end").isTrue();
            assertThat(group.surprises()).isEmpty();
            final ClientFigures figures = group.figures();
            assertThat(figures.lost()).isZero();
            assertThat(figures.duplicated()).isZero();
            assertThat(figures.received()).isGreaterThan(CLIENTS * 100);
        }
    }

    @Test
    void shouldSayWhyASessionWasRefused() {
        try (ClientGroup group = group()) {
            group.connect(
                    server.forClients(),
                    ChannelList.shipped().get("stream"),
                    RunningServer.session(Map.of("firstSymbol", 5, "symbolCount", 6)));
            assertThat(group.awaitOpen(WAIT_NS)).isFalse();
            assertThat(group.surprises())
                    .singleElement()
                    .asString()
                    .contains("the feed has 10 symbols");
        }
    }

    @Test
    void shouldSayThatNobodyKnowsTheServersName() {
        try (ClientGroup group = group()) {
            assertThatThrownBy(() ->
                            group.connect(
                                    ServerAddress.of("http://no-such-host.invalid:1", ""),
                                    ChannelList.shipped().get("stream"),
                                    RunningServer.session(Map.of())))
                    .hasMessageContaining("nobody knows a host of that name");
        }
    }

    @ParameterizedTest
    @CsvSource({"ws-binary", "events", "polling"})
    void shouldGiveItsTokenToAServerThatAsksForOne(final String channel) {
        try (RunningServer guarded =
                        new RunningServer(Map.of("symbols", 10, "rate", 2000), TOKEN).start();
                ClientGroup known = group();
                ClientGroup stranger = group()) {
            known.connect(
                    guarded.forClients(),
                    ChannelList.shipped().get(channel),
                    RunningServer.session(Map.of()));
            assertThat(known.awaitOpen(WAIT_NS)).as("%s", known.surprises()).isTrue();
            assertThat(known.finish(WAIT_NS)).isTrue();
            stranger.connect(
                    ServerAddress.of(guarded.address().toString(), ""),
                    ChannelList.shipped().get(channel),
                    RunningServer.session(Map.of()));
            assertThat(stranger.awaitOpen(WAIT_NS)).isFalse();
            assertThat(stranger.surprises())
                    .singleElement()
                    .asString()
                    .contains("A token is needed", "--token");
        }
    }

    @Test
    void shouldSayThatThereIsNoServer() {
        try (ClientGroup group = group()) {
            assertThatThrownBy(() ->
                            group.connect(
                                    ServerAddress.of("http://127.0.0.1:1", ""),
                                    ChannelList.shipped().get("polling"),
                                    RunningServer.session(Map.of())))
                    .hasMessageContaining("client 1 cannot connect");
        }
    }
}

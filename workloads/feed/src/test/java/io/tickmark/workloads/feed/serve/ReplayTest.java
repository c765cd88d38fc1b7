package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.RunningServer;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guaranteed sessions that go on after their connection broke, by every channel. */
class ReplayTest {
    /** A busy machine may keep what it sends for a minute: the usual limit is half of that. */
    private static final String GUARANTEED = "guaranteed=true&conflation=buffer&limitBytes=100M";

    private RunningServer server;
    private HttpClient http;

    @BeforeEach
    void start() {
        server = new RunningServer(Map.of("symbols", 10, "rate", 3000)).start();
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        server.close();
    }

    private BreakingClient client(final String channel) {
        return new BreakingClient(server, ChannelList.shipped().get(channel), http);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws-binary", "ws-json", "events", "stream", "polling"})
    void shouldSendAgainAfterAReconnectWhatWasNotAcknowledged(final String channel)
            throws Exception {
        final BreakingClient first = client(channel).take(GUARANTEED, 300, false);
        final long has = first.ordinals().get(99);
        final BreakingClient second =
                client(channel)
                        .take(
                                GUARANTEED + "&session=" + first.session() + "&after=" + has,
                                first.ordinals().getLast() + 500,
                                true);
        assertThat(second.session()).isEqualTo(first.session());
        assertThat(second.hello().path("missing").asLong(-1)).isZero();
        assertThat(second.ordinals())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(has + 1, second.ordinals().getLast())
                                .boxed()
                                .toList());
        assertThat(server.hub().figures().counts().opened().get())
                .as("it is the same session")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws-binary", "ws-json", "events", "stream", "polling"})
    void shouldReportHowManyAreGoneWhereTheClientAcknowledgedThem(final String channel)
            throws Exception {
        final BreakingClient first = client(channel).take(GUARANTEED, 300, true);
        final BreakingClient second =
                client(channel)
                        .take(GUARANTEED + "&session=" + first.session() + "&after=0", 1000, true);
        final long missing = second.hello().path("missing").asLong();
        assertThat(missing).isPositive();
        assertThat(second.ordinals().getFirst()).isEqualTo(missing + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws-binary", "ws-json", "events", "stream", "polling"})
    void shouldNotContinueASessionThatIsUnknown(final String channel) throws Exception {
        for (final String after : new String[] {"", "&after=50"}) {
            final BreakingClient stranger = client(channel).take("session=ffff" + after, 1, true);
            assertThat(stranger.end().path("reason").asString(""))
                    .contains("There is no such session to continue");
            assertThat(stranger.ordinals()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws-json", "polling"})
    void shouldNotContinueASessionOfBestEffort(final String channel) throws Exception {
        final BreakingClient first = client(channel).take("", 10, true);
        final BreakingClient second =
                client(channel).take("session=" + first.session() + "&after=5", 100, true);
        assertThat(second.end().path("reason").asString("")).contains("it was never guaranteed");
    }
}

package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportContractTest;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of an engine with a broker: all tests of a class through one server, which stands
 * for a given one, each with its own prefix. Where the server's program is missing, the tests are
 * skipped and say why.
 */
public abstract class BrokerContractTest extends TransportContractTest {
    /** A break that has lasted for so long is reported. */
    private static final long REGULAR_END_NS = 2_000_000_000;

    private static Exchange keeper;
    private static int tests;

    /** For subclasses. */
    protected BrokerContractTest() {}

    @Override
    protected abstract BrokerTransport<?> transport();

    /**
     * What the engine refuses, besides addresses that no broker has.
     *
     * @return channels without their scheme and colon
     */
    protected abstract List<String> refused();

    /** {@return whether the contract starts a server again that it has killed} */
    protected boolean isStartedAgain() {
        return true;
    }

    @BeforeEach
    final void needServer() {
        assumeTrue(transport().missing().isEmpty(), () -> transport().missing().orElseThrow());
    }

    @AfterAll
    static void endServer() {
        CloseHelper.quietClose(keeper);
        keeper = null;
    }

    /** {@return the address of the server of this class, which is started where it does not run} */
    protected final String authority() {
        if (keeper == null) {
            keeper =
                    transport()
                            .exchange(
                                    ChannelUri.parse(transport().scheme() + ":"),
                                    Topic.DEFAULT,
                                    ExchangeSide.BIND,
                                    0);
        }
        return keeper.channel().authority();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "%s://%s?prefix=test-%d".formatted(transport().scheme(), authority(), ++tests));
    }

    /** Topics share their server. */
    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected final List<ChannelUri> badAddresses() {
        return Stream.concat(
                        Stream.of(
                                "//127.0.0.1:port",
                                "//127.0.0.1:70000",
                                "//[::1:1",
                                "//127.0.0.1:4000,127.0.0.1:0"),
                        refused().stream())
                .map(each -> ChannelUri.parse(transport().scheme() + ":" + each))
                .toList();
    }

    @Test
    void shouldReportHowManyThreadsItsClientKeepsBusy() {
        final ChannelUri channel = channel();
        final int threads = transport().busyThreads(channel, ExchangeSide.CONNECT);
        try (Exchange bound = transport().exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0);
                Exchange connected =
                        transport()
                                .exchange(
                                        bound.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            assertThat(
                            List.of(
                                    bound.publication().facts(),
                                    bound.subscription().facts(),
                                    connected.publication().facts(),
                                    connected.subscription().facts()))
                    .allSatisfy(facts -> assertThat(facts).containsEntry("clientThreads", threads));
        }
    }

    /**
     * The side that has started a server ends it when it is done, and others are asked for their
     * errors a moment later.
     */
    @Test
    @Timeout(300)
    void shouldNotCallTheRegularEndOfAServerABreak() throws InterruptedException {
        Asked asked;
        do {
            asked = askedAfterTheEnd();
        } while (asked.afterNs() >= REGULAR_END_NS); // the machine stood still

        assertThat(asked.errors()).isEmpty();
    }

    /** Messages of that time may be missing, and nothing else would say why. */
    @Test
    @Timeout(300)
    void shouldReportAConnectionThatBroke(@TempDir final Path folder) {
        try (BrokerServers<?> servers = servers(transport(), folder)) {
            servers.start();
            final ChannelUri given =
                    ChannelUri.parse(
                            "%s://%s"
                                    .formatted(
                                            transport().scheme(),
                                            servers.addresses().getFirst().authority()));
            try (Publication publication = transport().publication(given, Topic.DEFAULT);
                    Subscription subscription = transport().subscription(given, Topic.DEFAULT)) {
                Waiting.until(
                        "a message passes", () -> passes((byte) 1, publication, subscription));
                assertThat(subscription.engineErrors()).isEmpty();
                servers.kill(1);
                Waiting.until(() -> !subscription.isConnected());

                if (isStartedAgain()) {
                    servers.restart(1);
                    Waiting.until(
                            "a new message passes",
                            () -> passes((byte) 2, publication, subscription));
                }
                Waiting.until("it is reported", () -> subscription.engineErrors().isPresent());
            }
        }
    }

    /** The side that has started it knows; the other side only that its connection broke. */
    @Test
    @Timeout(300)
    void shouldSayThatAServerThatItStartedHasEnded() {
        final Set<Long> before = EngineProcesses.pids();
        final ChannelUri own = ChannelUri.parse(transport().scheme() + ":");
        try (Exchange ours = transport().exchange(own, Topic.DEFAULT, ExchangeSide.BIND, 0)) {
            assertThat(ours.note()).isEmpty();
            assertThat(ours.publication().facts()).doesNotContainKey(RoleSummary.SERVER_GONE);
            EngineProcesses.pids().stream()
                    .filter(pid -> !before.contains(pid))
                    .forEach(
                            pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));

            final String ended =
                    "The %s that tickmark started has ended (killed by SIGKILL)"
                            .formatted(transport().serverTitle());
            Waiting.until(
                    "it is reported",
                    () -> ours.publication().engineErrors().orElse("").contains(ended));
            assertThat(ours.publication().facts()).containsEntry(RoleSummary.SERVER_GONE, true);
            assertThat(ours.note().orElseThrow().split("(?<=[.;]) ")).doesNotHaveDuplicates();
            assertThatThrownBy(() -> transport().publication(ours.channel(), Topic.DEFAULT).close())
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(ended.substring(1))
                    .message()
                    .doesNotContain("let it be started", "start one");
        }
    }

    /** The words of its client's library are not for users, and name neither. */
    @ParameterizedTest
    @Timeout(300)
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "-ERR unknown command\r\n"})
    void shouldSayThatWhatListensIsSomethingElse(final String answer) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(listening, answer));
            final ChannelUri channel =
                    ChannelUri.parse(
                            "%s://127.0.0.1:%d"
                                    .formatted(transport().scheme(), listening.getLocalPort()));

            assertThatThrownBy(() -> transport().publication(channel, Topic.DEFAULT).close())
                    .isInstanceOf(UserError.class)
                    .hasMessageMatching(
                            "--channel \\S+: no .+ answers there: what listens does not speak its protocol, or"
                                    + " stands still; give the address of one, or let it be started with"
                                    + " \\?start at a free port( \\(.+\\))?\\.");
        }
    }

    private static void answer(final ServerSocket listening, final String answer) {
        try {
            while (true) {
                try (Socket one = listening.accept()) {
                    one.getInputStream().read(new byte[4096]);
                    one.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                } catch (final SocketException e) {
                    if (listening.isClosed()) {
                        return;
                    }
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <P extends Record> BrokerServers<P> servers(
            final BrokerTransport<P> transport, final Path folder) {
        return transport.servers(
                transport.channel(ChannelUri.parse(transport.scheme() + ":")), folder, false);
    }

    /** Those that were sent before do not count. */
    private static boolean passes(
            final byte mark, final Publication publication, final Subscription subscription) {
        publication.offer(new UnsafeBuffer(new byte[] {mark}), 0, 1);
        publication.flush();
        publication.doWork();
        final boolean[] passes = {false};
        subscription.poll(
                (buffer, offset, length) -> passes[0] |= buffer.getByte(offset) == mark, 9);
        return passes[0];
    }

    /**
     * Errors of a side whose server was ended.
     *
     * @param afterNs at most so long after it noticed
     */
    private record Asked(Optional<String> errors, long afterNs) {}

    private Asked askedAfterTheEnd() throws InterruptedException {
        final ChannelUri own = ChannelUri.parse(transport().scheme() + ":");
        try (Exchange ours = transport().exchange(own, Topic.DEFAULT, ExchangeSide.BIND, 0);
                Exchange theirs =
                        transport()
                                .exchange(ours.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            Waiting.until(() -> theirs.subscription().isConnected());
            final long[] servedNs = {SystemNanoClock.INSTANCE.nanoTime()};
            final Thread ending = Thread.ofPlatform().start(ours::close);
            Waiting.until(() -> {
                final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
                if (!theirs.subscription().isConnected()) {
                    return true;
                }
                servedNs[0] = nowNs;
                return false;
            });
            final Optional<String> errors = theirs.note();
            final long askedNs = SystemNanoClock.INSTANCE.nanoTime();
            ending.join();
            return new Asked(errors, askedNs - servedNs[0]);
        }
    }
}

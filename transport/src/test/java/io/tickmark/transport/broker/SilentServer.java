package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Something that listens where a server is expected: it takes connections and says nothing. */
public final class SilentServer implements AutoCloseable {
    /** Less than the minute in which ends have to be connected, if not asked otherwise. */
    private static final Duration LONGEST =
            Duration.ofSeconds(45L * Integer.getInteger("tickmark.test.patience", 1));

    private static final int MOST_CONNECTIONS = 50;

    private final ServerSocket socket;

    /**
     * Listens; the system takes the connections.
     *
     * @throws IOException if no port is free
     */
    public SilentServer() throws IOException {
        socket = new ServerSocket(0, MOST_CONNECTIONS, InetAddress.getLoopbackAddress());
    }

    /**
     * No end of any topic can be opened there, nor the store where there is one, and each says so
     * in time.
     *
     * @param transport whose server it would be
     * @param parameters of the channel, such as {@code ?qos=1}, or none
     * @param folder for a store
     * @param sentence asserts what is said, which is a single one that names the channel
     */
    public void refuses(
            final Transport transport,
            final String parameters,
            final Path folder,
            final Consumer<UserError> sentence) {
        final String address = transport.scheme() + "://127.0.0.1:" + socket.getLocalPort();
        final ChannelUri channel = ChannelUri.parse(address + parameters);
        final List<FutureTask<UserError>> refusals = new ArrayList<>();
        refusals.add(refusal(() -> transport.publication(channel, Topic.DEFAULT).close()));
        refusals.add(refusal(() -> transport.subscription(channel, Topic.DEFAULT).close()));
        if (transport instanceof final DurableTransport stored) {
            refusals.add(refusal(() -> stored.durablePublication(channel, Topic.DEFAULT).close()));
            refusals.add(
                    refusal(() -> stored.durableSubscription(channel, Topic.DEFAULT, 0).close()));
            refusals.add(refusal(() -> stored.store(channel, folder).start()));
        }
        assertThat(refusals)
                .allSatisfy(each ->
                        assertThat(each)
                                .succeedsWithin(
                                        LONGEST,
                                        InstanceOfAssertFactories.throwable(UserError.class))
                                .satisfies(error -> {
                                    assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
                                    assertThat(error.getMessage())
                                            .startsWith("--channel " + address)
                                            .endsWith(".")
                                            .doesNotContain("\n", "Exception");
                                })
                                .satisfies(sentence));
    }

    /** On a thread of its own: what hangs cannot always be interrupted. */
    private static FutureTask<UserError> refusal(final ThrowingCallable opening) {
        final FutureTask<UserError> refusal =
                new FutureTask<>(() -> catchThrowableOfType(UserError.class, opening));
        Thread.ofPlatform().daemon().name("opening").start(refusal);
        return refusal;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

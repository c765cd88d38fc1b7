package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.AuthenticationFailureException;
import com.rabbitmq.stream.BackOffDelayPolicy;
import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerBuilder;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.EnvironmentBuilder;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.ProducerBuilder;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamCreator;
import com.rabbitmq.stream.StreamException;
import com.rabbitmq.stream.StreamNotAvailableException;
import com.rabbitmq.stream.compression.Compression;
import com.rabbitmq.stream.compression.CompressionCodec;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Credentials;
import io.tickmark.transport.broker.LastingConnection;
import io.tickmark.transport.broker.Patience;
import io.tickmark.transport.broker.StoredMessage;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/**
 * A client of RabbitMQ's stream protocol ("RabbitMQ Stream Java Client", "RabbitMQ Stream
 * Protocol"): its connections and one thread that serves them. A connection that breaks is
 * restored, with its producers and consumers. Any thread.
 */
final class StreamClient implements AutoCloseable {
    /** What a frame has beside the message: header, ids, and AMQP 1.0 around the payload. */
    static final int FRAME_OVERHEAD_BYTES = 1024;

    private static final byte[] NO_BODY = {};

    /** Default of server and client. */
    private static final int USUAL_FRAME_BYTES = 1 << 20;

    /** A server on a busy machine, or with a slow disk, may need long to answer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * A reader that was placed in a segment which the server deletes at that moment gets nothing
     * for ever; one that is placed anew begins with the next segment.
     */
    private static final long READ_AGAIN_MS = 5_000;

    /** For somebody else's server, which runs already, or is none. */
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private static final Duration RECOVERY = Duration.ofMillis(200);
    private static final Duration ELECTION = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int SEGMENTS = 10;
    private static final String GUEST = "guest";

    private final BrokerChannel<StreamParameters> channel;
    private final EventLoopGroup thread;
    private final Environment environment;

    /**
     * Connects.
     *
     * @throws UserError of kind environment that says what to do
     */
    StreamClient(final BrokerChannel<StreamParameters> channel) {
        this.channel = channel;
        thread =
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory("rabbitmq-stream", true),
                        NioIoHandler.newFactory());
        try {
            environment = connected(channel, thread);
        } catch (final RuntimeException e) {
            endThread();
            throw e;
        }
    }

    private static Environment connected(
            final BrokerChannel<StreamParameters> channel, final EventLoopGroup thread) {
        final StreamParameters parameters = channel.parameters();
        try {
            return inTime(
                    Environment.builder()
                            .host(channel.address().address().getHostAddress())
                            .port(channel.address().port())
                            .username(parameters.credentials().user())
                            .password(password(channel))
                            .virtualHost(parameters.virtualHost())
                            .rpcTimeout(TIMEOUT)
                            .compressionCodecFactory(StreamClient::uncompressed)
                            .requestedMaxFrameSize(frameBytes(parameters))
                            .recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixed(RECOVERY))
                            .topologyUpdateBackOffDelayPolicy(
                                    BackOffDelayPolicy.fixedWithInitialDelay(RECOVERY, RECOVERY))
                            .netty()
                            .eventLoopGroup(thread)
                            .environmentBuilder(),
                    longestConnecting(channel));
        } catch (final AuthenticationFailureException e) {
            throw channel.failed(
                    "the server refuses the user '%s' (%s); give the right one with ?user= and ?passwordFile="
                            .formatted(parameters.credentials().user(), EngineErrors.said(e)),
                    e);
        } catch (final StreamException e) {
            throw EngineErrors.said(e).contains("VIRTUAL_HOST_ACCESS_FAILURE")
                    ? channel.failed(
                            "the server has no virtual host '%s' for this user; give another with ?virtualHost="
                                    .formatted(parameters.virtualHost()),
                            e)
                    : channel.unanswered(
                            "RabbitMQ stream server (plugin rabbitmq_stream, port 5552)",
                            EngineErrors.said(e),
                            e);
        }
    }

    /** A server of ours may have just started, on a busy machine. */
    static Duration longestConnecting(final BrokerChannel<StreamParameters> channel) {
        return channel.startsServers() ? TIMEOUT : CONNECT;
    }

    /**
     * Connects, or gives up, as where something else listens: the client by itself waits for its
     * first answer as long as for any other, and then for one to its good-bye.
     *
     * @throws StreamException if it is not connected in time
     */
    private static Environment inTime(final EnvironmentBuilder builder, final Duration longest) {
        final CompletableFuture<Environment> connecting =
                CompletableFuture.supplyAsync(
                        builder::build,
                        task ->
                                Thread.ofPlatform()
                                        .daemon()
                                        .name("rabbitmq-stream-connect")
                                        .start(task));
        try {
            return connecting.get(longest.toSeconds(), TimeUnit.SECONDS);
        } catch (final ExecutionException e) {
            throw e.getCause() instanceof final StreamException refused
                    ? refused
                    : new StreamException(e.getCause());
        } catch (final TimeoutException e) {
            connecting.thenAccept(BoundedClose::of); // it would come too late
            throw new StreamException("no answer within %d s".formatted(longest.toSeconds()));
        } catch (final InterruptedException e) {
            connecting.thenAccept(BoundedClose::of); // nobody would have it
            Thread.currentThread().interrupt();
            throw new StreamException(e);
        }
    }

    /** What a refusal of a message by the client means: longer than a frame of the server. */
    static String tooLong(final IllegalArgumentException refusal) {
        return ("the server accepts no message of this length (%s); give a smaller ?maxPayloadBytes= and smaller "
                        + "messages, or raise stream.frame_max in its rabbitmq.conf")
                .formatted(EngineErrors.said(refusal));
    }

    /** Tests compress nothing, so that libraries for it are left out. */
    private static CompressionCodec uncompressed(final Compression compression) {
        throw new IllegalStateException(
                "another program has written batches compressed with " + compression);
    }

    private static String password(final BrokerChannel<StreamParameters> channel) {
        final Credentials credentials = channel.parameters().credentials();
        return credentials.passwordFile().isEmpty() || channel.startsServers()
                ? GUEST
                : credentials.password(channel);
    }

    /** Longest frame that both sides have to allow. */
    static int frameBytes(final StreamParameters parameters) {
        return Math.max(
                USUAL_FRAME_BYTES,
                parameters.broker().maxPayloadBytes()
                        + StoredMessage.TRAILER_BYTES
                        + FRAME_OVERHEAD_BYTES);
    }

    /** Whether there is a stream; waits until a server that has just started can say so. */
    boolean exists(final String stream) {
        try {
            return patiently(() -> environment.streamExists(stream));
        } catch (final StreamException e) {
            throw refused("the stream '%s' is not available".formatted(stream), e);
        }
    }

    /**
     * Creates a stream where it does not exist.
     *
     * @param isPlain whether the server keeps only its end
     * @throws UserError where it exists with other settings
     */
    void declare(final String stream, final boolean isPlain) {
        final StreamCreator creator = environment.streamCreator().stream(stream);
        if (isPlain) {
            final long keepBytes = channel.parameters().keepBytes();
            creator.maxLengthBytes(ByteCapacity.B(keepBytes))
                    .maxSegmentSizeBytes(ByteCapacity.B(Math.min(keepBytes, 1L << 30) / SEGMENTS));
        }
        try {
            patiently(() -> {
                creator.create();
                return stream;
            });
        } catch (final StreamException e) {
            throw channel.failed(
                    e.getCode() == Constants.RESPONSE_CODE_PRECONDITION_FAILED
                            ? "the stream '%s' exists with other settings; delete it there, or give ?prefix="
                                    .formatted(stream)
                            : "the server refuses the stream '%s' (%s); see its log"
                                    .formatted(stream, EngineErrors.said(e)),
                    e);
        }
    }

    /**
     * Tries again while the server still elects who leads a stream, as after it was started: it
     * refuses for that time, with these codes, or breaks connections, or the client finds no
     * leader.
     *
     * @throws StreamException the last refusal
     */
    static <T> T patiently(final Supplier<T> request) {
        try {
            return new Patience(ELECTION, PAUSE).ask(request::get, StreamClient::passes);
        } catch (final IllegalStateException e) {
            throw new StreamException(e);
        }
    }

    /**
     * The same for what is open from then on. Each attempt has a listener of its own: what one that
     * failed is told, perhaps later, is no break of what was opened.
     *
     * @param opening opens it with this listener
     * @param broken called once or more when its connection has broken, by any thread
     * @throws StreamException the last refusal
     */
    static <T> T patiently(
            final Function<Resource.StateListener, T> opening, final Runnable broken) {
        return patiently(() -> {
            final AtomicBoolean isBroken = new AtomicBoolean();
            final AtomicBoolean isOpen = new AtomicBoolean();
            final T opened =
                    opening.apply(
                            whenBroken(() -> {
                                isBroken.set(true);
                                if (isOpen.get()) {
                                    broken.run();
                                }
                            }));
            isOpen.set(true);
            if (isBroken.get()) {
                broken.run(); // it broke a moment ago
            }
            return opened;
        });
    }

    private static boolean passes(final Exception refusal) {
        return refusal instanceof IllegalStateException
                || refusal instanceof final StreamException e
                        && (e.getCode() == Constants.RESPONSE_CODE_INTERNAL_ERROR
                                || e.getCode() == Constants.RESPONSE_CODE_STREAM_NOT_AVAILABLE
                                || e instanceof StreamNotAvailableException
                                // what the client makes of a connection that was closed instead of
                                // an answer
                                || e.getCause() instanceof NullPointerException);
    }

    /**
     * The offset of the first message that a stream still has; everything before was deleted. Reads
     * the stream's beginning, as servers before 3.11 do not report it.
     *
     * @throws StreamException if the server does not give it
     */
    long firstOffset(final String stream) {
        for (long waitedMs = 0; waitedMs < TIMEOUT.toMillis(); waitedMs += READ_AGAIN_MS) {
            final CompletableFuture<Long> first = new CompletableFuture<>();
            final Consumer reading =
                    consumer(stream, OffsetSpecification.first())
                            .messageHandler((context, message) -> first.complete(context.offset()))
                            .build();
            try {
                return first.get(READ_AGAIN_MS, TimeUnit.MILLISECONDS);
            } catch (final ExecutionException e) {
                throw new StreamException("the stream cannot be read", e);
            } catch (final TimeoutException _) {
                // placed anew
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StreamException("reading the stream was interrupted", e);
            } finally {
                BoundedClose.of(reading);
            }
        }
        throw new StreamException(
                "nothing of it was read within %d s".formatted(TIMEOUT.toSeconds()));
    }

    /** Deletes a stream, where it exists. */
    void delete(final String stream) {
        try {
            environment.deleteStream(stream);
        } catch (final StreamException e) {
            if (e.getCode() != Constants.RESPONSE_CODE_STREAM_DOES_NOT_EXIST) {
                throw refused("the stream '%s' cannot be deleted".formatted(stream), e);
            }
        }
    }

    /** A producer that never blocks its caller as long as its messages in flight are limited. */
    ProducerBuilder producer(final String stream) {
        return environment.producerBuilder().stream(stream)
                .batchSize(channel.parameters().batch())
                .maxUnconfirmedMessages(channel.parameters().limits().maxFlight() + 1)
                .retryOnRecovery(false);
    }

    /** A consumer that is sent more as soon as half of what it has was processed. */
    ConsumerBuilder consumer(final String stream, final OffsetSpecification from) {
        return environment.consumerBuilder().stream(stream)
                .offset(from)
                .noTrackingStrategy()
                .flow()
                .strategy(
                        ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(
                                channel.parameters().credits()))
                .builder();
    }

    /**
     * The body of a message as we write it; empty where another program has written something else
     * than bytes, or no body at all, which no message of ours is.
     */
    static byte[] body(final Message message) {
        try {
            final byte[] body = message.getBodyAsBinary();
            return body == null ? NO_BODY : body;
        } catch (final IllegalStateException _) {
            return NO_BODY;
        }
    }

    /**
     * Returns once the server has opened a stream, also where it accepts no producer.
     *
     * @throws UserError if it does not
     */
    void awaitReadable(final String stream) {
        try {
            patiently(
                            consumer(stream, OffsetSpecification.next())
                                            .messageHandler((context, message) -> {})
                                    ::build)
                    .close();
        } catch (final StreamException e) {
            throw refused("the stream '%s' cannot be read".formatted(stream), e);
        }
    }

    /** The error for a refusal of the server after which the caller cannot continue. */
    UserError refused(final String what, final Exception e) {
        return channel.failed("%s: %s".formatted(what, EngineErrors.said(e)), e);
    }

    /**
     * A client that is made again when a connection breaks. The client's own recovery ends for good
     * where a server that has just started says that it has no such stream, which it does until it
     * has read all of them, or answers the client's first questions too late.
     *
     * @throws UserError of kind environment that says what to do
     */
    static LastingConnection<StreamClient> lasting(final BrokerChannel<StreamParameters> channel) {
        return new LastingConnection<>(
                "rabbitmq-reconnect", _ -> new StreamClient(channel), StreamClient::close);
    }

    /**
     * A producer or consumer whose connection broke says so. A producer is closed before the client
     * can restore it: the client would publish what it had taken but not sent yet, behind a hole of
     * what was on the way when the connection broke.
     *
     * @param broken called once or more, by a thread of the client
     */
    private static Resource.StateListener whenBroken(final Runnable broken) {
        final CountDownLatch closing = new CountDownLatch(1);
        return context -> {
            switch (context.currentState()) {
                case CLOSING -> closing.countDown();
                case RECOVERING -> broken.run();
                case CLOSED -> {
                    closing.countDown(); // with its client, which does not restore it, either
                    broken.run();
                }
                default -> {}
            }
            if (context.currentState() == Resource.State.RECOVERING
                    && context.resource() instanceof final Producer producer) {
                close(producer, closing);
            }
        };
    }

    /**
     * Returns once the closing has begun, after which the client no longer restores it. The closing
     * may wait for the server, for whose answers the thread that calls this is needed.
     */
    private static void close(final Producer broken, final CountDownLatch closing) {
        Thread.ofPlatform()
                .daemon()
                .name("rabbitmq-stream-broken")
                .start(() -> CloseHelper.quietClose(broken));
        try {
            closing.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What both ends of a channel report about it. */
    static Map<String, Object> facts(
            final BrokerChannel<StreamParameters> channel,
            final LastingConnection<StreamClient> client) {
        final Map<String, Object> facts = facts(channel);
        facts.put("reconnects", client.reconnects());
        return facts;
    }

    /** What both ends of a channel report about it; the client does not pass on the version. */
    static Map<String, Object> facts(final BrokerChannel<StreamParameters> channel) {
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("server", "RabbitMQ, stream protocol");
        facts.put("serverStartedHere", channel.startsServers());
        return facts;
    }

    @Override
    public void close() {
        BoundedClose.of(environment);
        endThread();
    }

    private void endThread() {
        thread.shutdownGracefully(0, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}

package io.tickmark.engines.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The client of one channel's end, with its own threads, which end with it. Any thread. */
final class RedisConnections implements AutoCloseable {
    static final int IO_THREADS = 2;
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Its fallback, the JDK's logging, would write to the user's terminal. */
    static {
        InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE);
    }

    /** To PING: RESP, "Simple strings". */
    private static final String ANSWER = "PONG";

    /** Longest argument of a command, which a message is: redis.conf. */
    private static final String MOST_BYTES = "proto-max-bulk-len";

    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private final BrokerChannel<RedisParameters> channel;
    private final ClientResources resources;
    private final RedisClient client;

    /** What answered when the first connection was opened. */
    private volatile String server = "";

    /**
     * Connects to nothing yet.
     *
     * @param reconnects whether a broken connection is restored; messages published meanwhile are
     *     not resent, as they could arrive twice
     */
    RedisConnections(final BrokerChannel<RedisParameters> channel, final boolean reconnects) {
        this.channel = channel;
        resources =
                DefaultClientResources.builder()
                        .ioThreadPoolSize(IO_THREADS)
                        .computationThreadPoolSize(IO_THREADS)
                        .build();
        client =
                RedisClient.create(
                        resources,
                        RedisURI.builder()
                                .withHost(channel.address().address().getHostAddress())
                                .withPort(channel.address().port())
                                .withTimeout(TIMEOUT)
                                .build());
        client.setOptions(
                ClientOptions.builder()
                        .autoReconnect(reconnects)
                        .replayFilter(RedisConnections::endsMessage)
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        // a command that waits is no refused one: a server that stood still runs it
                        .timeoutOptions(TimeoutOptions.create())
                        .build());
    }

    /**
     * Ends a message that the client would send again once it has connected again: what it does not
     * send again it leaves unanswered for ever.
     */
    static boolean endsMessage(final RedisCommand<?, ?, ?> command) {
        final boolean isMessage = command.getType() == CommandType.PUBLISH;
        if (isMessage) {
            command.completeExceptionally(new RedisException("the connection broke"));
        }
        return isMessage;
    }

    /** Whether a message has no answer because its connection broke, or was closed. */
    static boolean isBreak(final Throwable error) {
        return error instanceof IOException
                || error instanceof RedisException
                || error instanceof CancellationException;
    }

    StatefulRedisConnection<byte[], byte[]> open() {
        return connected(() -> {
            final StatefulRedisConnection<byte[], byte[]> connection =
                    ofRedis(client.connect(ByteArrayCodec.INSTANCE));
            if (server.isEmpty()) {
                requireRoomForMessages(connection);
                server = server(connection);
            }
            return connection;
        });
    }

    /**
     * The sequence of the last entry that a topic's stream ever had, see {@link StoredEntry#last};
     * all connections are closed where the server does not tell.
     *
     * @throws UserError with the reason
     */
    long last(final StatefulRedisConnection<byte[], byte[]> connection, final byte[] key) {
        try {
            return StoredEntry.last(channel, connection.sync(), key);
        } catch (final UserError e) {
            close();
            throw e;
        } catch (final RedisException e) {
            close();
            throw channel.failed("Redis refuses: " + EngineErrors.said(e), e);
        }
    }

    /** A longer one ends the connection as an error in the protocol, and messages before it. */
    private void requireRoomForMessages(final StatefulRedisConnection<byte[], byte[]> connection) {
        final String most;
        try {
            most = connection.sync().configGet(MOST_BYTES).getOrDefault(MOST_BYTES, "");
        } catch (final RedisCommandExecutionException e) {
            return; // a server that does not permit the question
        }
        if (!most.isEmpty()
                && channel.parameters().broker().maxPayloadBytes() > Long.parseLong(most)) {
            close();
            throw channel.wrong(
                    "the server takes messages of at most %1$s bytes; give ?maxPayloadBytes=%1$s or less, or raise its %2$s"
                            .formatted(most, MOST_BYTES));
        }
    }

    /** The client calls everything that answers a server, even what sends back what it is sent. */
    private static StatefulRedisConnection<byte[], byte[]> ofRedis(
            final StatefulRedisConnection<byte[], byte[]> connection) {
        try {
            final String answer = connection.sync().ping();
            if (!ANSWER.equals(answer)) {
                throw new RedisConnectionException("PING is answered with " + answer);
            }
        } catch (final RedisCommandExecutionException e) {
            return connection; // a server that does not permit the question
        }
        return connection;
    }

    StatefulRedisPubSubConnection<byte[], byte[]> openPubSub() {
        return connected(() -> client.connectPubSub(ByteArrayCodec.INSTANCE));
    }

    private <T> T connected(final Supplier<T> opening) {
        try {
            return opening.get();
        } catch (final RedisException e) {
            close();
            final String reason = EngineErrors.said(e);
            throw reason.startsWith("NOAUTH")
                    ? channel.failed(
                            ("the server asks for a password, which cannot be given here (%s); use one without, or let it be"
                                            + " started with ?start")
                                    .formatted(reason),
                            e)
                    : channel.unanswered("Redis server", reason, e);
        }
    }

    /**
     * Why a server refused to store a message, and what to do about it; a clause. Its answers begin
     * with a code (Redis, "RESP protocol", simple errors).
     */
    static String refusal(final RedisCommandExecutionException e) {
        final String reason = EngineErrors.said(e);
        if (reason.startsWith("OOM")) {
            return "the server's memory is full (%s); raise its maxmemory, or send less"
                    .formatted(reason);
        }
        return reason.startsWith("MISCONF")
                ? "the server cannot write to its disk (%s); make room there, or see its log"
                        .formatted(reason)
                : reason;
    }

    /** Later, a question could wait behind messages that are gathered. */
    private static String server(final StatefulRedisConnection<byte[], byte[]> connection) {
        String version = "of an unknown version";
        try {
            final Matcher found = VERSION.matcher(connection.sync().info("server"));
            version = found.find() ? found.group(1) : version;
        } catch (final RedisCommandExecutionException e) {
            // a server that does not permit the question
        }
        return "redis-server " + version;
    }

    /** What both ends of a channel report about it; asks nobody. */
    Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("server", server);
        facts.put("serverStartedHere", channel.startsServers());
        facts.put("batch", channel.parameters().batch());
        return facts;
    }

    @Override
    public void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}

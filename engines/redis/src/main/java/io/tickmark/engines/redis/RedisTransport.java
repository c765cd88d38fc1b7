package io.tickmark.engines.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerProgram;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Redis: {@code redis://HOST:PORT}, or {@code redis:} for a server that is started. Plain streams
 * use publish/subscribe, stored ones streams in an append-only file. See {@link RedisParameters}
 * for the parameters.
 */
public final class RedisTransport extends BrokerStoreTransport<RedisParameters> {
    private static final ServerProgram PROGRAM =
            new ServerProgram("redis-server", "TICKMARK_REDIS_SERVER", "redis-server");
    private static final int DEFAULT_PORT = 6379;
    private static final Duration START_PATIENCE = Duration.ofSeconds(30);
    private static final int LONGEST_PREFIX = 200;
    private static final int PAGE = 1000;

    /** Connects to nothing yet. */
    public RedisTransport() {
        super("redis", DEFAULT_PORT, RedisParameters.class);
    }

    @Override
    public String summary() {
        return "Redis: redis://HOST:PORT, or redis: for a server started here; publish/subscribe, and streams as a store.";
    }

    @Override
    public Optional<String> missing() {
        return PROGRAM.absence();
    }

    @Override
    protected void check(final BrokerChannel<RedisParameters> channel) {
        channel.requireName(channel.parameters().broker().prefix(), LONGEST_PREFIX);
        channel.requireOneServer();
    }

    @Override
    protected String serverTitle() {
        return "Redis server";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("redis:", true));
    }

    @Override
    protected int clientThreads(final BrokerChannel<RedisParameters> channel) {
        return RedisConnections.IO_THREADS;
    }

    /** The answer to PUBLISH counts the subscribers that it was sent to (Redis, "PUBLISH"). */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        final int batch = channel(channel).parameters().batch();
        return PlainMessages.inMemory(traits(channel))
                .acknowledged("the server has sent it to the subscribers")
                .batching(
                        batch > 1
                                ? "the client writes up to %d messages together".formatted(batch)
                                : PlainMessages.NONE)
                .slowReceiver(
                        "the server ends its connection, or the client drops what it has no room for, counted");
    }

    @Override
    public Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        return isStored ? Set.of("receivePendingBytes") : Set.of("deletion", "sync");
    }

    /**
     * A subscriber that is too slow is disconnected by the server, or loses messages in its client.
     */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return traits(false, channel(channel).parameters().broker().maxPayloadBytes());
    }

    /** Snapshots and rewrites are off, so that the append-only file contains every message. */
    @Override
    protected ServerSpec server(
            final BrokerChannel<RedisParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final Path configuration = member.folder().resolve("redis.conf");
        final String text =
                """
                bind %s
                port %d
                protected-mode no
                daemonize no
                dir "%s"
                save ""
                appendonly %s
                appendfsync %s
                auto-aof-rewrite-percentage 0
                """
                        .formatted(
                                member.address().address().getHostAddress(),
                                member.address().port(),
                                member.folder().toAbsolutePath(),
                                stores ? "yes" : "no",
                                channel.parameters().sync().name().toLowerCase(Locale.ROOT));
        return new ServerSpec(
                List.of(PROGRAM.required(channel).toString(), configuration.toString()),
                Map.of(configuration.getFileName().toString(), text),
                "Ready to accept connections",
                "Fatal error",
                List.of("Error writing to the AOF", "# Can't", "# Short write", "# MISCONF"),
                START_PATIENCE);
    }

    @Override
    protected Link connect(final BrokerChannel<RedisParameters> channel) {
        return new RedisLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<RedisParameters> channel, final Topic topic) {
        return channel.parameters().broker().prefix() + "." + topic.name();
    }

    static byte[] key(final BrokerChannel<RedisParameters> channel, final Topic topic) {
        return (channel.parameters().broker().prefix() + "." + topic.name() + ".stored")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    protected Guarantees guarantees(final BrokerChannel<RedisParameters> channel) {
        return promised(channel.parameters());
    }

    /** The guarantees, as figures; a server that was not started here is queried. */
    static Map<String, Object> facts(
            final BrokerChannel<RedisParameters> channel,
            final StatefulRedisConnection<byte[], byte[]> connection) {
        final RedisParameters parameters = channel.parameters();
        if (channel.startsServers()) {
            return promised(parameters).facts();
        }
        try {
            final Map<String, String> settings = connection.sync().configGet("append*");
            if ("no".equals(settings.get("appendonly"))) {
                return new Guarantees(
                                Durability.D0,
                                1,
                                1,
                                "the server has it in memory",
                                "never: it keeps no append-only file (appendonly no)",
                                batching(parameters),
                                "none",
                                parameters.deletion())
                        .facts();
            }
            return sync(settings)
                    .map(each -> promised(each, parameters).facts())
                    .orElseGet(() -> promised(parameters).claimedFacts());
        } catch (final RedisException e) {
            return promised(parameters).claimedFacts(); // the query may not be permitted
        }
    }

    /** When a server syncs; empty where it does not say that it keeps a file, and when it syncs. */
    static Optional<RedisParameters.Sync> sync(final Map<String, String> settings) {
        return Stream.of(RedisParameters.Sync.values())
                .filter(each ->
                        "yes".equals(settings.get("appendonly"))
                                && each.name().equalsIgnoreCase(settings.get("appendfsync")))
                .findFirst();
    }

    static Guarantees promised(final RedisParameters parameters) {
        return promised(parameters.sync(), parameters);
    }

    private static String batching(final RedisParameters parameters) {
        return parameters.batch() == 1
                ? "none: each message is written by itself"
                : "%d messages by one flush".formatted(parameters.batch());
    }

    /**
     * A server that syncs every second answers before it has written while the previous sync is
     * still in progress, see "appendfsync" in redis.conf: data that it holds back is lost with its
     * process.
     */
    private static Guarantees promised(
            final RedisParameters.Sync sync, final RedisParameters parameters) {
        return new Guarantees(
                switch (sync) {
                    case ALWAYS -> Durability.D2;
                    case EVERYSEC -> Durability.D0;
                    case NO -> Durability.D1;
                },
                1,
                1,
                sync == RedisParameters.Sync.EVERYSEC
                        ? "the server has it in memory, and mostly in its append-only file"
                        : "the server has written it to its append-only file",
                switch (sync) {
                    case ALWAYS -> "before the answer (appendfsync always)";
                    case EVERYSEC -> "in the background, every second (appendfsync everysec)";
                    case NO -> "when the system writes its page cache back (appendfsync no)";
                },
                batching(parameters),
                "none",
                parameters.deletion());
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<RedisParameters> channel, final Topic topic) {
        return RedisStreamPublication.open(channel, key(channel, topic));
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<RedisParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return new RedisStreamSubscription(channel, key(channel, topic), fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<RedisParameters> channel) {
        return new Streams(channel);
    }

    /** Streams of a channel. An entry's sequence is the message's ordinal plus one. */
    private record Streams(BrokerChannel<RedisParameters> channel) implements StoredTopics {
        @Override
        public void awaitReady(final Runnable requireMajority) {
            ask(RedisCommands::ping);
        }

        @Override
        public long count(final Topic topic) {
            return ask(commands -> commands.xlen(key(channel, topic)));
        }

        @Override
        public long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            return ask(commands -> {
                final byte[] key = key(channel, topic);
                final long end = StoredEntry.last(channel, commands, key);
                final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
                long next = fromOrdinal + 1;
                long count = 0;
                while (next <= end) {
                    final List<StreamMessage<byte[], byte[]>> page =
                            commands.xrange(
                                    key, Range.create("0-" + next, "0-" + end), Limit.from(PAGE));
                    for (final StreamMessage<byte[], byte[]> message : page) {
                        final StoredEntry entry = StoredEntry.of(message);
                        next = entry.ordinal() + 2;
                        if (entry.isWhole()) {
                            buffer.wrap(entry.payload());
                            handler.onMessage(buffer, 0, entry.payload().length);
                            count++;
                        }
                    }
                    if (page.isEmpty()) {
                        break;
                    }
                }
                return count;
            });
        }

        @Override
        public long firstOrdinal(final Topic topic) {
            return ask(commands -> {
                final byte[] key = key(channel, topic);
                final List<StreamMessage<byte[], byte[]>> first =
                        commands.xrange(key, Range.unbounded(), Limit.from(1));
                return first.isEmpty()
                        ? StoredEntry.last(channel, commands, key)
                        : StoredEntry.ordinal(first.getFirst().getId());
            });
        }

        @Override
        public void deleteAll() {
            ask(commands -> {
                final ScanArgs ours =
                        ScanArgs.Builder.matches(channel.parameters().broker().prefix() + ".*");
                KeyScanCursor<byte[]> found = commands.scan(ours);
                while (true) {
                    found.getKeys().forEach(commands::del);
                    if (found.isFinished()) {
                        return 0;
                    }
                    found = commands.scan(found, ours);
                }
            });
        }

        private <T> T ask(final Function<RedisCommands<byte[], byte[]>, T> question) {
            try (RedisConnections connections = new RedisConnections(channel, false)) {
                return question.apply(connections.open().sync());
            } catch (final RedisException e) {
                throw channel.failed("Redis refuses: " + EngineErrors.said(e), e);
            }
        }

        /** Makes a running server write what it holds back during a sync. */
        private void writeHeldBack() {
            if (channel.parameters().sync() != RedisParameters.Sync.EVERYSEC) {
                return;
            }
            try {
                ask(commands -> {
                    commands.configSet("appendfsync", "no");
                    commands.ping(); // answered only after it has written
                    return commands.configSet("appendfsync", "everysec");
                });
            } catch (final UserError e) {
                return; // it does not run: only its files are available
            }
        }

        @Override
        public StoredFiles files(final Path folder, final Topic topic) {
            writeHeldBack();
            return new AppendOnlyFiles(folder, key(channel, topic));
        }
    }
}

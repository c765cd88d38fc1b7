package io.tickmark.engines.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerDurablePublication;
import java.util.Map;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;

/**
 * Appends to a stream by {@code XADD key 0-*} (since Redis 7.0), so that the server assigns the
 * position and a message that it refuses leaves no hole. Answers arrive in order on the client's
 * thread.
 */
final class RedisStreamPublication extends BrokerDurablePublication {
    private final byte[] key;
    private final RedisConnections connections;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private final XAddArgs nextPlace = new XAddArgs().id("0-*");
    private final Map<String, Object> guarantees;
    private final int batch;
    private int gathered;

    /** Made once: each message would make another. */
    private final BiConsumer<String, Throwable> onAnswer = this::onAnswer;

    private RedisStreamPublication(
            final BrokerChannel<RedisParameters> channel,
            final byte[] key,
            final RedisConnections connections,
            final StatefulRedisConnection<byte[], byte[]> connection,
            final long stored) {
        super(
                channel,
                channel.parameters().broker().maxPayloadBytes(),
                channel.parameters().limits().flight(),
                stored);
        this.key = key;
        this.connections = connections;
        this.connection = connection;
        guarantees = RedisTransport.facts(channel, connection);
        commands = connection.async();
        batch = channel.parameters().batch();
        connection.setAutoFlushCommands(batch == 1);
    }

    static RedisStreamPublication open(
            final BrokerChannel<RedisParameters> channel, final byte[] key) {
        final RedisConnections connections = new RedisConnections(channel, false);
        final StatefulRedisConnection<byte[], byte[]> connection = connections.open();
        return new RedisStreamPublication(
                channel, key, connections, connection, connections.last(connection, key));
    }

    @Override
    protected boolean isServed() {
        return connection.isOpen();
    }

    @Override
    protected boolean store(
            final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
        final byte[] copy = copy(buffer, offset, length);
        try {
            commands.xadd(
                            key,
                            nextPlace,
                            StoredEntry.PAYLOAD,
                            copy,
                            StoredEntry.CHECKSUM,
                            StoredEntry.checksum(copy))
                    .whenComplete(onAnswer);
        } catch (final RedisException e) {
            return false;
        }
        if (batch > 1 && ++gathered >= batch) {
            flush();
        }
        return true;
    }

    /**
     * On the client's thread, or on ours where the client took nothing more. A broken connection
     * completes messages in flight with an error.
     */
    private synchronized void onAnswer(final String id, final Throwable error) {
        final long ordinal = oldest();
        if (error instanceof final RedisCommandExecutionException refused) {
            fail(
                    "message %d was refused: %s"
                            .formatted(ordinal, RedisConnections.refusal(refused)),
                    false);
        } else if (error != null && !RedisConnections.isBreak(error)) {
            fail("message %d was not sent: %s".formatted(ordinal, EngineErrors.said(error)), false);
        }
        answered(error == null && isInPlace(ordinal, StoredEntry.ordinal(id)));
    }

    @Override
    public int flush() {
        final int flushed = gathered;
        if (flushed > 0) {
            gathered = 0;
            connection.flushCommands();
        }
        return flushed;
    }

    @Override
    public int doWork() {
        return flush();
    }

    @Override
    protected Map<String, Object> engineFacts() {
        final Map<String, Object> facts = connections.facts();
        facts.putAll(guarantees);
        return facts;
    }

    @Override
    protected void end() {
        connections.close();
    }
}

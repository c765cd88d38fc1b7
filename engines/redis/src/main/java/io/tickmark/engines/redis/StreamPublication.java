package io.tickmark.engines.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.store.DurablePublication;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Appends to a stream by {@code XADD key 0-*} (since Redis 7.0), so that the server gives the place
 * and a message that it refuses leaves no hole. Answers come in order on the client's thread. A
 * connection that breaks is not opened again: what was under way would be sent twice.
 */
final class StreamPublication implements DurablePublication {
    private static final long CLOSE_PATIENCE_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 100_000;

    private final BrokerChannel<RedisParameters> channel;
    private final byte[] key;
    private final Connections connections;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private final XAddArgs nextPlace = new XAddArgs().id("0-*");
    private final Flight flight;
    private final Map<String, Object> guarantees;
    private final int batch;
    private long next;
    private int gathered;
    private long answered;
    private volatile long stable;
    private volatile Failure failure = Failure.NONE;
    private boolean lost;
    private boolean closed;

    StreamPublication(final BrokerChannel<RedisParameters> channel, final byte[] key) {
        this.channel = channel;
        this.key = key;
        connections = new Connections(channel, false);
        connection = connections.open();
        try {
            next = StoredEntry.last(connection.sync(), key);
        } catch (final RedisException e) {
            connections.close();
            throw channel.failed("Redis refuses: " + Connections.said(e), e);
        }
        answered = next;
        stable = next - 1;
        guarantees = RedisTransport.facts(channel, connection);
        commands = connection.async();
        batch = channel.parameters().batch();
        connection.setAutoFlushCommands(batch == 1);
        flight =
                new Flight(
                        channel.parameters().maxFlight(), channel.parameters().sendPendingBytes());
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed || failure.isFinal()) {
            return CLOSED;
        }
        if (length > channel.parameters().maxPayloadBytes()) {
            return TOO_LONG;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (!flight.hasRoom(length)) {
            flush();
            return BACK_PRESSURED;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        flight.add(length);
        try {
            commands.xadd(
                            key,
                            nextPlace,
                            StoredEntry.PAYLOAD,
                            copy,
                            StoredEntry.CHECKSUM,
                            StoredEntry.checksum(copy))
                    .whenComplete(this::onAnswer);
        } catch (final RedisException e) {
            flight.takeBack();
            lost = true; // it ended between the look and the call
            return NOT_CONNECTED;
        }
        if (batch > 1 && ++gathered >= batch) {
            flush();
        }
        return next++;
    }

    /**
     * Why places no longer tell.
     *
     * @param text a sentence without its end
     * @param isFinal whether opening anew would not help
     */
    private record Failure(String text, boolean isFinal) {
        private static final Failure NONE = new Failure("", false);
    }

    /** On the client's thread; a broken connection answers what is under way with an error. */
    private void onAnswer(final String id, final Throwable error) {
        final long ordinal = answered++;
        if (failure != Failure.NONE) {
            flight.answer(); // places have moved up
            return;
        }
        if (error instanceof RedisCommandExecutionException) {
            failure =
                    new Failure(
                            "message %d was refused: %s".formatted(ordinal, error.getMessage()),
                            false);
        } else if (error == null) {
            final long place = StoredEntry.ordinal(id);
            if (place == ordinal) {
                stable = ordinal;
            } else {
                failure =
                        new Failure(
                                "message %d was stored as number %d: somebody else writes to this stream"
                                        .formatted(ordinal, place),
                                true);
            }
        }
        flight.answer();
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
        return closed ? 0 : flush();
    }

    @Override
    public long nextOrdinal() {
        return next;
    }

    @Override
    public long stablePosition() {
        return stable;
    }

    /** A message that was refused is sent again by a new publication, with all behind it. */
    @Override
    public boolean isLost() {
        final Failure now = failure;
        lost |= now == Failure.NONE ? !connection.isOpen() : !now.isFinal();
        return lost;
    }

    @Override
    public String failure() {
        return failure.text();
    }

    @Override
    public String trouble() {
        return failure == Failure.NONE && lost ? "the server has ended" : failure.text();
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = connections.facts(connection);
        facts.putAll(guarantees);
        if (!trouble().isEmpty()) {
            facts.put("failure", trouble());
        }
        return facts;
    }

    /** Waits a little for answers that are on their way. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        flush();
        closed = true;
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!flight.isEmpty()
                && connection.isOpen()
                && SystemNanoClock.INSTANCE.nanoTime() - startNs < CLOSE_PATIENCE_NS
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        connections.close();
    }
}

package io.tickmark.engines.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XTrimArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Deletions;
import io.tickmark.transport.broker.PullSubscription;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a stream by {@code XREAD BLOCK}: the next page is requested as soon as one has arrived.
 * Acknowledged messages are deleted by {@code XTRIM MINID} over a separate connection, one request
 * at a time, each for all that were acknowledged by then.
 */
final class RedisStreamSubscription extends PullSubscription<StreamMessage<byte[], byte[]>>
        implements DurableSubscription {
    private static final int PAGE = 1000;
    private static final Duration BLOCK = Duration.ofMillis(500);

    private final BrokerChannel<RedisParameters> channel;
    private final byte[] key;
    private final RedisConnections connections;
    private final StatefulRedisConnection<byte[], byte[]> reading;
    private final StatefulRedisConnection<byte[], byte[]> trimming;
    private final Deletions deletions;
    private final Map<String, Object> guarantees;
    private Iterator<StreamMessage<byte[], byte[]>> page = Collections.emptyIterator();
    private RedisFuture<List<StreamMessage<byte[], byte[]>>> asked;
    private long asksFrom;
    private long ordinal = -1;
    private final EngineErrors requestFailures =
            new EngineErrors(
                    "A request for stored messages failed: %s.",
                    "%d requests for stored messages failed, the first: %s.");

    RedisStreamSubscription(
            final BrokerChannel<RedisParameters> channel,
            final byte[] key,
            final long fromOrdinal) {
        super(channel);
        this.channel = channel;
        this.key = key;
        connections = new RedisConnections(channel, false);
        reading = connections.open();
        trimming = connections.open();
        deletions = new Deletions(this::delete, trimming::isOpen);
        connections.last(trimming, key); // of anything but a stream each request would be refused
        guarantees = RedisTransport.facts(channel, trimming);
        asksFrom = fromOrdinal;
        ask();
    }

    /**
     * Requests the messages after an id, which is that of the ordinal before the first requested
     * one.
     */
    @SuppressWarnings("unchecked") // the client's generic array of offsets
    private void ask() {
        try {
            asked =
                    reading.async()
                            .xread(
                                    XReadArgs.Builder.block(BLOCK).count(PAGE),
                                    XReadArgs.StreamOffset.from(key, "0-" + asksFrom));
        } catch (final RedisException e) {
            requestFailures.add(EngineErrors.said(e));
            asked = null; // the connection has ended, which isConnected() reports
        }
    }

    @Override
    protected StreamMessage<byte[], byte[]> fetch(final long timeoutNs) {
        if (!page.hasNext()) {
            awaitPage(timeoutNs);
        }
        return page.hasNext() ? page.next() : null;
    }

    @Override
    protected byte[] payload(final StreamMessage<byte[], byte[]> message) {
        final StoredEntry entry = StoredEntry.of(message);
        ordinal = entry.ordinal();
        return entry.payload();
    }

    /** Takes the requested page, where it has arrived or arrives in time. */
    private void awaitPage(final long timeoutNs) {
        if (asked == null) {
            LockSupport.parkNanos(timeoutNs);
        } else if (timeoutNs > 0 || asked.isDone()) {
            takePage(timeoutNs);
        }
    }

    private void takePage(final long timeoutNs) {
        try {
            final List<StreamMessage<byte[], byte[]>> arrived =
                    asked.get(timeoutNs, TimeUnit.NANOSECONDS);
            if (!arrived.isEmpty()) {
                asksFrom = StoredEntry.ordinal(arrived.getLast().getId()) + 1;
            }
            page = arrived.iterator();
            ask();
        } catch (final TimeoutException e) {
            return; // asked again by the next call
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final ExecutionException | CancellationException e) {
            requestFailures.add(EngineErrors.said(e));
            asked = null;
            if (reading.isOpen()) {
                ask();
            }
        }
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        if (channel.parameters().deletion() == Deletion.ACKNOWLEDGED) {
            deletions.acknowledge(upTo);
        }
    }

    private Future<?> delete(final long upTo) {
        return trimming.async()
                .xtrim(key, XTrimArgs.Builder.minId("0-" + (upTo + 2)).exactTrimming());
    }

    @Override
    protected boolean isServed() {
        return reading.isOpen();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        facts.putAll(connections.facts());
        facts.putAll(guarantees);
        facts.put("requestFailures", requestFailures.count());
        if (channel.parameters().deletion() == Deletion.ACKNOWLEDGED) {
            facts.put("acknowledgementsRefused", deletions.refused());
        }
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("requestFailures")
                || fact.equals("acknowledgementsRefused")
                || super.isCount(fact);
    }

    @Override
    public Optional<String> engineErrors() {
        return EngineErrors.together(requestFailures.sentence(), deletions.sentence());
    }

    @Override
    public void settleAcknowledgements() {
        deletions.settle();
    }

    @Override
    protected void release() {
        settleAcknowledgements();
        connections.close();
    }
}

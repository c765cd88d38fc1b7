package io.tickmark.engines.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Inbox;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Publish/subscribe over one client: one connection for publishing, and one for each subscription.
 */
final class RedisLink implements BrokerTransport.Link {

    private final BrokerChannel<RedisParameters> channel;
    private final RedisConnections connections;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final EngineErrors breaks;

    RedisLink(final BrokerChannel<RedisParameters> channel) {
        this.channel = channel;
        connections = new RedisConnections(channel, true);
        connection = connections.open();
        breaks = breaksOf(connection);
    }

    /** The server also closes a subscriber that is too slow (client-output-buffer-limit). */
    private static EngineErrors breaksOf(final StatefulConnection<byte[], byte[]> connection) {
        final EngineErrors breaks = EngineErrors.ofBreaks();
        connection.addListener(
                new RedisConnectionStateAdapter() {
                    @Override
                    public void onRedisConnected(
                            final RedisChannelHandler<?, ?> its, final SocketAddress address) {
                        breaks.mended();
                    }

                    @Override
                    public void onRedisDisconnected(final RedisChannelHandler<?, ?> its) {
                        breaks.broke("it was closed");
                    }
                });
        return breaks;
    }

    @Override
    public boolean isServed() {
        return connection.isOpen();
    }

    @Override
    public Map<String, Object> facts() {
        return connections.facts();
    }

    @Override
    public Optional<String> errors() {
        return breaks.sentence();
    }

    @Override
    public BrokerPublication publication(final String name) {
        return new Sender(name);
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(name, Inbox.ofPayloads(channel.parameters().receivePendingBytes()));
    }

    @Override
    public void close() {
        connections.close();
    }

    private final class Sender extends BrokerPlainPublication {
        private final RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        private final byte[] name;
        private final int batch = channel.parameters().batch();

        /** Made once: each message would make another. */
        private final BiConsumer<Long, Throwable> onAnswer = this::onAnswer;

        private int gathered;

        Sender(final String name) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight(),
                    new EngineErrors(
                            "A message that the client had accepted was not acknowledged: %s.",
                            "%d messages that the client had accepted were not acknowledged, the first: %s."));
            this.name = name.getBytes(StandardCharsets.UTF_8);
            connection.setAutoFlushCommands(batch == 1);
        }

        @Override
        protected long send(final byte[] message) {
            try {
                commands.publish(name, message).whenComplete(onAnswer);
            } catch (final RedisException e) {
                return NOT_CONNECTED; // it ended between the check and the call
            }
            if (batch > 1 && ++gathered >= batch) {
                flush();
            }
            return 0;
        }

        /** On the client's thread, or on ours where the client took nothing more. */
        private synchronized void onAnswer(final Long receivers, final Throwable error) {
            if (error != null) { // after a break it may have been published all the same
                failed(error);
            }
            answered();
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
    }

    private final class Receiver extends BrokerSubscription {
        private final StatefulRedisPubSubConnection<byte[], byte[]> subscribed;
        private final Inbox<byte[]> arrived;
        private final AtomicLong subscriptions = new AtomicLong();
        private final EngineErrors broken;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final Inbox<byte[]> arrived) {
            super(channel, arrived);
            this.arrived = arrived;
            subscribed = connections.openPubSub();
            broken = breaksOf(subscribed);
            subscribed.addListener(new Listener());
            try {
                subscribed.sync().subscribe(name.getBytes(StandardCharsets.UTF_8));
            } catch (final RedisException e) {
                throw channel.failed("Redis refuses: " + EngineErrors.said(e), e);
            }
        }

        /** On the client's thread. */
        private final class Listener extends RedisPubSubAdapter<byte[], byte[]> {
            @Override
            public void message(final byte[] of, final byte[] payload) {
                arrived.addOrDrop(payload);
            }

            @Override
            public void subscribed(final byte[] to, final long count) {
                subscriptions.incrementAndGet();
            }
        }

        @Override
        protected byte[] next() {
            return arrived.poll();
        }

        @Override
        protected boolean isServed() {
            return subscribed.isOpen();
        }

        @Override
        public Optional<String> engineErrors() {
            return broken.sentence();
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("droppedByClient", arrived.dropped());
            facts.put("reconnects", Math.max(0, subscriptions.get() - 1));
            return facts;
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("droppedByClient")
                    || fact.equals("reconnects")
                    || super.isCount(fact);
        }

        @Override
        protected void release() {
            subscribed.closeAsync();
        }
    }
}

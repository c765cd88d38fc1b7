package sample;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A sample of an engine of your own, to build and put into the folder of plug-ins
 * (docs/plugins.md): {@code loop:NAME} is a set of queues within one process. It is as small as an
 * engine can be that keeps the whole contract; LoopContractTest checks it.
 */
public final class LoopTransport implements Transport {
    private static final int LARGEST_BYTES = 65_536;

    /** What is open in this process, by channel and topic. */
    private static final Map<String, Hub> HUBS = new ConcurrentHashMap<>();

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** For the service loader. */
    public LoopTransport() {}

    /**
     * What a user may write after the question mark: checks, help and tables are made from it.
     *
     * @param room messages that may wait for each receiver
     */
    public record Parameters(
            @Setting(
                            help =
                                    "Messages that may wait for each receiver; more is back-pressure.",
                            byDefault = "1024",
                            min = 1,
                            max = 1 << 20)
                    int room) {}

    /**
     * What both sides share: the publisher sends to all receivers, and they answer to one queue.
     */
    private record Hub(
            ChannelUri channel,
            int room,
            Queue<byte[]> answers,
            List<Queue<byte[]>> receivers,
            String key) {
        boolean isOpen() {
            return HUBS.get(key) == this;
        }

        void close() {
            HUBS.remove(key, this);
        }
    }

    @Override
    public String scheme() {
        return "loop";
    }

    @Override
    public String summary() {
        return "Queues within one process, a sample of an engine.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return Parameters.class;
    }

    /** Promises what always holds; errors in the channel's text are reported here. */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        room(channel);
        return TransportTraits.upTo(LARGEST_BYTES)
                .reliable(true)
                .ordered(true)
                .backPressured(true)
                .detectsDisconnect(true)
                .fansOut(true);
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("loop:", false));
    }

    @Override
    public boolean needsOneProcess() {
        return true;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    private static int room(final ChannelUri channel) {
        if (!channel.authority().matches("[a-z0-9-]*")) {
            throw UserError.usage(
                    "--channel %s: '%s' is not a name; use lower-case letters, digits and dashes."
                            .formatted(channel, channel.authority()));
        }
        return channel.read(Parameters.class).room();
    }

    private static String key(final ChannelUri channel, final Topic topic) {
        return channel.authority() + "/" + topic.name();
    }

    /** A channel without a name gets one, which the other side is told by {@code channel()}. */
    private static Hub bind(final ChannelUri channel, final Topic topic) {
        final int room = room(channel);
        final ChannelUri named =
                channel.authority().isEmpty()
                        ? channel.withAuthority("loop-" + NAMES.incrementAndGet())
                        : channel;
        final Hub hub =
                new Hub(
                        named,
                        room,
                        new ArrayBlockingQueue<>(room),
                        new CopyOnWriteArrayList<>(),
                        key(named, topic));
        if (HUBS.putIfAbsent(hub.key(), hub) != null) {
            throw UserError.environment(
                    "--channel %s: the name '%s' is in use; choose another one, or leave it out."
                            .formatted(channel, named.authority()));
        }
        return hub;
    }

    private static Hub connect(final ChannelUri channel, final Topic topic) {
        room(channel);
        final Hub hub = HUBS.get(key(channel, topic));
        if (hub == null) {
            throw UserError.environment(
                    "--channel %s: no publisher has opened '%s' in this process; open it first."
                            .formatted(channel, channel.authority()));
        }
        return hub;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        final Hub hub = bind(channel, topic);
        return new Out(hub, hub.receivers(), hub::close);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return receiver(connect(channel, topic));
    }

    private static In receiver(final Hub hub) {
        final Queue<byte[]> own = new ArrayBlockingQueue<>(hub.room());
        hub.receivers().add(own);
        return new In(hub, own, hub::isOpen, () -> hub.receivers().remove(own));
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        if (side == ExchangeSide.BIND) {
            final Hub hub = bind(channel, topic);
            return Exchange.of(
                    new Out(hub, hub.receivers(), hub::close),
                    new In(hub, hub.answers(), () -> !hub.receivers().isEmpty(), () -> {}),
                    hub.channel());
        }
        final Hub hub = connect(channel, topic);
        return Exchange.of(
                new Out(hub, List.of(hub.answers()), () -> {}), receiver(hub), hub.channel());
    }

    /** Sends to all of these queues, or to none: it never waits. */
    private static final class Out implements Publication {
        private final Hub hub;
        private final List<Queue<byte[]>> to;
        private final Runnable end;
        private long position;
        private boolean closed;

        Out(final Hub hub, final List<Queue<byte[]>> to, final Runnable end) {
            this.hub = hub;
            this.to = to;
            this.end = end;
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            if (closed) {
                return CLOSED;
            }
            if (length > LARGEST_BYTES) {
                return TOO_LONG;
            }
            if (to.isEmpty() || !hub.isOpen()) {
                return NOT_CONNECTED;
            }
            for (final Queue<byte[]> queue : to) {
                if (queue.size() >= hub.room()) {
                    return BACK_PRESSURED;
                }
            }
            final byte[] message = new byte[length];
            buffer.getBytes(offset, message);
            to.forEach(queue -> queue.add(message));
            return ++position;
        }

        @Override
        public int subscriberCount() {
            return to.size();
        }

        @Override
        public ChannelUri channel() {
            return hub.channel();
        }

        @Override
        public void close() {
            closed = true;
            end.run();
        }
    }

    /** Takes messages out of one queue. */
    private static final class In implements Subscription {
        private final Hub hub;
        private final Queue<byte[]> from;
        private final BooleanSupplier connected;
        private final Runnable end;
        private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

        In(
                final Hub hub,
                final Queue<byte[]> from,
                final BooleanSupplier connected,
                final Runnable end) {
            this.hub = hub;
            this.from = from;
            this.connected = connected;
            this.end = end;
        }

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            int count = 0;
            while (count < limit) {
                final byte[] message = from.poll();
                if (message == null) {
                    break;
                }
                view.wrap(message);
                handler.onMessage(view, 0, message.length);
                count++;
            }
            return count;
        }

        @Override
        public boolean isConnected() {
            return connected.getAsBoolean();
        }

        @Override
        public ChannelUri channel() {
            return hub.channel();
        }

        @Override
        public void close() {
            end.run();
        }
    }
}

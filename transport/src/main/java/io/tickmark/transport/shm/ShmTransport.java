package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Claim;
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
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * {@code shm://name}, or {@code shm:} for a chosen name: a ring in a mapped file with one writer
 * and up to 64 readers. The writer waits for the slowest reader whose process is alive; with {@code
 * lossy} it does not wait, and readers count what they missed. Late readers join at the tail; a
 * writer that was restarted raises the epoch, and readers follow it.
 */
public final class ShmTransport implements Transport {
    private final NanoClock clock = SystemNanoClock.INSTANCE;

    /** For the ServiceLoader. */
    public ShmTransport() {}

    @Override
    public String scheme() {
        return "shm";
    }

    @Override
    public String summary() {
        return "Shared memory: a ring in a mapped file, between processes of one machine.";
    }

    @Override
    public Class<Parameters> parameters() {
        return Parameters.class;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("shm:", true), new Kind("shm:?lossy", false));
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        final Parameters parameters = ShmAddress.parameters(channel);
        ShmAddress.checkNameIfGiven(channel);
        return TransportTraits.upTo(ShmLayout.maxPayloadBytes(parameters.capacityBytes()))
                .reliable(!parameters.lossy())
                .ordered(true)
                .backPressured(!parameters.lossy())
                .detectsDisconnect(true)
                .fansOut(true)
                .claims(true)
                .allocates(false);
    }

    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return new ShmPublication(binder(channel, topic, false));
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return new ShmConnector(ShmAddress.of(channel, topic), clock);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        if (side == ExchangeSide.CONNECT) {
            final ShmConnector connector = new ShmConnector(ShmAddress.of(channel, topic), clock);
            return Exchange.of(connector.back(), connector, connector.channel());
        }
        final ShmBinder binder = binder(channel, topic, true);
        return Exchange.of(
                new ShmPublication(binder),
                new ShmReturnSubscription(binder),
                binder.address().channel());
    }

    private ShmBinder binder(
            final ChannelUri channel, final Topic topic, final boolean withReturns) {
        return new ShmBinder(ShmAddress.ofBinder(channel, topic), withReturns, clock);
    }

    /** The binding side's subscription: reads all return rings. */
    private static final class ShmReturnSubscription implements Subscription {
        private final ShmBinder binder;

        ShmReturnSubscription(final ShmBinder binder) {
            this.binder = binder;
        }

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            return binder.poll(handler, limit);
        }

        @Override
        public boolean wakesOnArrival() {
            return Bell.isAvailable();
        }

        @Override
        public void await(final long timeoutNs) {
            binder.await(timeoutNs);
        }

        @Override
        public boolean isConnected() {
            return !binder.isClosed() && binder.readers() > 0;
        }

        @Override
        public ChannelUri channel() {
            return binder.address().channel();
        }

        @Override
        public void close() {
            binder.close();
        }
    }

    /** The binding side's publication. */
    private static final class ShmPublication implements Publication, Claim.Completion {
        private final ShmBinder binder;

        ShmPublication(final ShmBinder binder) {
            this.binder = binder;
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            return binder.offer(buffer, offset, length);
        }

        @Override
        public long tryClaim(final int length, final Claim claim) {
            final long room = binder.room(length);
            if (room < 0) {
                return room;
            }
            claim.wrap(binder.ring(), (int) room, length, this);
            return binder.position();
        }

        @Override
        public void commit() {
            binder.commit();
        }

        @Override
        public void abort() {
            binder.abort();
        }

        @Override
        public int doWork() {
            return binder.doWork();
        }

        @Override
        public int subscriberCount() {
            return binder.readers();
        }

        @Override
        public ChannelUri channel() {
            return binder.address().channel();
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("damagedWaysBack");
        }

        @Override
        public Map<String, Object> facts() {
            return binder.facts();
        }

        @Override
        public void close() {
            binder.close();
        }
    }

    /**
     * Parameters of an {@code shm} channel. Those of the binding side apply.
     *
     * @param directory where the file is created
     * @param capacityBytes of a ring
     * @param lossy whether slow readers are overrun
     */
    public record Parameters(
            @Setting(
                            help =
                                    "Where the file is created (default: /dev/shm where it exists, else the temporary folder).",
                            label = "DIR")
                    String directory,
            @Setting(
                            help =
                                    "Capacity of a ring, a power of two. A message may take an eighth of it.",
                            byDefault = "4194304",
                            unit = "bytes",
                            min = ShmLayout.MIN_CAPACITY_BYTES,
                            max = 1 << 30)
                    int capacityBytes,
            @Setting(
                            help =
                                    "Overwrite what slow readers have not read, instead of waiting for them.",
                            byDefault = "false")
                    boolean lossy) {}
}

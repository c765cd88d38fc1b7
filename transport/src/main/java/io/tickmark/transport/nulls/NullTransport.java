package io.tickmark.transport.nulls;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * {@code null:} or {@code null:name?delay=10us&lossPart=0.01}: in-process, between two threads or
 * on one, with a programmed delay and programmed faults ({@link DelayProgram} says exactly which
 * messages they hit). The binding side's parameters rule. A slow connecting side makes {@code
 * offer} refuse for all of them.
 */
public final class NullTransport implements Transport {
    private static final Registry OF_THE_PROCESS = new Registry();

    private final NanoClock clock;
    private final Registry registry;

    /** On the system's clock, with names shared by the whole process; for the ServiceLoader. */
    public NullTransport() {
        clock = SystemNanoClock.INSTANCE;
        registry = OF_THE_PROCESS;
    }

    /**
     * On a clock of the caller's, with names of its own; for calibration.
     *
     * @param clock that rules the delays
     */
    public NullTransport(final NanoClock clock) {
        this.clock = clock;
        this.registry = new Registry();
    }

    @Override
    public String scheme() {
        return "null";
    }

    @Override
    public String summary() {
        return "In-process channel with programmed delay and faults, for calibration.";
    }

    @Override
    public Class<NullParameters> parameters() {
        return NullParameters.class;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean needsOneProcess() {
        return true;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        final NullParameters parameters = parametersOf(channel);
        final boolean once = parameters.duplicatePart() == 0;
        return new TransportTraits(
                parameters.lossPart() == 0 && once,
                parameters.reorderPairs() == 0 && once,
                true,
                true,
                true,
                false,
                false,
                Line.maxPayloadBytes(parameters.capacityBytes()));
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return sender(hub(channel, topic), topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return connector(channel, topic);
    }

    /**
     * {@inheritDoc}
     *
     * @return the side, which can tell when something comes out next
     */
    @Override
    public NullExchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        if (side == ExchangeSide.CONNECT) {
            final Connector connector = connector(channel, topic);
            return new NullExchange(connector.back(), connector, connector::nextReleaseNs);
        }
        final Hub hub = hub(channel, topic);
        final Sender sender = sender(hub, topic);
        final Returns returns = new Returns(hub);
        return new NullExchange(
                sender, returns, () -> Math.min(sender.nextReleaseNs(), returns.nextReleaseNs()));
    }

    private Hub hub(final ChannelUri channel, final Topic topic) {
        final NullParameters parameters = parametersOf(channel);
        final Hub hub = new Hub(registry.named(channel), parameters, clock);
        registry.bind(hub, topic);
        return hub;
    }

    private Sender sender(final Hub hub, final Topic topic) {
        return new Sender(
                hub,
                () -> {
                    registry.release(hub, topic);
                    hub.close();
                });
    }

    private Connector connector(final ChannelUri channel, final Topic topic) {
        parametersOf(channel);
        return new Connector(registry.get(channel, topic), () -> registry.find(channel, topic));
    }

    private static NullParameters parametersOf(final ChannelUri channel) {
        Registry.check(channel);
        final NullParameters read = channel.read(NullParameters.class);
        if (Integer.bitCount(read.capacityBytes()) != 1) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": capacityBytes is "
                            + read.capacityBytes()
                            + "; give a power of two.");
        }
        if (read.stallFor().compareTo(read.stallEvery()) >= 0 && !read.stallFor().isZero()) {
            throw UserError.usage(
                    "--channel " + channel + ": stallFor has to be shorter than stallEvery.");
        }
        return read;
    }
}

package io.tickmark.engines.aeron;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.Optional;

/**
 * Aeron: {@code aeron:ipc} and {@code aeron:udp?endpoint=host:port}. Aeron's own channel parameters
 * (mtu, fc, interface, ...) are written as Aeron writes them, in addition to those of {@link
 * #parameters}.
 */
public final class AeronTransport implements Transport {
    private static final String DRIVER_CLASS = "io.aeron.driver.MediaDriver";
    private static final String CLIENT_CLASS = "io.aeron.Aeron";
    private static final String NEEDED_PACKAGE = "jdk.internal.misc";

    /** Loads no class of Aeron yet. */
    public AeronTransport() {}

    @Override
    public String scheme() {
        return "aeron";
    }

    @Override
    public String summary() {
        return "Aeron: aeron:ipc, or aeron:udp?endpoint=host:port to one address, a multicast group or several"
                + " destinations, with an embedded or external media driver; Aeron's own parameters are passed on.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return AeronParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return absence(AeronTransport.class.getClassLoader());
    }

    static Optional<String> absence(final ClassLoader loader) {
        final Module user;
        try {
            Class.forName(DRIVER_CLASS, false, loader);
            user = Class.forName(CLIENT_CLASS, false, loader).getModule();
        } catch (final ClassNotFoundException e) {
            return Optional.of(
                    "Aeron's classes are missing; add aeron-client and aeron-driver to the class path.");
        }
        if (!Object.class.getModule().isExported(NEEDED_PACKAGE, user)) {
            return Optional.of(
                    "Aeron needs a JVM flag; start it with --add-exports java.base/jdk.internal.misc=ALL-UNNAMED.");
        }
        return Optional.empty();
    }

    @Override
    public List<Kind> kinds() {
        return List.of(
                new Kind("aeron:ipc", true), new Kind("aeron:udp?endpoint=127.0.0.1:0", true));
    }

    /** The driver's sender fills a datagram with as many whole frames as wait and fit. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        final AeronChannel checked = AeronChannel.of(channel);
        return PlainMessages.inMemory(checked.traits())
                .batching(
                        checked.kind() == ChannelKind.IPC
                                ? PlainMessages.NONE
                                : "messages that wait share a datagram where they fit");
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return AeronChannel.of(channel).traits();
    }

    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return AeronChannel.of(channel).kind() == ChannelKind.IPC;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean numbersTopics() {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return AeronEnds.publication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return AeronEnds.subscription(channel, topic);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return AeronEnds.exchange(channel, topic, side, cookie);
    }
}

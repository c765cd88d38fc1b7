package io.tickmark.engines.chronicle;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * {@code chronicle:///folder}, or {@code chronicle:} for a folder that is created and deleted:
 * queues of Chronicle Queue, one for each topic and one for each return path, each with one writer.
 * Writers do not wait for readers, as everything is in the file.
 */
public final class ChronicleTransport implements DurableTransport {
    /** For the ServiceLoader. */
    public ChronicleTransport() {}

    @Override
    public String scheme() {
        return "chronicle";
    }

    @Override
    public String summary() {
        return "Chronicle Queue: a persisted queue in a mapped file, between processes of one machine; also as a store.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return ChronicleParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return Libc.isAvailable()
                ? Optional.empty()
                : Optional.of("Chronicle Queue cannot be used: " + Libc.whyNotAvailable() + ".");
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("chronicle:", true));
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return true;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        QueueAddress.check(channel);
        return new TransportTraits(
                true, true, false, false, true, false, false, QueueWriter.MAX_PAYLOAD_BYTES);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        final QueueAddress address = QueueAddress.ofBinder(channel);
        return publication(address, address.queue(topic), () -> release(address));
    }

    private static ChroniclePublication publication(
            final QueueAddress address, final Path queue, final Runnable whenClosed) {
        return new ChroniclePublication(address, QueueWriter.open(address, queue), whenClosed);
    }

    /** Files that a reader still has open are closed with it. */
    private static void release(final QueueAddress address) {
        if (address.isChosen()) {
            IoUtil.delete(address.folder().toFile(), true);
        }
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        final QueueAddress address = QueueAddress.of(channel);
        return new ChronicleSubscription(
                address, QueueReader.fromEnd(address, address.queue(topic)));
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return side == ExchangeSide.BIND
                ? binder(QueueAddress.ofBinder(channel), topic)
                : connector(QueueAddress.of(channel), topic, cookie);
    }

    private static Exchange binder(final QueueAddress address, final Topic topic) {
        final ChroniclePublication out =
                publication(address, address.queue(topic), () -> release(address));
        try {
            return new QueueExchange(out, new WaysBack(address, topic));
        } catch (final RuntimeException e) {
            CloseHelper.quietClose(out);
            throw e;
        }
    }

    private static Exchange connector(
            final QueueAddress address, final Topic topic, final int cookie) {
        final QueueReader in = QueueReader.fromEnd(address, address.queue(topic));
        try {
            final ChroniclePublication back =
                    publication(address, address.back(topic, cookie), () -> {});
            WaysBack.sayHello(address, topic, cookie);
            return new QueueExchange(back, new ChronicleSubscription(address, in));
        } catch (final RuntimeException e) {
            CloseHelper.quietClose(in);
            throw e;
        }
    }

    /** Reading ends before the folder may be deleted. */
    private record QueueExchange(ChroniclePublication publication, Subscription subscription)
            implements Exchange {
        @Override
        public ChannelUri channel() {
            return publication.channel();
        }

        @Override
        public void close() {
            subscription.close();
            publication.close();
        }
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        final ChronicleParameters parameters = QueueAddress.check(channel);
        return new Guarantees(
                parameters.sync() ? Durability.D2 : Durability.D1,
                1,
                1,
                "written to the mapped file, by the publisher"
                        + (parameters.sync() ? ", and synced" : ""),
                parameters.sync() ? "before it is stable" : "never (page cache)",
                parameters.sync() ? "what was written since the last sync" : "none",
                "none",
                parameters.deletion());
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        final QueueAddress address = QueueAddress.of(channel);
        final LifeMark mark = running(address);
        final Path queue = address.queue(topic);
        QueueWriter writer = null;
        try {
            final long life = mark.current();
            writer = QueueWriter.open(address, queue);
            return new StorePublication(address, mark, life, writer, queue);
        } catch (final IOException e) {
            CloseHelper.quietCloseAll(writer, mark);
            throw address.unusable(queue, IoReason.of(e), e);
        } catch (final RuntimeException e) {
            CloseHelper.quietCloseAll(writer, mark);
            throw e;
        }
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        final QueueAddress address = QueueAddress.of(channel);
        final LifeMark mark = running(address);
        try {
            return new StoreSubscription(
                    address,
                    mark,
                    mark.current(),
                    QueueReader.fromStart(address, address.queue(topic)),
                    fromOrdinal);
        } catch (final RuntimeException e) {
            CloseHelper.quietClose(mark);
            throw e;
        }
    }

    private static LifeMark running(final QueueAddress address) {
        try {
            if (LifeMark.isIn(address.folder())) {
                final LifeMark mark = new LifeMark(address.folder(), false);
                if (mark.isStill(mark.current())) {
                    return mark;
                }
                mark.close();
            }
        } catch (final IOException e) {
            throw UserError.environment(
                    "--channel %s: the store cannot be reached (%s); look at its folder."
                            .formatted(address.channel(), IoReason.of(e)),
                    e);
        }
        throw UserError.environment(
                "--channel %s: no store runs in %s; start it first, with tickmark store chronicle:."
                        .formatted(address.channel(), address.folder()));
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        QueueAddress.check(channel);
        if (!channel.authority().isEmpty()) {
            throw UserError.usage(
                    "--channel %s: the folder of a store is given by --store-directory; write chronicle:, with parameters only."
                            .formatted(channel));
        }
        return new ChronicleStore(channel, directory);
    }
}

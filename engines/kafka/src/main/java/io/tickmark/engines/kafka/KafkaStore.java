package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;

/** Brokers as children, one or a cluster; each has a folder {@code member-N}. */
final class KafkaStore implements StoreServer {
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final KafkaChannel channel;
    private final Path directory;
    private List<Broker> brokers = List.of();

    /** What kept a read-back from taking its usual way; told with the engine's own troubles. */
    private final Set<String> detours = new LinkedHashSet<>();

    KafkaStore(final KafkaChannel channel, final Path directory) {
        this.channel = channel;
        this.directory = directory;
    }

    @Override
    public void start() {
        if (brokers.isEmpty()) {
            brokers = Broker.of(channel, members(), directory);
        }
        try {
            brokers.forEach(broker -> broker.start(brokers));
            awaitReady();
        } catch (final RuntimeException e) {
            brokers.forEach(Broker::kill);
            throw e;
        }
    }

    /** Those that run. */
    private void awaitReady() {
        brokers.stream().filter(Broker::isAlive).forEach(Broker::awaitReady);
        try (Topics topics = new Topics(reached())) {
            topics.awaitAll();
        }
    }

    private KafkaChannel reached() {
        return channel.startedAt(brokers.stream().map(Broker::address).toList());
    }

    @Override
    public ChannelUri endpoint() {
        return reached().uri();
    }

    @Override
    public int members() {
        return channel.parameters().members();
    }

    @Override
    public void kill(final int member) {
        brokers.get(member - 1).kill();
    }

    @Override
    public void restart(final int member) {
        brokers.get(member - 1).start(brokers);
        if (brokers.stream().filter(Broker::isAlive).count() >= channel.quorum()) {
            brokers.get(member - 1).awaitReady();
            try (Topics topics = new Topics(reached())) {
                topics.awaitAll();
            }
        }
    }

    @Override
    public Verification verify(final Topic topic) {
        if (brokers.isEmpty()) {
            brokers = Broker.of(channel, members(), directory);
        }
        return verify(reached(), topic);
    }

    /** Of a topic that a channel names. */
    Verification verify(final KafkaChannel at, final Topic topic) {
        final List<Verification> found =
                brokers.stream()
                        .map(broker -> new LogFiles(broker.data(), at.storedTopic(topic)).verify())
                        .toList();
        final boolean counts =
                at.parameters().deletion() == Deletion.ACKNOWLEDGED
                        && brokers.stream().anyMatch(Broker::isAlive);
        return new Verification(
                counts
                        ? count(
                                at, topic,
                                found) // deleted ones stay in a segment until all of it is
                        : most(found),
                found.stream().mapToLong(Verification::tornBytes).sum(),
                found.stream().mapToLong(Verification::corrupted).sum());
    }

    private long count(final KafkaChannel at, final Topic topic, final List<Verification> found) {
        try {
            return count(at, topic);
        } catch (final UserError e) {
            detours.add("its messages could not be counted by a broker: " + e.getMessage());
            return most(found);
        }
    }

    private static long most(final List<Verification> found) {
        return found.stream().mapToLong(Verification::messages).max().orElse(0);
    }

    static long count(final KafkaChannel channel, final Topic topic) {
        final String name = channel.storedTopic(topic);
        try (Topics topics = new Topics(channel)) {
            topics.ensure(name);
            return topics.offset(name, OffsetSpec.latest())
                    - topics.offset(name, OffsetSpec.earliest());
        }
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        return readBack(reached(), topic, fromOrdinal, handler);
    }

    /**
     * Of a topic that a channel names: from files, but for what brokers alone know to be deleted.
     */
    long readBack(
            final KafkaChannel at,
            final Topic topic,
            final long fromOrdinal,
            final MessageHandler handler) {
        final boolean runs = brokers.stream().anyMatch(Broker::isAlive);
        if (runs && at.parameters().deletion() == Deletion.ACKNOWLEDGED) {
            return readThroughBrokers(at, topic, fromOrdinal, handler);
        }
        final String name = at.storedTopic(topic);
        return (runs ? filesOfLeader(at, name) : fullestFiles(name)).read(fromOrdinal, handler);
    }

    /** Others may have a tail that was never acknowledged, and lack what was. */
    private LogFiles filesOfLeader(final KafkaChannel at, final String name) {
        try (Topics topics = new Topics(at)) {
            return new LogFiles(brokers.get(topics.leader(name) - 1).data(), name);
        } catch (final UserError e) {
            detours.add(
                    "no broker tells who leads, so the files that hold most were read: "
                            + e.getMessage());
            return fullestFiles(name);
        }
    }

    /**
     * Of brokers that ended, by a kill or for want of room: files can be read whether or not they
     * start again.
     */
    private LogFiles fullestFiles(final String name) {
        return brokers.stream()
                .map(broker -> new LogFiles(broker.data(), name))
                .max(Comparator.comparingLong(files -> files.verify().messages()))
                .orElseThrow();
    }

    @Override
    public List<String> troubles() {
        return Stream.concat(
                        IntStream.rangeClosed(1, brokers.size())
                                .filter(member -> brokers.get(member - 1).hasEndedByItself())
                                .mapToObj(
                                        "Broker %d ended by itself, as Kafka does when it cannot write to its disk."
                                                ::formatted),
                        detours.stream())
                .toList();
    }

    static long readThroughBrokers(
            final KafkaChannel channel,
            final Topic topic,
            final long fromOrdinal,
            final MessageHandler handler) {
        final String name = channel.storedTopic(topic);
        try (Topics topics = new Topics(channel)) {
            topics.ensure(name);
            final long first = Math.max(fromOrdinal, topics.offset(name, OffsetSpec.earliest()));
            final long end = topics.offset(name, OffsetSpec.latest());
            try (Reader reader = new Reader(channel, name, first)) {
                return read(channel, reader, first, end, handler);
            }
        } catch (final KafkaException e) {
            throw Clients.refused(channel, e);
        }
    }

    private static long read(
            final KafkaChannel channel,
            final Reader reader,
            final long first,
            final long end,
            final MessageHandler handler) {
        long count = 0;
        long sinceNs = SystemNanoClock.INSTANCE.nanoTime();
        while (first < end && reader.offset() < end - 1) {
            reader.await(Duration.ofMillis(100));
            final int handed = reader.poll(handler, Integer.MAX_VALUE);
            count += handed;
            final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
            if (handed > 0) {
                sinceNs = nowNs;
            } else if (nowNs - sinceNs > SILENCE.toNanos()) {
                throw channel.failed(
                        "the broker handed over nothing for %d s behind message %d of %d"
                                .formatted(SILENCE.toSeconds(), reader.offset(), end),
                        null);
            }
        }
        return count;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(brokers);
    }
}

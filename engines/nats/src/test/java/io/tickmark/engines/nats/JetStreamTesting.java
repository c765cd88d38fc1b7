package io.tickmark.engines.nats;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Writes numbered messages to servers that it kills, and reads them back. */
abstract class JetStreamTesting {
    static final int LENGTH = 100;

    final JetStreamTransport transport = new JetStreamTransport();
    final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    final UnsafeBuffer large = new UnsafeBuffer(new byte[65_536]);
    final List<Long> read = new ArrayList<>();

    @TempDir Path directory;
    StoreServer store;

    @BeforeEach
    void needServer() {
        NatsNeeds.server();
    }

    @AfterEach
    void closeStore() {
        if (store != null) {
            store.close();
        }
    }

    void start(final String channel) {
        store = transport.store(ChannelUri.parse(channel), directory);
        store.start();
    }

    void offer(final DurablePublication publication, final long from, final long to) {
        for (long ordinal = from; ordinal < to; ordinal++) {
            message.putLong(0, ordinal);
            final long wanted = ordinal;
            until(
                    "message " + ordinal + " is taken",
                    () -> {
                        final long taken = publication.offer(message, 0, LENGTH);
                        if (taken < 0) {
                            publication.doWork();
                        } else {
                            assertThat(taken).isEqualTo(wanted);
                        }
                        return taken >= 0;
                    });
        }
    }

    static long stable(final DurablePublication publication) {
        publication.doWork();
        return publication.stablePosition();
    }

    /** Its client has messages that it cannot write when the server is killed that it talks to. */
    void breakWhileItWrites(final JetStreamPublication publication) throws InterruptedException {
        final Thread killer;
        try (Standstill _ = new Standstill()) {
            until(
                    "its client has messages that it cannot write",
                    () ->
                            publication.offer(large, 0, large.capacity())
                                    == Publication.BACK_PRESSURED);
            // it may wait for a process that stands still, too
            killer = Thread.ofPlatform().start(() -> store.kill(1));
            until("the connection breaks", () -> !publication.link().isServed());
        }
        killer.join();
    }

    /** Whether a message that it offers finds no server. */
    boolean findsNobody(final DurablePublication publication) {
        publication.doWork();
        return publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED;
    }

    /** Once its client has ended, it sends nothing again by itself. */
    static void awaitEndOfClient(final JetStreamPublication publication) {
        until(
                "its client has ended",
                () -> publication.link().connection().getStatus() == Connection.Status.CLOSED);
        assertThat(publication.isLost()).isTrue();
    }

    /** Reads ten more at most; returns how many have been read in all. */
    int poll(final DurableSubscription subscription) {
        subscription.poll((buffer, offset, length) -> read.add(buffer.getLong(offset)), 10);
        return read.size();
    }

    List<Long> readBack() {
        read.clear();
        final long count =
                store.readBack(
                        Topic.DEFAULT,
                        0,
                        (buffer, offset, length) -> read.add(buffer.getLong(offset)));
        assertThat(read).hasSize(Math.toIntExact(count));
        return read;
    }

    static List<Long> ordinals(final long from, final long to) {
        return LongStream.range(from, to).boxed().toList();
    }
}

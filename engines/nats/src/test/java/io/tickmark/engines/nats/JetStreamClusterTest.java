package io.tickmark.engines.nats;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.Connection;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.Durability;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers, three replicas. */
class JetStreamClusterTest {
    private static final int LENGTH = 100;

    private final JetStreamTransport transport = new JetStreamTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Long> read = new ArrayList<>();

    @TempDir Path directory;
    private StoreServer store;

    @BeforeEach
    void start() {
        Needed.server();
        store = transport.store(ChannelUri.parse("jetstream:?replicas=3"), directory);
        store.start();
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    @Test
    void shouldKeepEachMessageOnceAndInOrderWhenOneMemberIsKilledAndWhenAllAre() {
        assertThat(store.members()).isEqualTo(3);
        assertThat(transport.guarantees(store.endpoint()).durability()).isEqualTo(Durability.D3);
        assertThat(transport.guarantees(store.endpoint()).quorum()).isEqualTo(2);
        try (DurablePublication publication =
                        transport.durablePublication(store.endpoint(), Topic.DEFAULT);
                DurableSubscription subscription =
                        transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
            offer(publication, 0, 1000);
            store.kill(1); // the clients are connected to it
            offer(publication, 1000, 2000);
            store.restart(1);
            offer(publication, 2000, 2500);
            until(
                    () -> "all are stable: " + publication.facts(),
                    () -> stable(publication) == 2499);
            until(
                    "all are read",
                    () -> {
                        subscription.poll(
                                (buffer, offset, length) -> read.add(buffer.getLong(offset)), 100);
                        return read.size() >= 2500;
                    });
        }
        assertThat(read).containsExactlyElementsOf(ordinals(2500));
        killAll();

        read.clear();
        assertThat(
                        store.readBack(
                                Topic.DEFAULT,
                                0,
                                (buffer, offset, length) -> read.add(buffer.getLong(offset))))
                .isEqualTo(2500);
        assertThat(read).containsExactlyElementsOf(ordinals(2500));
        assertThat(store.verify(Topic.DEFAULT).messages()).isEqualTo(2500);

        // One of three answers no request about the stream, as when its disk is full.
        store.kill(1);
        store.kill(2);
        read.clear();
        assertThatThrownBy(() ->
                        store.readBack(
                                Topic.DEFAULT,
                                0,
                                (buffer, offset, length) -> read.add(buffer.getLong(offset))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no server reported how many messages it has");
        assertThat(read).containsExactlyElementsOf(ordinals(2500));
    }

    /** Another member would store it in the place of what was on its way to the killed one. */
    @Test
    void shouldWriteNothingMoreOnceItsConnectionBrokeWhereMessagesHaveNoIds() throws Exception {
        final UnsafeBuffer large = new UnsafeBuffer(new byte[65_536]);
        final BrokerChannel<JetStreamParameters> channel =
                transport.channel(
                        store.endpoint()
                                .with("dedup", "false")
                                .with("ackTimeout", "600s")
                                .with("sendPendingBytes", "262144"));
        try (JetStreamPublication publication = JetStreamPublication.open(channel, Topic.DEFAULT)) {
            offer(publication, 0, 1);
            until("the first is stable", () -> stable(publication) == 0);
            final Thread killer;
            try (Standstill _ = new Standstill()) {
                until(
                        "its client has messages that it cannot write",
                        () -> publication.offer(large, 0, 65_536) == Publication.BACK_PRESSURED);
                // it may wait for a process that stands still, too
                killer = Thread.ofPlatform().start(() -> store.kill(1));
                until("the connection breaks", () -> !publication.link().isServed());
            }
            killer.join();

            until(
                    "its client has ended",
                    () -> publication.link().connection().getStatus() == Connection.Status.CLOSED);
            assertThat(publication.isLost()).isTrue();
            assertThat(publication.failure()).isEmpty();
        }
        store.restart(1);
        store.readBack(
                Topic.DEFAULT, 0, (buffer, offset, length) -> read.add(buffer.getLong(offset)));
        assertThat(read).containsExactly(0L);
    }

    private void killAll() {
        try (DurablePublication publication =
                transport.durablePublication(store.endpoint(), Topic.DEFAULT)) {
            for (int member = 1; member <= 3; member++) {
                store.kill(member);
            }
            until(
                    "the store is lost",
                    () -> publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED);
        }
        for (int member = 1; member <= 3; member++) {
            store.restart(member);
        }
    }

    private void offer(final DurablePublication publication, final long from, final long to) {
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

    private static long stable(final DurablePublication publication) {
        publication.doWork();
        return publication.stablePosition();
    }

    private static List<Long> ordinals(final long to) {
        return LongStream.range(0, to).boxed().toList();
    }
}

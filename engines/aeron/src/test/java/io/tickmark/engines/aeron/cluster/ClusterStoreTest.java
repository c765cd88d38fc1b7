package io.tickmark.engines.aeron.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ClusterStoreTest {
    private static final int LENGTH = 700;
    private static final long ELECTED_NS = TimeUnit.SECONDS.toNanos(120);

    private final ClusterTransport transport = new ClusterTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Long> read = new ArrayList<>();
    @TempDir private Path folder;

    private DurablePublication publication(final StoreServer store) {
        return transport.durablePublication(store.endpoint(), Topic.DEFAULT);
    }

    /** One retries for ten seconds, in which a busy machine may not have elected a leader yet. */
    private DurablePublication publicationOfTheNextLeader(final StoreServer store) {
        final long beganNs = SystemNanoClock.INSTANCE.nanoTime();
        while (true) {
            try {
                return publication(store);
            } catch (final UserError e) {
                if (SystemNanoClock.INSTANCE.nanoTime() - beganNs > ELECTED_NS) {
                    throw e;
                }
            }
        }
    }

    /** Sends up to an ordinal and waits until that is stable. */
    private void write(final DurablePublication publication, final long upTo) {
        long next = publication.stablePosition() + 1;
        while (publication.stablePosition() < upTo) {
            message.putLong(0, next);
            if (next <= upTo && publication.offer(message, 0, LENGTH) >= 0) {
                next++;
            }
            publication.doWork();
        }
    }

    private static Long[] ordinals(final long from, final long to) {
        return LongStream.range(from, to).boxed().toArray(Long[]::new);
    }

    private void readTo(final DurableSubscription subscription, final long ordinal) {
        while (subscription.ordinal() < ordinal) {
            subscription.poll((buffer, offset, length) -> read.add(buffer.getLong(offset)), 100);
        }
    }

    @Test
    void shouldGoOnWithTwoOfThreeAndLoseNothingWithItsLeader() {
        try (StoreServer store =
                transport.store(
                        ChannelUri.parse(
                                "cluster:?livenessTimeout=10s&" + ClusterContractTest.SMALL),
                        folder)) {
            store.start();
            final int leader;
            try (DurablePublication publication = publication(store);
                    DurableSubscription subscription =
                            transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
                write(publication, 99);
                leader = (Integer) publication.facts().get("leader");
                final int follower = leader % 3 + 1;
                store.kill(follower);
                write(publication, 199);
                assertThat(publication.isLost()).isFalse();
                store.restart(follower);
                write(publication, 299);
                readTo(subscription, 299);

                store.kill(leader);
                while (publication.offer(message, 0, LENGTH) != Publication.NOT_CONNECTED
                        || subscription.isConnected()) {
                    publication.doWork();
                    subscription.poll((buffer, offset, length) -> {}, 0);
                }
            }
            // The two remaining members elect another, and the restarted follower has all messages.
            try (DurablePublication publication = publicationOfTheNextLeader(store);
                    DurableSubscription subscription =
                            transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 300)) {
                final long kept = publication.stablePosition();
                assertThat(kept).isGreaterThanOrEqualTo(299);
                write(publication, kept + 100);
                readTo(subscription, kept + 100);
                read.removeIf(ordinal -> ordinal >= 300 && ordinal <= kept);
                store.restart(leader);
            }
            assertThat(read).startsWith(ordinals(0, 300));
            assertThat(store.verify(Topic.DEFAULT).corrupted()).isZero();
            assertThat(readBack(store))
                    .startsWith(ordinals(0, 300))
                    .hasSizeGreaterThanOrEqualTo(400);
        }
    }

    private List<Long> readBack(final StoreServer store) {
        final List<Long> found = new ArrayList<>();
        store.readBack(
                Topic.DEFAULT, 0, (buffer, offset, length) -> found.add(buffer.getLong(offset)));
        return found;
    }

    @Test
    void shouldSayWhyAMemberDoesNotStart() throws Exception {
        Files.writeString(folder.resolve("member-1"), "in the way");
        try (StoreServer store = transport.store(ChannelUri.parse("cluster:?members=1"), folder)) {
            assertThatThrownBy(store::start)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("The cluster's member 1 in")
                    .hasMessageContaining("does not start");
        }
    }

    @Test
    void shouldRefuseWrongParameters() {
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("cluster:?termBytes=3000000")))
                .hasMessageContaining("termBytes is not a power of two");
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("cluster:?mtuBytes=1500")))
                .hasMessageContaining("mtuBytes is not a multiple of 32");
        assertThatThrownBy(
                        () -> transport.traits(ChannelUri.parse("cluster:?deletion=acknowledged")))
                .hasMessageContaining("a cluster keeps its log")
                .hasMessageContaining("archive:?members=3&deletion=acknowledged");
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("cluster://localhost:4001")))
                .hasMessageContaining("has an address");
    }
}

package io.tickmark.transport.shm;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShmReadersTest {
    private static final int LENGTH = 1000;

    private final ShmTransport transport = new ShmTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Long> received = new ArrayList<>();

    @AfterEach
    void closeAll() {
        CloseHelper.closeAll(opened);
    }

    @Test
    void shouldLetALateReaderInAtTheTail() {
        final Publication publication = publication("");
        final Subscription early = joined(publication);
        send(publication, 1);

        final Subscription late = joined(publication);
        send(publication, 2);
        drain(late);

        assertThat(received).containsExactly(2L);
        received.clear();
        drain(early);
        assertThat(received).containsExactly(1L, 2L);
    }

    @Test
    void shouldWaitForTheSlowestReader() {
        final Publication publication = publication("");
        final Subscription fast = joined(publication);
        final Subscription slow = joined(publication);
        long sequence = 0;
        while (offer(publication, sequence) >= 0) {
            sequence++;
            drain(fast);
        }
        assertThat(offer(publication, sequence)).isEqualTo(Publication.BACK_PRESSURED);

        received.clear();
        drain(slow);

        assertThat(received).hasSize((int) sequence).isSorted();
        assertThat(offer(publication, sequence)).isPositive();
    }

    @Test
    void shouldNotWaitForAReaderThatLeft() {
        final Publication publication = publication("");
        final Subscription stays = joined(publication);
        final Subscription leaves = joined(publication);
        leaves.close();
        for (long sequence = 0; sequence < 1000; sequence++) {
            send(publication, sequence);
            drain(stays);
        }

        assertThat(received).hasSize(1000);
        assertThat(publication.subscriberCount()).isOne();
    }

    @Test
    void shouldBuryAReaderWhoseProcessIsGone() throws Exception {
        final Publication publication = publication("");
        final Subscription stays = joined(publication);
        final ShmFile file = ShmFile.open(ShmAddress.of(publication.channel(), Topic.DEFAULT));
        final int slot = ShmLayout.slot(9);
        file.header().putLong(slot + ShmLayout.PROCESS, ProcessIdentityTest.ended());
        file.header().putInt(slot + ShmLayout.STATE, ShmLayout.JOINING);
        file.header().getAndAddLong(ShmLayout.CHANGES_OFFSET, 1);
        publication.doWork();
        assertThat(publication.subscriberCount()).isEqualTo(2);

        final long[] sequence = {0};
        until(() -> {
            sequence[0] += offer(publication, sequence[0]) >= 0 ? 1 : 0;
            drain(stays);
            publication.doWork();
            return sequence[0] == 500;
        });

        assertThat(publication.subscriberCount()).isOne();
        assertThat(file.header().getLong(slot + ShmLayout.PROCESS)).isZero();
        file.close();
    }

    @Test
    void shouldRefuseTheReaderThatFindsNoSlot() {
        final Publication publication = publication("");
        for (int i = 0; i < ShmLayout.SLOTS; i++) {
            joined(publication);
        }
        assertThat(publication.subscriberCount()).isEqualTo(ShmLayout.SLOTS);

        assertThatThrownBy(() -> transport.subscription(publication.channel(), Topic.DEFAULT))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("64 readers");
    }

    @Test
    void shouldCountExactlyWhatALossyReaderMissed() {
        final Publication publication = publication("&lossy");
        final Subscription reader = joined(publication);
        for (long sequence = 0; sequence < 1000; sequence++) {
            assertThat(offer(publication, sequence)).isPositive();
        }
        drain(reader);
        assertThat(received.size() + reader.lost()).isEqualTo(1000);
        assertThat(reader.lost()).isPositive();

        send(publication, 1000);
        drain(reader);

        assertThat(received).endsWith(1000L).isSorted().doesNotHaveDuplicates();
        assertThat(received.size() + reader.lost()).isEqualTo(1001);
    }

    @Test
    void shouldReadAllWhereALossyReaderKeepsUp() {
        final Publication publication = publication("&lossy");
        final Subscription reader = joined(publication);
        for (long sequence = 0; sequence < 1000; sequence++) {
            send(publication, sequence);
            drain(reader);
        }

        assertThat(received).hasSize(1000);
        assertThat(reader.lost()).isZero();
    }

    @Test
    void shouldWaitForAWriterThatComesLater() {
        final Publication early = publication("");
        early.close();
        final Subscription reader = opened(transport.subscription(early.channel(), Topic.DEFAULT));
        assertThat(reader.isConnected()).isFalse();

        final Publication late = opened(transport.publication(early.channel(), Topic.DEFAULT));
        until(() -> {
            drain(reader);
            late.doWork();
            return reader.isConnected();
        });
        send(late, 5);
        drain(reader);

        assertThat(received).containsExactly(5L);
    }

    @Test
    void shouldReadWhatWasWrittenBeforeTheWriterClosed() {
        final Publication publication = publication("");
        final Subscription reader = joined(publication);
        send(publication, 1);
        send(publication, 2);
        publication.close();

        until(() -> {
            drain(reader);
            return !reader.isConnected();
        });

        assertThat(received).containsExactly(1L, 2L);
    }

    private Publication publication(final String parameters) {
        return opened(
                transport.publication(
                        ChannelUri.parse("shm:?capacityBytes=65536" + parameters), Topic.DEFAULT));
    }

    private Subscription joined(final Publication publication) {
        final Subscription made =
                opened(transport.subscription(publication.channel(), Topic.DEFAULT));
        until(() -> {
            publication.doWork();
            return made.isConnected();
        });
        return made;
    }

    private long offer(final Publication publication, final long sequence) {
        message.putLong(0, sequence);
        return publication.offer(message, 0, LENGTH);
    }

    private void send(final Publication publication, final long sequence) {
        assertThat(offer(publication, sequence)).isPositive();
    }

    private void drain(final Subscription subscription) {
        int handed = 1;
        while (handed > 0) {
            handed =
                    subscription.poll(
                            (buffer, offset, length) -> received.add(buffer.getLong(offset)), 100);
        }
    }

    private <T extends AutoCloseable> T opened(final T closeable) {
        opened.add(closeable);
        return closeable;
    }
}

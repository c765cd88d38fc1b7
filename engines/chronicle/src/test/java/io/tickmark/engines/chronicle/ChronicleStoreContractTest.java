package io.tickmark.engines.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronicleStoreContractTest extends DurableContractTest {
    private static final int INCOMPLETE = 1 << 31;
    private static final int OWN = 1 << 30;

    @Override
    protected DurableTransport transport() {
        return new ChronicleTransport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "chronicle:?blockBytes=8388608&deletion="
                        + (receiverPaced ? "acknowledged" : "kept"));
    }

    @Override
    protected boolean deletesAcknowledged() {
        return false;
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final ByteBuffer torn = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        torn.putInt(INCOMPLETE | 100).put("the beginning of a message".getBytes()).flip();
        write(file(data, topic), torn, documents(data, topic)[0]);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final int inTheLast = documents(data, topic)[1] + 30;
        final byte[] bytes = Files.readAllBytes(file(data, topic));
        write(
                file(data, topic),
                ByteBuffer.wrap(new byte[] {(byte) (bytes[inTheLast] ^ 1)}),
                inTheLast);
    }

    /** It was counted, and nobody was told. */
    @Test
    void shouldSayThatASubscriptionLeftOutADamagedMessage(@TempDir final Path data)
            throws IOException {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        try (StoreServer store = transport().store(channel(false), data)) {
            store.start();
            try (DurablePublication publication =
                    transport().durablePublication(store.endpoint(), Topic.DEFAULT)) {
                assertThat(publication.offer(message, 0, 100)).isZero();
                assertThat(publication.offer(message, 0, 100)).isOne();
            }
            corrupt(data, Topic.DEFAULT);

            try (DurableSubscription subscription =
                    transport().durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
                while (subscription.lost() == 0) {
                    subscription.poll((buffer, offset, length) -> {}, 1);
                }
                assertThat(subscription.ordinal()).isZero();
                assertThat(subscription.facts()).containsEntry("damagedMessages", 1L);
                assertThat(subscription.isCount("damagedMessages"))
                        .as("of several topics")
                        .isTrue();
                assertThat(subscription.engineErrors())
                        .contains(
                                "A message of the queue was left out: the checksum of message 1 is wrong.");
            }
        }
    }

    private static Path file(final Path data, final Topic topic) {
        return data.resolve(topic.name()).resolve("19700101F.cq4");
    }

    private static void write(final Path file, final ByteBuffer bytes, final int at)
            throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(bytes, at);
        }
    }

    /** Where the documents end, and where the last message begins. */
    private static int[] documents(final Path data, final Topic topic) throws IOException {
        final ByteBuffer bytes =
                ByteBuffer.wrap(Files.readAllBytes(file(data, topic)))
                        .order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        int last = 0;
        while (bytes.getInt(at) != 0) {
            last = (bytes.getInt(at) & OWN) == 0 ? at : last;
            at += (4 + (bytes.getInt(at) & (OWN - 1)) + 3) & -4;
        }
        return new int[] {at, last};
    }
}

package io.tickmark.transport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FileStoreContractTest extends DurableContractTest {
    @Override
    protected DurableTransport transport() {
        return new FileStoreTransport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "filestore:?syncEvery=10&deletion=" + (receiverPaced ? "acknowledged" : "kept"));
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        Files.write(
                LogSegment.path(data, topic.name(), 0),
                new byte[] {0, 0, 0, 100, 1, 2, 3, 4, 5},
                StandardOpenOption.APPEND);
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final Path segment = LogSegment.path(data, topic.name(), 0);
        final byte[] bytes = Files.readAllBytes(segment);
        bytes[50] ^= 1;
        Files.write(segment, bytes);
    }

    @Test
    void shouldRefuseMoreThanMayBeInFlight() {
        try (StoreServer store =
                transport()
                        .store(
                                ChannelUri.parse("filestore:?syncEvery=1000&maxFlight=5"),
                                directory)) {
            store.start();
            final DurablePublication publication =
                    transport().durablePublication(store.endpoint(), Topic.DEFAULT);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            for (long ordinal = 0; ordinal < 5; ordinal++) {
                assertThat(publication.offer(message, 0, 8)).isEqualTo(ordinal);
            }

            assertThat(publication.offer(message, 0, 8)).isEqualTo(Publication.BACK_PRESSURED);
            assertThat(publication.stablePosition()).isEqualTo(DurablePublication.NONE_STABLE);

            publication.doWork();
            assertThat(publication.stablePosition()).isEqualTo(4);
            assertThat(publication.offer(message, 0, 8)).isEqualTo(5);
        }
    }

    @Test
    void shouldSayThatNoStoreRuns() {
        assertThatThrownBy(() ->
                        transport()
                                .durablePublication(
                                        ChannelUri.parse("filestore:none"), Topic.DEFAULT))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("start it first");
    }
}

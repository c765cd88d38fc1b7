package io.tickmark.engines.dds;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The process does not grow with the messages it sends and receives. {@code
 * -Dtickmark.dds.messages=10000000} makes it ten million.
 */
class MemoryTest {
    private static final int MESSAGES = Integer.getInteger("tickmark.dds.messages", 250_000);
    private static final int LENGTH = 1024;

    /** A leak of 64 bytes a message would be seen in the short run, too. */
    private static final long MOST_GROWTH_BYTES = Math.max(12L << 20, MESSAGES * 4L);

    private static final int OPENINGS = 40;

    @BeforeEach
    void needTheLibrary() {
        Needed.library();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dds:?reliable", "dds:", "dds:?reliable&receive=polling"})
    void shouldNotGrowWithItsMessages(final String channel) throws Exception {
        try (Publication publication =
                        new DdsTransport().publication(ChannelUri.parse(channel), Topic.DEFAULT);
                Subscription subscription =
                        new DdsTransport().subscription(publication.channel(), Topic.DEFAULT)) {
            send(publication, subscription, MESSAGES / 4); // what is loaded and compiled once
            final long before = residentBytes();

            send(publication, subscription, MESSAGES);

            assertThat(residentBytes() - before).isLessThan(MOST_GROWTH_BYTES);
        }
    }

    @Test
    void shouldNotGrowWithItsChannels() throws Exception {
        openAndClose(OPENINGS / 2);
        final long before = residentBytes();

        openAndClose(OPENINGS);

        // The buffers of one subscription alone are 16 MiB, of which 64 KiB a time were touched.
        assertThat(residentBytes() - before).isLessThan(24L << 20);
    }

    private static void openAndClose(final int times) {
        for (int i = 0; i < times; i++) {
            try (Publication publication =
                            new DdsTransport()
                                    .publication(ChannelUri.parse("dds:?reliable"), Topic.DEFAULT);
                    Subscription subscription =
                            new DdsTransport().subscription(publication.channel(), Topic.DEFAULT)) {
                send(publication, subscription, 100);
            }
        }
    }

    private static void send(
            final Publication publication, final Subscription subscription, final int count) {
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
        final int[] received = {0};
        for (int sent = 0; sent < count; sent++) {
            Peer.until(
                    "an offer is taken",
                    () -> {
                        final boolean taken = publication.offer(message, 0, LENGTH) >= 0;
                        subscription.poll((buffer, offset, length) -> received[0]++, 64);
                        return taken;
                    });
        }
        Peer.until(
                "all are received",
                () -> {
                    subscription.poll((buffer, offset, length) -> received[0]++, 64);
                    return received[0] == count;
                });
    }

    private static long residentBytes() throws IOException {
        System.gc();
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow()
                    << 10;
        }
    }
}

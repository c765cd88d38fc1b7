package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.Libc;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The process does not grow with the messages it sends and receives: neither its memory, nor what
 * malloc has handed out, where a leak of a single block for each message shows. {@code
 * -Dtickmark.dds.messages=10000000} makes it ten million.
 */
class MemoryTest {
    private static final int ENOUGH = 250_000;
    private static final int MESSAGES = Integer.getInteger("tickmark.dds.messages", ENOUGH);
    private static final int LENGTH = 1024;

    /** The smallest block of malloc has 32 bytes: a leak of one for each of a half is 4 MB. */
    private static final long MOST_ALLOCATED_BYTES = 5L << 19;

    /** 16 MiB of all messages, in three times; what is touched of the heap counts as well. */
    private static final long MOST_GROWTH_BYTES = (16L << 20) / 3;

    /** Fewer than the queue of shared memory holds. */
    private static final int MOST_UNDER_WAY = 128;

    private static final int SMALL_BLOCK_BYTES = 16;

    // struct mallinfo2: ten of size_t
    private static final MemoryLayout MALLINFO_LAYOUT =
            MemoryLayout.structLayout(
                    Collections.nCopies(10, JAVA_LONG).toArray(MemoryLayout[]::new));
    private static final MethodHandle MALLINFO =
            Libc.handle("mallinfo2", FunctionDescriptor.of(MALLINFO_LAYOUT));
    private static final MethodHandle MALLOC =
            Libc.handle("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FREE =
            Libc.handle("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    private static final int OPENINGS = 40;
    private static final int QUIET_LOOKS = 10;
    private static final int MOST_LOOKS = 200;

    private record Growth(long allocatedBytes, long residentBytes) {}

    @BeforeEach
    void needTheLibrary() {
        CycloneNeeds.library();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dds:?reliable",
                "dds:",
                "dds:?reliable&receive=polling",
                "dds:?transport=shm"
            })
    void shouldNotGrowWithItsMessages(final String channel) throws Exception {
        if (channel.contains("shm")) {
            CycloneNeeds.daemon();
        }
        try (Publication publication =
                        new DdsTransport().publication(ChannelUri.parse(channel), Topic.DEFAULT);
                Subscription subscription =
                        new DdsTransport().subscription(publication.channel(), Topic.DEFAULT)) {
            send(
                    publication,
                    subscription,
                    MESSAGES / 4,
                    () -> {}); // what is loaded and compiled once

            final Growth growth = growthByHalf(publication, subscription, MESSAGES, () -> {});

            assertThat(growth.allocatedBytes()).isLessThan(MOST_ALLOCATED_BYTES);
            assertThat(growth.residentBytes()).isLessThan(MOST_GROWTH_BYTES);
        }
    }

    /** The measure measures: here each message that is received leaves one block behind. */
    @Test
    void shouldSeeASmallBlockLeftBehindForEachMessage() throws Exception {
        final List<Long> blocks = new ArrayList<>(ENOUGH);
        try (Publication publication =
                        new DdsTransport()
                                .publication(ChannelUri.parse("dds:?reliable"), Topic.DEFAULT);
                Subscription subscription =
                        new DdsTransport().subscription(publication.channel(), Topic.DEFAULT)) {
            send(publication, subscription, ENOUGH / 4, () -> {});
            final Growth growth =
                    growthByHalf(
                            publication,
                            subscription,
                            ENOUGH,
                            () -> blocks.add(malloc(SMALL_BLOCK_BYTES)));

            assertThat(growth.allocatedBytes()).isGreaterThan(MOST_ALLOCATED_BYTES);
        } finally {
            blocks.forEach(MemoryTest::free);
        }
    }

    /**
     * The growth over half of the messages: the median of three measurements, because Java's
     * compiler allocates or frees tens of MB at any time.
     */
    private static Growth growthByHalf(
            final Publication publication,
            final Subscription subscription,
            final int messages,
            final Runnable each)
            throws Exception {
        final long[] allocated = new long[3];
        final long[] resident = new long[3];
        long allocatedBefore = allocatedBytes();
        long residentBefore = residentBytes();
        for (int i = 0; i < allocated.length; i++) {
            send(publication, subscription, messages / 2, each);
            final long allocatedNow = allocatedBytes();
            final long residentNow = residentBytes();
            allocated[i] = allocatedNow - allocatedBefore;
            resident[i] = residentNow - residentBefore;
            allocatedBefore = allocatedNow;
            residentBefore = residentNow;
        }
        Arrays.sort(allocated);
        Arrays.sort(resident);
        return new Growth(allocated[1], resident[1]);
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
                send(publication, subscription, 100, () -> {});
            }
        }
    }

    private static void send(
            final Publication publication,
            final Subscription subscription,
            final int count,
            final Runnable atEach) {
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
        final int[] received = {0};
        final MessageHandler handler =
                (buffer, offset, length) -> {
                    received[0]++;
                    atEach.run();
                };
        for (int sent = 0; sent < count; sent++) {
            final int before = sent;
            Waiting.until(
                    "an offer is taken",
                    () -> {
                        subscription.poll(handler, 64);
                        return before + 1 - received[0] <= MOST_UNDER_WAY
                                && publication.offer(message, 0, LENGTH) >= 0;
                    });
        }
        Waiting.until(
                "all are received",
                () -> {
                    subscription.poll(handler, 64);
                    return received[0] == count;
                });
    }

    /** Anonymous memory: that of the shared memory daemon is not included. */
    private static long residentBytes() throws IOException {
        System.gc();
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("RssAnon"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow()
                    << 10;
        }
    }

    /**
     * Memory that malloc has allocated and not freed. Java's compiler allocates and frees tens of
     * MB meanwhile: therefore the minimum, until there is no lower value for a while.
     */
    private static long allocatedBytes() throws InterruptedException {
        System.gc(); // memory that Java frees
        long least = handedOutBytes();
        int unchanged = 0;
        for (int look = 0; look < MOST_LOOKS && unchanged < QUIET_LOOKS; look++) {
            Thread.sleep(50);
            final long bytes = handedOutBytes();
            unchanged = bytes < least ? 0 : unchanged + 1;
            least = Math.min(least, bytes);
        }
        return least;
    }

    /** By mallinfo2(3): uordblks and hblkhd. */
    private static long handedOutBytes() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment info = (MemorySegment) MALLINFO.invoke(arena);
            return info.getAtIndex(JAVA_LONG, 7) + info.getAtIndex(JAVA_LONG, 4);
        } catch (final Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static long malloc(final long bytes) {
        try {
            return (long) MALLOC.invokeExact(bytes);
        } catch (final Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static void free(final long block) {
        try {
            FREE.invokeExact(block);
        } catch (final Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}

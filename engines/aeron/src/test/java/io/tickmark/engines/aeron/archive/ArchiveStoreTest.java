package io.tickmark.engines.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class ArchiveStoreTest {
    private static final int LENGTH = 700;

    /** A busy machine may keep an archive off its cores for as long as it is usually waited for. */
    private static final String PATIENT_DRIVER = "&livenessTimeout=20s";

    private final ArchiveTransport transport = new ArchiveTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    @TempDir private Path folder;

    private StoreServer store(final String parameters) {
        return transport.store(
                ChannelUri.parse(
                        "archive:?" + ArchiveContractTest.SMALL + PATIENT_DRIVER + parameters),
                folder);
    }

    private DurablePublication publication(final StoreServer store) {
        return transport.durablePublication(store.endpoint(), Topic.DEFAULT);
    }

    /** Sends up to an ordinal and waits until that is stable. */
    private void write(final DurablePublication publication, final long upTo) {
        long next = publication.nextOrdinal();
        while (next <= upTo) {
            message.putLong(0, next);
            if (publication.offer(message, 0, LENGTH) >= 0) {
                next++;
            } else {
                publication.doWork();
            }
        }
        Waiting.until(() -> {
            publication.doWork();
            return publication.stablePosition() >= upTo;
        });
    }

    private List<Long> readBack(final StoreServer store) {
        final List<Long> read = new ArrayList<>();
        store.readBack(
                Topic.DEFAULT, 0, (buffer, offset, length) -> read.add(buffer.getLong(offset)));
        return read;
    }

    private static List<Long> ordinals(final long to) {
        return LongStream.range(0, to).boxed().toList();
    }

    @Test
    void shouldAllocateNothingWhenOffering() {
        try (StoreServer store = store("")) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                write(publication, 20_000);
                final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                final long before = threads.getCurrentThreadAllocatedBytes();
                write(publication, 40_000);
                final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

                assertThat(allocated).isLessThan(20_000);
            }
        }
    }

    /** What is gone is not empty: whether it had the messages cannot be told. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldNotTakeAMissingFolderForAnEmptyOne(final int members) throws IOException {
        try (StoreServer store = store("&members=" + members)) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                write(publication, 1_000);
            }
            final Path gone = StoreFiles.member(folder, members);
            Files.move(gone, folder.resolve("elsewhere"));
            final List<Long> read = new ArrayList<>();

            assertThatThrownBy(() ->
                            store.readBack(
                                    Topic.DEFAULT,
                                    0,
                                    (buffer, offset, length) -> read.add(buffer.getLong(offset))))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(gone.getFileName().toString());
            assertThat(read)
                    .as("of those that are there")
                    .hasSizeGreaterThanOrEqualTo(members > 1 ? 1_000 : 0);
            Files.move(folder.resolve("elsewhere"), gone);
        }
    }

    @Test
    void shouldRecordMessagesThatComeInBlocks() {
        final int most = 20;
        final UnsafeBuffer messages = new UnsafeBuffer(new byte[most * LENGTH]);
        try (StoreServer store = store("")) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                while (publication.nextOrdinal() < 4_000) {
                    final long next = publication.nextOrdinal();
                    for (int i = 0; i < most; i++) {
                        messages.putLong(i * LENGTH, next + i);
                    }
                    final int taken = publication.offerAll(messages, 0, LENGTH, most);
                    assertThat(publication.nextOrdinal()).isEqualTo(next + Math.max(0, taken));
                    publication.doWork();
                }
                final long last = publication.nextOrdinal() - 1;
                write(publication, last);

                assertThat(publication.stablePosition()).isEqualTo(last);
                assertThat(readBack(store)).isEqualTo(ordinals(last + 1));
                assertThat(store.verify(Topic.DEFAULT).corrupted()).isZero();
            }
        }
    }

    @Test
    void shouldStayStableWithTwoOfThreeAndCountOneThatComesBack() {
        try (StoreServer store = store("&members=3")) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                write(publication, 99);
                store.kill(1);
                write(publication, 199);
                store.restart(1);
                while (!Integer.valueOf(3).equals(publication.facts().get("membersRecording"))) {
                    assertThat(Thread.interrupted()).as("time is over").isFalse();
                    publication.doWork();
                }
                write(publication, 299);
                store.kill(2);
                // The restarted member counts now: with the third it is a quorum.
                write(publication, 399);

                store.kill(3);
                message.putLong(0, 400);
                long code = 0;
                while (code != Publication.NOT_CONNECTED) {
                    assertThat(Thread.interrupted()).as("time is over").isFalse();
                    code = publication.offer(message, 0, LENGTH);
                    publication.doWork();
                }
                assertThat(publication.stablePosition()).isEqualTo(399);
            }
            assertThat(readBack(store)).startsWith(ordinals(400).toArray(Long[]::new));
        }
    }

    @Test
    void shouldDeleteWholeSegmentsThatWereAcknowledged() throws Exception {
        try (StoreServer store = store("&deletion=acknowledged")) {
            store.start();
            try (DurablePublication publication = publication(store);
                    var subscription =
                            transport.durableSubscription(store.endpoint(), Topic.DEFAULT, 0)) {
                long written = 0;
                while (written < 6_000) {
                    write(publication, written += 500);
                    while (subscription.ordinal() < written) {
                        subscription.poll((buffer, offset, length) -> {}, 100);
                    }
                    subscription.acknowledge(subscription.ordinal());
                }
                final Path first = folder.resolve("member-1").resolve("0-0.rec");
                Waiting.until("the first segment is deleted", () -> Files.notExists(first));
            }
        }
    }

    @Test
    void shouldKeepTheMarkFilesOfSeveralStoresApart() throws Exception {
        final Path state = folder.resolve("state");
        final ChannelUri channel =
                ChannelUri.parse(
                        "archive:?termBytes=1048576&segmentBytes=1048576&stateDir=" + state);
        final Path first = Files.createDirectories(folder.resolve("run-1/store-1/data"));
        final Path second = Files.createDirectories(folder.resolve("run-2/store-1/data"));
        try (StoreServer one = transport.store(channel, first);
                StoreServer other = transport.store(channel, second)) {
            one.start();
            other.start();

            assertThat(state.resolve(StoreFiles.name(first)).resolve("member-1"))
                    .isNotEmptyDirectory();
            assertThat(state.resolve(StoreFiles.name(second)).resolve("member-1"))
                    .isNotEmptyDirectory();
        }
        assertThat(state).as("they are of no use any more").isEmptyDirectory();
    }

    @Test
    void shouldLeaveTheMarkFileOfAnotherStoreWhereItDoesNotStart() throws Exception {
        final Path state = folder.resolve("state");
        final Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("member-1"), "in the way");
        final Path marks =
                Files.createDirectories(state.resolve(StoreFiles.name(data)).resolve("member-1"));
        final Path mark = Files.writeString(marks.resolve("archive-mark.dat"), "alive");
        try (StoreServer store =
                transport.store(ChannelUri.parse("archive:?stateDir=" + state), data)) {
            assertThatThrownBy(store::start).isInstanceOf(UserError.class);
        }

        assertThat(mark).exists();
    }

    @Test
    void shouldReportWhatItCutWhenAMemberIsStarted() throws Exception {
        try (StoreServer store = store("")) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                write(publication, 11);
            }
            store.kill(1);
            assertThat(store.cuts()).isEmpty();
            new ArchiveContractTest().tearTail(folder, Topic.DEFAULT);
            final long torn = store.verify(Topic.DEFAULT).tornBytes();

            store.restart(1);

            assertThat(store.cuts())
                    .singleElement()
                    .satisfies(cut -> assertThat(cut.bytes()).isEqualTo(torn).isPositive())
                    .satisfies(cut -> assertThat(cut.file().getFileName()).hasToString("0-0.rec"));
            assertThat(readBack(store)).isEqualTo(ordinals(12));
        }
    }

    /** The file's type field of the sixth of twelve messages, or its length, below zero. */
    @ParameterizedTest
    @ValueSource(ints = {6, 3})
    void shouldNotStartAMemberWhenWholeMessagesStandBehindADamagedHeader(final int field)
            throws Exception {
        final int damaged = 5 * BitUtil.align(LENGTH + 32, 32) + field;
        try (StoreServer store = store("")) {
            store.start();
            try (DurablePublication publication = publication(store)) {
                write(publication, 11);
            }
            store.kill(1);
            final Path file = folder.resolve("member-1").resolve("0-0.rec");
            final byte before = Files.readAllBytes(file)[damaged];
            set(file, damaged, (byte) 0xff);

            assertThatThrownBy(() -> store.restart(1))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("is damaged at byte " + (damaged - field))
                    .hasMessageContaining("a whole message follows");
            assertThat(store.verify(Topic.DEFAULT).tornBytes()).isPositive();
            assertThat(readBack(store)).isEqualTo(ordinals(5));

            set(file, damaged, before);
            store.restart(1);
            assertThat(readBack(store)).as("nothing was cut").isEqualTo(ordinals(12));
        }
    }

    private static void set(final Path file, final int offset, final byte value)
            throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            bytes.write(value);
        }
    }

    @Test
    void shouldSayWhyAMemberDoesNotStart() throws Exception {
        Files.writeString(folder.resolve("member-1"), "in the way");
        try (StoreServer store = store("")) {
            assertThatThrownBy(store::start)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("The archive (member 1) in")
                    .hasMessageContaining("does not start");
        }
    }

    @Test
    void shouldRefuseWrongParameters() {
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("archive:?termBytes=3000000")))
                .hasMessageContaining("termBytes is not a power of two");
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("archive:?members=3&quorum=4")))
                .hasMessageContaining("larger than the number of members");
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("archive://localhost:4001")))
                .hasMessageContaining("has an address");
        assertThatThrownBy(() -> transport.traits(ChannelUri.parse("archive:?synch=1")))
                .hasMessageContaining("synch");
    }
}

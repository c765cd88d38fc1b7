package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShmFileTest {
    private static final SystemNanoClock CLOCK = SystemNanoClock.INSTANCE;
    private static final long LONG_AGO_NS = TimeUnit.HOURS.toNanos(1);

    private final ShmTransport transport = new ShmTransport();

    @TempDir Path directory;

    @Test
    void shouldMakeAFileThatOnlyItsOwnerMayRead() throws IOException {
        try (Exchange binder = open(ExchangeSide.BIND, "")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fileOf(binder))))
                    .isEqualTo("rw-------");
            assertThat(files()).hasSize(1);
        }
    }

    @Test
    void shouldDeleteItsFileWhenClosed() throws IOException {
        open(ExchangeSide.BIND, "").close();

        assertThat(files()).isEmpty();
    }

    @Test
    void shouldLeaveAFileThatIsNotItsOwn() throws IOException {
        final Exchange binder = open(ExchangeSide.BIND, "");
        final Path file = fileOf(binder);
        Files.delete(file);
        Files.writeString(file, "somebody else's");

        binder.close();

        assertThat(file).hasContent("somebody else's");
    }

    @Test
    void shouldRefuseAFileThatIsNoRing() throws IOException {
        Files.write(path("prices"), new byte[100_000]);

        for (final ExchangeSide side : ExchangeSide.values()) {
            assertThatThrownBy(() -> open(side, "prices"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is not a tickmark ring")
                    .hasMessageContaining(path("prices").toString());
        }
    }

    @Test
    void shouldRefuseARingThatIsTooSmall() throws IOException {
        final ByteBuffer file =
                ByteBuffer.allocate(ShmLayout.HEADER_BYTES + 1).order(ByteOrder.nativeOrder());
        file.putLong(ShmLayout.MAGIC_OFFSET, ShmLayout.MAGIC);
        file.putInt(ShmLayout.VERSION_OFFSET, ShmLayout.VERSION);
        file.putInt(ShmLayout.CAPACITY_OFFSET, 1);
        Files.write(path("prices"), file.array());

        assertThatThrownBy(() -> open(ExchangeSide.CONNECT, "prices"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is damaged");
    }

    @Test
    void shouldRefuseAFileThatIsTooShort() throws IOException {
        Files.writeString(path("prices"), "short");

        assertThatThrownBy(() -> open(ExchangeSide.CONNECT, "prices"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("too short");
    }

    @Test
    void shouldRefuseAFileOfAnotherVersion() throws IOException {
        try (Exchange binder = open(ExchangeSide.BIND, "prices")) {
            patch(fileOf(binder), ShmLayout.VERSION_OFFSET, 77);

            assertThatThrownBy(() -> open(ExchangeSide.CONNECT, "prices"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("version 77");
        }
    }

    @Test
    void shouldRefuseAFileWhoseSizeDoesNotMatch() throws IOException {
        try (Exchange binder = open(ExchangeSide.BIND, "prices")) {
            for (final int capacity : new int[] {0, -1, 4096, 65_537, Integer.MIN_VALUE}) {
                patch(fileOf(binder), ShmLayout.CAPACITY_OFFSET, capacity);

                assertThatThrownBy(() -> open(ExchangeSide.CONNECT, "prices"))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("damaged");
            }
        }
    }

    @Test
    void shouldReplaceTheLeftoverOfADeadProcess() throws Exception {
        leftover("prices");

        try (Exchange binder = open(ExchangeSide.BIND, "prices")) {
            assertThat(binder.publication().facts()).containsEntry("epoch", 2L);
        }
    }

    @Test
    void shouldNotJoinTheLeftoverOfADeadProcess() throws Exception {
        leftover("prices");

        try (Exchange connector = open(ExchangeSide.CONNECT, "prices")) {
            assertThat(connector.subscription().isConnected()).isFalse();
        }
    }

    @Test
    void shouldSweepWhatKilledProcessesLeftUnderNamesOfTheMachine() throws Exception {
        leftover(ShmAddress.CHOSEN + "1-1");
        leftover("prices");
        final Path stranger = path(ShmAddress.CHOSEN + "stranger");
        Files.writeString(stranger, "somebody else's");

        open(ExchangeSide.BIND, "bonds").close();

        assertThat(files()).containsExactlyInAnyOrder(path("prices"), stranger);
    }

    @Test
    void shouldNotSweepWhatLives() throws IOException {
        try (Exchange living = open(ExchangeSide.BIND, "")) {
            open(ExchangeSide.BIND, "bonds").close();

            assertThat(files()).containsExactly(fileOf(living));
        }
    }

    @Test
    void shouldSayThatADirectoryIsNotThere() {
        assertThatThrownBy(() ->
                        transport.exchange(
                                ChannelUri.parse("shm:?directory=" + directory.resolve("none")),
                                Topic.DEFAULT,
                                ExchangeSide.BIND,
                                0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldAskForANameWhereItCannotChooseOne() {
        assertThatThrownBy(() -> open(ExchangeSide.CONNECT, ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a name");
    }

    @Test
    void shouldKeepTopicsInFilesOfTheirOwn() throws IOException {
        final List<Topic> topics = Topic.of(List.of("bonds", "shares"));
        try (Exchange bonds = open(ExchangeSide.BIND, "prices", topics.getFirst());
                Exchange shares = open(ExchangeSide.BIND, "prices", topics.getLast())) {
            assertThat(bonds.channel()).isEqualTo(shares.channel());
            assertThat(files()).hasSize(2);
        }
    }

    /** A file whose writer ended without closing it. */
    private void leftover(final String name) throws Exception {
        final ShmAddress address = ShmAddress.of(channel(name), Topic.DEFAULT);
        try (ShmFile file = ShmFile.create(address, true, CLOCK.nanoTime() - LONG_AGO_NS)) {
            file.header().putLong(ShmLayout.WRITER_PROCESS_OFFSET, ProcessIdentityTest.ended());
        }
    }

    private Exchange open(final ExchangeSide side, final String name) {
        return open(side, name, Topic.DEFAULT);
    }

    private Exchange open(final ExchangeSide side, final String name, final Topic topic) {
        return transport.exchange(channel(name), topic, side, 1);
    }

    private ChannelUri channel(final String name) {
        return ChannelUri.parse("shm://" + name + "?capacityBytes=65536&directory=" + directory);
    }

    private Path path(final String name) {
        return directory.resolve("tickmark-" + name + "-tickmark.ring");
    }

    private static Path fileOf(final Exchange binder) {
        return Path.of((String) binder.publication().facts().get("file"));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    private static void patch(final Path file, final int offset, final int value)
            throws IOException {
        try (RandomAccessFile patched = new RandomAccessFile(file.toFile(), "rw")) {
            patched.seek(offset);
            patched.writeInt(Integer.reverseBytes(value));
        }
    }
}

package io.tickmark.engines.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ForeignClient;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.StoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A publisher in a separate process: killed while writing, and on a full disk. */
@Timeout(120)
class OtherProcessTest {
    private static final int LENGTH = 700;

    /** Each of a hundred messages. */
    private static final int MOST_LINES = 300;

    /**
     * Reads the file of a queue by what its documentation says of it: documents of any length, each
     * at a multiple of four bytes behind an int32, little-endian, whose bit 31 marks what is not
     * complete and bit 30 what is the library's own. In each message of a store a CRC32C of what
     * follows comes first.
     */
    private static final String READER_IN_PYTHON =
            """
            import mmap, struct
            with open('%s/%s/19700101F.cq4', 'rb') as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            table = []
            for byte in range(256):
                for bit in range(8):
                    byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
                table.append(byte)
            def crc32c(payload):
                crc = 0xFFFFFFFF
                for byte in payload:
                    crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
                return crc ^ 0xFFFFFFFF
            at = 0
            read = 0
            while (header := struct.unpack_from('<I', data, at)[0]) and not header >> 31:
                document = data[at + 4:at + 4 + (header & 0x3FFFFFFF)]
                if not header >> 30:
                    assert len(document) == 4 + %d, (read, len(document))
                    checksum, number = struct.unpack_from('<Iq', document)
                    assert number == read, (read, number)
                    if read %% 100 == 0: # Python takes its time
                        assert checksum == crc32c(document[4:]), read
                    read += 1
                at = at + 4 + len(document) + 3 & ~3
            print(read)
            """;

    @TempDir Path folder;

    /**
     * Killed at a drawn moment while it writes, as often as {@code tickmark.test.kills} says;
     * {@code tickmark.test.seed} repeats the moments of another run.
     */
    @Test
    @Timeout(value = 5, unit = TimeUnit.HOURS)
    void shouldKeepWhatWasStableWheneverItIsKilled() throws Exception {
        final long seed = Long.getLong("tickmark.test.seed", new Random().nextLong());
        final Random random = new Random(seed);
        final ChronicleTransport chronicle = new ChronicleTransport();
        try (StoreServer store =
                chronicle.store(ChannelUri.parse("chronicle:?blockBytes=8388608"), folder)) {
            store.start();
            long kept = 0;
            for (int kill = 1; kill <= Integer.getInteger("tickmark.test.kills", 1); kill++) {
                final long stable = stableWhenKilled(store, 1 + random.nextInt(MOST_LINES));
                final long[] next = {0};
                kept =
                        store.readBack(
                                Topic.DEFAULT,
                                0,
                                (buffer, offset, length) -> {
                                    assertThat(length).isEqualTo(LENGTH);
                                    assertThat(buffer.getLong(offset)).isEqualTo(next[0]++);
                                });
                assertThat(kept)
                        .as("kept after kill %d, seed %d", kill, seed)
                        .isGreaterThan(stable);
                final StoreServer.Verification found = store.verify(Topic.DEFAULT);
                assertThat(found)
                        .as("after kill %d, seed %d", kill, seed)
                        .isEqualTo(new StoreServer.Verification(kept, found.tornBytes(), 0));
                // a kill in the middle of a message leaves a part of it, which nobody was promised
                assertThat(found.tornBytes())
                        .as("after kill %d, seed %d", kill, seed)
                        .isLessThan(2L * LENGTH);
            }
            try (DurablePublication again =
                    chronicle.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                assertThat(again.stablePosition()).isEqualTo(kept - 1);
            } // ends the file behind its last message
            ForeignClient.need();
            assertThat(
                            ForeignClient.run(
                                    READER_IN_PYTHON.formatted(
                                            folder, Topic.DEFAULT.name(), LENGTH)))
                    .as("read in another language, seed %d", seed)
                    .isEqualTo("" + kept);
            try (DurablePublication again =
                    chronicle.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                assertThat(again.offer(new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH))
                        .isEqualTo(kept);
            }
        }
    }

    /** What a publisher had told last. */
    private static long stableWhenKilled(final StoreServer store, final int lines)
            throws Exception {
        final Process publisher =
                new ProcessBuilder(java("store", store.endpoint().toString()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        long stable = -1;
        try (BufferedReader output = publisher.inputReader()) {
            for (int i = 0; i < lines; i++) {
                stable = Long.parseLong(output.readLine());
            }
        } finally {
            publisher.destroyForcibly().waitFor();
        }
        return stable;
    }

    /** The first write to a page without room would end the process: SIGBUS. */
    @Test
    void shouldRefuseMessagesAndLiveWhenTheDiskIsFull() throws Exception {
        final Path disk = Files.createDirectory(folder.resolve("small"));
        final String mount = "mount -t tmpfs -o size=16m tmpfs '" + disk + "'";
        assumeTrue(
                inNamespace(mount, List.of("true")).waitFor() == 0,
                "this machine allows no mount namespace to try a full disk in");
        final Process publisher = inNamespace(mount, java("full", disk.toString()));
        final List<String> lines = publisher.inputReader().lines().toList();

        assertThat(publisher.waitFor()).isZero();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .startsWith("Chronicle Queue refused a message: No space left on device");
        assertThat(lines.get(1))
                .contains("no room for a queue in " + disk)
                .endsWith("make room, or give another folder.");
        assertThat(lines.get(2))
                .startsWith("no room for the queue in " + disk + "/store (No space left on device")
                .endsWith("make room, or give another folder");
        assertThat(lines.get(3)).isEqualTo("all kept");
    }

    private static Process inNamespace(final String before, final List<String> command)
            throws IOException {
        final List<String> all =
                new ArrayList<>(
                        List.of("unshare", "-rm", "sh", "-c", before + " && exec \"$@\"", "sh"));
        all.addAll(command);
        return new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static List<String> java(final String... arguments) {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(OtherProcessTest.class.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    public static void main(final String[] args) throws IOException {
        if (args[0].equals("store")) {
            publishUntilKilled(ChannelUri.parse(args[1]));
        } else {
            fill(Path.of(args[1]));
        }
    }

    private static void publishUntilKilled(final ChannelUri store) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        try (DurablePublication publication =
                new ChronicleTransport().durablePublication(store, Topic.DEFAULT)) {
            while (publication.nextOrdinal() < 10_000_000) {
                message.putLong(0, publication.nextOrdinal());
                publication.offer(message, 0, LENGTH);
                if (publication.nextOrdinal() % 100 == 0) {
                    System.out.println(publication.stablePosition());
                }
            }
        }
    }

    private static void fill(final Path disk) throws IOException {
        final ChronicleTransport chronicle = new ChronicleTransport();
        final String blocks = "?blockBytes=8388608";
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        try (StoreServer store =
                chronicle.store(
                        ChannelUri.parse("chronicle:" + blocks),
                        Files.createDirectory(disk.resolve("store")))) {
            store.start();
            try (DurablePublication stored =
                            chronicle.durablePublication(store.endpoint(), Topic.DEFAULT);
                    Publication plain =
                            chronicle.publication(
                                    ChannelUri.parse("chronicle://" + disk + "/plain" + blocks),
                                    Topic.DEFAULT)) {
                while (plain.offer(message, 0, LENGTH) != Publication.BACK_PRESSURED) {}
                System.out.println(plain.engineErrors().orElseThrow());
                try {
                    chronicle.publication(
                            ChannelUri.parse("chronicle://" + disk + "/more" + blocks),
                            Topic.DEFAULT);
                } catch (final UserError e) {
                    System.out.println(e.getMessage());
                }
                while (stored.offer(message, 0, LENGTH) >= 0) {}
                System.out.println(stored.isLost() ? stored.trouble() : "not lost");
                final long kept = store.verify(Topic.DEFAULT).messages();
                System.out.println(
                        kept == stored.stablePosition() + 1 ? "all kept" : kept + " kept");
            }
        }
    }
}

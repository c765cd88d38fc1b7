package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * The folder of one store: its data, and a note file that names their owner. Protected by a lock
 * while the store runs. The lock is released with its process, and with the first channel on the
 * note that this process closes; therefore a folder that it holds or examines is in {@link #HELD},
 * and its note is opened only once.
 */
final class StoreDirectory implements AutoCloseable {
    private static final String NOTE = "tickmark-store.txt";
    private static final String DATA = "data";
    private static final int KIB = 1024;

    /** Less is of no use to an engine, which takes room by blocks and segments. */
    private static final long FULL_BYTES = 1 << 20;

    private static final int LONGEST_NOTE_BYTES = 256;

    /** Keyed by their real paths. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final Path held;
    private final FileChannel note;
    private final boolean isKept;

    private StoreDirectory(
            final Path root, final Path held, final FileChannel note, final boolean isKept) {
        this.root = root;
        this.held = held;
        this.note = note;
        this.isKept = isKept;
    }

    /** Takes a folder: a new one where none is named, otherwise one that is empty or was kept. */
    static StoreDirectory take(final StoreSettings settings, final String role) {
        try {
            if (settings.storeDirectory().isEmpty()) {
                final Path own = Files.createTempDirectory("tickmark-" + role + "-");
                sweep(own);
                return hold(own, settings);
            }
            final Path root = Path.of(settings.storeDirectory()).resolve(role);
            Files.createDirectories(root);
            return hold(root, settings);
        } catch (final IOException e) {
            throw UserError.environment(
                    "--store-directory "
                            + (settings.storeDirectory().isEmpty()
                                    ? System.getProperty("java.io.tmpdir")
                                    : settings.storeDirectory())
                            + ": cannot be used ("
                            + IoReason.of(e)
                            + "); name another one.",
                    e);
        }
    }

    /** Deletes the leftovers of killed stores beside {@code own}, only those of the same user. */
    private static void sweep(final Path own) {
        try (DirectoryStream<Path> stores =
                Files.newDirectoryStream(own.getParent(), "tickmark-store-*")) {
            for (final Path store : stores) {
                sweepOne(store, own);
            }
        } catch (final IOException | DirectoryIteratorException e) {
            // what cannot be read stays
        }
    }

    private static void sweepOne(final Path store, final Path own) {
        try {
            if (Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(store).equals(Files.getOwner(own))) {
                deleteLeft(store, store.toRealPath());
            }
        } catch (final IOException e) {
            // it is being created, or deleted by another process
        }
    }

    /**
     * A note that is not empty was written by a process that held its lock, which is free now. A
     * process that has just created a folder writes the note once the folder is in {@link #HELD}: a
     * folder without a note is left alone, otherwise its creator would find it held.
     */
    private static void deleteLeft(final Path store, final Path real) throws IOException {
        if (Files.size(store.resolve(NOTE)) == 0 || !HELD.add(real)) {
            return;
        }
        try (FileChannel note =
                FileChannel.open(
                        store.resolve(NOTE), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (note.size() > 0 && note.tryLock() != null) {
                IoUtil.delete(store.toFile(), true);
            }
        } finally {
            HELD.remove(real);
        }
    }

    private static StoreDirectory hold(final Path root, final StoreSettings settings)
            throws IOException {
        requireOwn(root);
        final Path held = root.toRealPath();
        if (!HELD.add(held)) {
            throw inUse(root);
        }
        FileChannel note = null;
        try {
            note =
                    FileChannel.open(
                            root.resolve(NOTE),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (note.tryLock() == null) {
                throw inUse(root);
            }
            sign(note, root, settings);
            Files.createDirectories(root.resolve(DATA));
            return new StoreDirectory(root, held, note, settings.keepStored());
        } catch (final IOException | RuntimeException e) {
            CloseHelper.quietClose(note);
            HELD.remove(held);
            throw e;
        }
    }

    private static UserError inUse(final Path root) {
        return refused(root, "another store uses it; end that one or name another folder");
    }

    /** Read and written by the channel that holds the lock: another one would end it. */
    private static void sign(final FileChannel note, final Path root, final StoreSettings settings)
            throws IOException {
        final String scheme = settings.channel().replaceFirst(":.*", "");
        final ByteBuffer text = ByteBuffer.allocate(LONGEST_NOTE_BYTES);
        note.read(text, 0);
        final String kept = StandardCharsets.UTF_8.decode(text.flip()).toString().strip();
        if (note.size() == 0) {
            note.write(StandardCharsets.UTF_8.encode(scheme + System.lineSeparator()), 0);
        } else if (!(settings.keepStored() && kept.equals(scheme))) {
            throw refused(
                    root,
                    "it holds the store of another run ("
                            + kept
                            + "); delete it, name another folder, or continue with the data of the same engine with"
                            + " --keep-stored");
        }
    }

    /** Files of other programs are never deleted. */
    private static void requireOwn(final Path root) throws IOException {
        try (Stream<Path> content = Files.list(root)) {
            if (!Files.exists(root.resolve(NOTE)) && content.findAny().isPresent()) {
                throw refused(root, "it holds other files; name an empty folder");
            }
        }
    }

    private static UserError refused(final Path root, final String why) {
        return UserError.environment(
                "--store-directory: " + root + " cannot be used: " + why + ".");
    }

    Path data() {
        return root.resolve(DATA);
    }

    Path acknowledged() {
        return root.resolve("acknowledged");
    }

    /** How much room its disk has, a sentence; empty where a server elsewhere has the data. */
    Optional<String> room() {
        try (Stream<Path> files = Files.list(data())) {
            if (files.findAny().isEmpty()) {
                return Optional.empty();
            }
            final FileStore disk = Files.getFileStore(root);
            final long left = disk.getUsableSpace();
            return Optional.of(
                    "The disk of %s has %d KiB of %d KiB left%s."
                            .formatted(
                                    root,
                                    left / KIB,
                                    disk.getTotalSpace() / KIB,
                                    left < FULL_BYTES
                                            ? ": it is full; make room, or give another --store-directory"
                                            : ""));
        } catch (final IOException e) {
            return Optional.of(
                    "The disk of %s does not report how much room it has (%s)."
                            .formatted(root, IoReason.of(e)));
        }
    }

    /** Deletes the data unless they have to stay, and releases the folder. */
    @Override
    public void close() {
        try {
            if (!isKept) {
                IoUtil.delete(root.toFile(), true);
            }
            note.close();
        } catch (final IOException e) {
            // The lock is released with the process at the latest.
        } finally {
            HELD.remove(held);
        }
    }
}

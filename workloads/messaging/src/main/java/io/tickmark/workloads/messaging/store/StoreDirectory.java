package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * The folder of one store: its data, and a note that says whose they are. Held by a lock while the
 * store runs, which goes with its process.
 */
final class StoreDirectory implements AutoCloseable {
    private static final String NOTE = "tickmark-store.txt";
    private static final String DATA = "data";
    private static final int KIB = 1024;

    private final Path root;
    private final FileChannel note;
    private final FileLock lock;
    private final boolean isKept;

    private StoreDirectory(
            final Path root, final FileChannel note, final FileLock lock, final boolean isKept) {
        this.root = root;
        this.note = note;
        this.lock = lock;
        this.isKept = isKept;
    }

    /** Takes a folder: a new one where none is named, else one that is empty or was kept. */
    static StoreDirectory take(final StoreSettings settings, final String role) {
        try {
            if (settings.storeDirectory().isEmpty()) {
                final Path own = Files.createTempDirectory("tickmark-" + role + "-");
                sweep(own);
                return lock(own, settings);
            }
            final Path root = Path.of(settings.storeDirectory()).resolve(role);
            Files.createDirectories(root);
            return lock(root, settings);
        } catch (final IOException e) {
            throw UserError.environment(
                    "--store-directory "
                            + settings.storeDirectory()
                            + ": cannot be used ("
                            + IoReason.of(e)
                            + "); name another one.",
                    e);
        }
    }

    /**
     * Deletes what stores that were killed have left beside {@code own}: of the same user alone.
     */
    private static void sweep(final Path own) throws IOException {
        try (DirectoryStream<Path> stores =
                Files.newDirectoryStream(own.getParent(), "tickmark-store-*")) {
            for (final Path store : stores) {
                if (Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(store).equals(Files.getOwner(own))) {
                    sweepOne(store);
                }
            }
        }
    }

    /** A note that says something was written by one that held its lock, which is free now. */
    private static void sweepOne(final Path store) {
        try (FileChannel note =
                FileChannel.open(
                        store.resolve(NOTE), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (note.size() > 0 && lockOf(note) != null) {
                IoUtil.delete(store.toFile(), true);
            }
        } catch (final IOException e) {
            // it is being made, or deleted by another
        }
    }

    private static StoreDirectory lock(final Path root, final StoreSettings settings)
            throws IOException {
        requireOwn(root);
        final FileChannel note =
                FileChannel.open(
                        root.resolve(NOTE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        final FileLock lock = lockOf(note);
        if (lock == null) {
            note.close();
            throw refused(root, "another store uses it; end that one or name another folder");
        }
        final String scheme = settings.channel().replaceFirst(":.*", "");
        final String kept = Files.readString(root.resolve(NOTE));
        final boolean isNew = kept.isEmpty();
        if (!isNew && !(settings.keepStored() && kept.strip().equals(scheme))) {
            lock.release();
            note.close();
            throw refused(
                    root,
                    "it holds the store of another run ("
                            + kept.strip()
                            + "); delete it, name another folder, or go on with the data of the same"
                            + " engine by --keep-stored");
        }
        Files.writeString(root.resolve(NOTE), scheme + System.lineSeparator());
        Files.createDirectories(root.resolve(DATA));
        return new StoreDirectory(root, note, lock, settings.keepStored());
    }

    private static FileLock lockOf(final FileChannel note) throws IOException {
        try {
            return note.tryLock();
        } catch (final OverlappingFileLockException e) {
            return null; // held by this process
        }
    }

    /** What is not ours is never deleted. */
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

    /** How much room its disk has, a sentence. */
    String room() {
        try {
            final FileStore disk = Files.getFileStore(root);
            return "The disk of %s has %d KiB of %d KiB left."
                    .formatted(root, disk.getUsableSpace() / KIB, disk.getTotalSpace() / KIB);
        } catch (final IOException e) {
            return "The disk of %s does not tell how much room it has (%s)."
                    .formatted(root, IoReason.of(e));
        }
    }

    /** Deletes the data unless they are to stay, and lets the folder go. */
    @Override
    public void close() {
        try {
            if (!isKept) {
                IoUtil.delete(root.toFile(), true);
            }
            lock.release();
            note.close();
        } catch (final IOException e) {
            // The lock goes with the process at the latest.
        }
    }
}

package io.tickmark.engines.chronicle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.CloseHelper;

/**
 * The right to write to a queue; it is released with the process. Within a process, {@link #HELD}
 * decides, because a lock of the operating system is released with the first channel on its file
 * that is closed.
 */
final class QueueLock implements AutoCloseable {
    private static final String SUFFIX = "+lock";
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private QueueLock(final Path file, final FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Takes it; empty where another writer has it. */
    static Optional<QueueLock> take(final Path queue) throws IOException {
        final Path folder = queue.getParent().toRealPath();
        return takeFile(folder.resolve(queue.getFileName() + SUFFIX));
    }

    private static Optional<QueueLock> takeFile(final Path file) throws IOException {
        if (!HELD.add(file)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() != null) {
                return Optional.of(new QueueLock(file, channel));
            }
        } catch (final IOException e) {
            release(file, channel);
            throw e;
        }
        release(file, channel);
        return Optional.empty();
    }

    /** Whether no process writes to any queue of a folder any more, but one did. */
    static boolean isLeft(final Path folder) throws IOException {
        boolean isFound = false;
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (final Path lock : locks) {
                final Optional<QueueLock> taken = takeFile(lock.toRealPath());
                if (taken.isEmpty()) {
                    return false;
                }
                taken.get().close();
                isFound = true;
            }
        }
        return isFound;
    }

    private static void release(final Path file, final FileChannel channel) {
        CloseHelper.quietClose(channel);
        HELD.remove(file);
    }

    @Override
    public void close() {
        release(file, channel);
    }
}

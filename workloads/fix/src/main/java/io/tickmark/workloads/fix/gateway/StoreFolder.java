package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The folder of a file store, for only one gateway: two would write over each other's messages. A
 * lock of the operating system on a file in it, which is released with the process. Any thread.
 */
public final class StoreFolder implements AutoCloseable {
    private static final String LOCK = "gateway.lock";
    private static final int MOST_DIGITS = 20;

    private final FileChannel lock;

    private StoreFolder(final FileChannel lock) {
        this.lock = lock;
    }

    /**
     * Takes a folder, creating it where necessary.
     *
     * @param folder to keep files in
     * @return the hold on it
     * @throws UserError if it cannot be used, or another gateway uses it
     */
    public static StoreFolder take(final Path folder) {
        try {
            Files.createDirectories(folder);
            final FileChannel file =
                    FileChannel.open(
                            folder.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (isFree(file)) {
                final String self = Long.toString(ProcessHandle.current().pid());
                file.truncate(0);
                file.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.US_ASCII)), 0);
                return new StoreFolder(file);
            }
            final String other = holder(file);
            file.close();
            throw UserError.environment(
                    "--store-dir %s: another gateway uses it%s; name another folder, or end that one."
                            .formatted(folder, other));
        } catch (final IOException e) {
            throw UserError.environment(
                    "--store-dir %s: cannot be used (%s); name another folder."
                            .formatted(folder, IoReason.of(e)),
                    e);
        }
    }

    private static boolean isFree(final FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (final OverlappingFileLockException e) {
            return false; // by this process itself
        }
    }

    private static String holder(final FileChannel file) throws IOException {
        final ByteBuffer text = ByteBuffer.allocate(MOST_DIGITS);
        file.read(text, 0);
        final String process =
                new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
        return process.isEmpty() ? "" : " (process " + process + ")";
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (final IOException e) {
            // the process's end frees it
        }
    }
}

package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Creates the file of a channel: complete before it appears under its name, replacing one whose
 * writer is gone, never replacing anything else.
 */
final class ShmCreation {
    private final ShmAddress address;
    private final int flags;
    private final long nowNs;

    ShmCreation(final ShmAddress address, final boolean returns, final long nowNs) {
        this.address = address;
        this.flags =
                (address.parameters().lossy() ? ShmLayout.FLAG_LOSSY : 0)
                        | (returns ? ShmLayout.FLAG_RETURNS : 0);
        this.nowNs = nowNs;
    }

    ShmFile create() {
        final Path draft =
                address.path()
                        .resolveSibling(
                                address.path().getFileName()
                                        + "."
                                        + ProcessHandle.current().pid()
                                        + ".new");
        try {
            Files.deleteIfExists(draft);
            final ShmFile made = draft(draft);
            publish(draft, made);
            return made;
        } catch (final AccessDeniedException e) {
            throw failed("belongs to another user, or its folder does; choose another name", e);
        } catch (final IOException e) {
            throw failed(
                    "cannot be made ("
                            + e.getMessage()
                            + "); give a directory with room, or a smaller capacityBytes",
                    e);
        }
    }

    private ShmFile draft(final Path draft) throws IOException {
        final FileChannel file =
                FileChannel.open(
                        draft,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        try {
            final int capacity = address.parameters().capacityBytes();
            ShmFile.zero(file, 0, ShmLayout.HEADER_BYTES + (long) capacity);
            ShmFile.zero(file, ShmLayout.fileBytes(capacity, flags) - 1, 1);
            final ShmFile made = ShmFile.map(file, capacity);
            fill(made.header(), capacity);
            return made;
        } catch (final IOException | RuntimeException e) {
            CloseHelper.quietClose(file);
            Files.deleteIfExists(draft);
            throw e;
        }
    }

    private void fill(final UnsafeBuffer header, final int capacity) {
        final ProcessIdentity self = ProcessIdentity.current();
        header.putInt(ShmLayout.VERSION_OFFSET, ShmLayout.VERSION);
        header.putInt(ShmLayout.FLAGS_OFFSET, flags);
        header.putInt(ShmLayout.CAPACITY_OFFSET, capacity);
        header.putLong(ShmLayout.EPOCH_OFFSET, 1);
        header.putLong(ShmLayout.WRITER_PROCESS_OFFSET, self.id());
        header.putLong(ShmLayout.WRITER_START_OFFSET, self.startTicks());
        header.putLong(ShmLayout.WRITER_HEARTBEAT_OFFSET, nowNs);
        header.putLong(ShmLayout.INTENT_OFFSET, capacity);
        header.putInt(ShmLayout.WRITER_STATE_OFFSET, ShmLayout.WRITER_OPEN);
        header.putLongRelease(ShmLayout.MAGIC_OFFSET, ShmLayout.MAGIC);
    }

    private void publish(final Path draft, final ShmFile made) throws IOException {
        try {
            // A link is refused where the name is taken; a move would replace the file silently.
            Files.createLink(address.path(), draft);
        } catch (final FileAlreadyExistsException e) {
            replaceLeftover(draft, made);
        } catch (final IOException | RuntimeException e) {
            made.close();
            throw e;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private void replaceLeftover(final Path draft, final ShmFile made) throws IOException {
        try (ShmFile old = ShmFile.open(address)) {
            final ProcessIdentity writer = old.writer();
            if (old.isOpen() && writer.isAlive()) {
                throw failed(
                        "is in use by process "
                                + writer.id()
                                + "; choose another name, or end that process",
                        null);
            }
            made.header()
                    .putLong(
                            ShmLayout.EPOCH_OFFSET,
                            old.header().getLong(ShmLayout.EPOCH_OFFSET) + 1);
            Files.move(draft, address.path(), StandardCopyOption.ATOMIC_MOVE);
            old.header().putIntVolatile(ShmLayout.WRITER_STATE_OFFSET, ShmLayout.WRITER_REPLACED);
        } catch (final NoSuchFileException e) {
            // Deleted by its owner a moment ago.
            Files.move(draft, address.path(), StandardCopyOption.ATOMIC_MOVE);
        } catch (final UserError e) {
            made.close();
            throw e;
        }
    }

    private UserError failed(final String what, final IOException cause) {
        final String sentence =
                "--channel " + address.channel() + ": " + address.path() + " " + what + ".";
        return cause == null
                ? UserError.environment(sentence)
                : UserError.environment(sentence, cause);
    }
}

package io.tickmark.kernel.record;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The folder of a role. Its files never fail: at the first error (a full disk) the sentence is kept
 * and nothing more is written, because a measurement must go on. One thread at a time.
 */
final class RoleFolder {
    private final Path directory;
    private volatile String failure = "";

    RoleFolder(final Path directory) {
        if (!Files.isDirectory(directory)) {
            throw UserError.environment(
                    "The folder " + directory + " is not there; make it or name another one.");
        }
        this.directory = directory;
    }

    /** A file to append to; unbuffered, never throws. */
    File open(final String name) {
        final Path path = directory.resolve(name);
        try {
            final boolean isFresh = !Files.exists(path) || Files.size(path) == 0;
            final boolean isTorn = !isFresh && !endsWithLine(path);
            final OutputStream out =
                    Files.newOutputStream(
                            path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            final File file = new File(path, out, isFresh);
            if (isTorn) {
                file.write('\n'); // left by a process that was killed while it wrote
            }
            return file;
        } catch (final IOException e) {
            fail(path, e);
            return new File(path, OutputStream.nullOutputStream(), true);
        }
    }

    private static boolean endsWithLine(final Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - 1));
            return file.read() == '\n';
        }
    }

    private void fail(final Path path, final IOException e) {
        if (failure.isEmpty()) {
            failure =
                    "%s could not be written (%s); the role's files are not complete, the figures of the result are."
                            .formatted(path, IoReason.of(e));
        }
    }

    boolean hasFailed() {
        return !failure.isEmpty();
    }

    /** The first error as a sentence. */
    Optional<String> failure() {
        return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
    }

    /** A file of this folder. */
    final class File extends OutputStream {
        private final Path path;
        private final OutputStream out;
        private final boolean isFresh;

        private File(final Path path, final OutputStream out, final boolean isFresh) {
            this.path = path;
            this.out = out;
            this.isFresh = isFresh;
        }

        /** Whether it was empty when it was opened and wants a header. */
        boolean isFresh() {
            return isFresh;
        }

        @Override
        public void write(final int oneByte) {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) {
            if (hasFailed()) {
                return;
            }
            try {
                out.write(bytes, offset, length);
            } catch (final IOException e) {
                fail(path, e);
            }
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (final IOException e) {
                fail(path, e);
            }
        }
    }
}

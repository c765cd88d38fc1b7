package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.IoReason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Files of a host as they come into a folder of the result. What cannot be written there is dropped
 * and the reason kept, so that the stream they come on goes on. Thread safe.
 */
final class FetchedFiles {
    private Optional<Path> folder = Optional.empty();
    private Optional<OutputStream> file = Optional.empty();
    private String trouble = "";
    private int leftOut;
    private volatile long parts;

    /** Takes files into a folder, until {@link #end}. */
    synchronized void begin(final Path into) {
        folder = Optional.of(into);
        trouble = "";
        leftOut = 0;
    }

    /**
     * Into the folder asked for and nowhere else; what has no decent name is left out, counted and
     * told of.
     */
    synchronized void open(final String name) {
        closeFile();
        if (folder.isEmpty()) {
            return; // of one that was given up, which was said then
        }
        if (!Arrays.stream(name.split("/")).allMatch(HostFolder.NAME.asMatchPredicate())) {
            leftOut++;
            return;
        }
        final Path target = folder.get().resolve(name);
        try {
            Files.createDirectories(target.getParent());
            file = Optional.of(Files.newOutputStream(target));
        } catch (final IOException e) {
            trouble = IoReason.of(e);
        }
    }

    synchronized void write(final byte[] bytes) {
        parts++;
        if (file.isPresent()) {
            try {
                file.get().write(bytes);
            } catch (final IOException e) {
                trouble = IoReason.of(e);
                closeFile();
            }
        }
    }

    private void closeFile() {
        try {
            if (file.isPresent()) {
                file.get().close();
            }
        } catch (final IOException e) {
            trouble = IoReason.of(e);
        }
        file = Optional.empty();
    }

    /** Parts that came so far, kept or not: more of them mean that the host still sends. */
    long parts() {
        return parts;
    }

    /** Takes no more; says in a few words why some could not be written, empty where all is. */
    synchronized String end() {
        closeFile();
        folder = Optional.empty();
        return trouble.isEmpty() && leftOut > 0
                ? "%d of them have names that are none here".formatted(leftOut)
                : trouble;
    }
}

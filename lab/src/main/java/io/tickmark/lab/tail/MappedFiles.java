package io.tickmark.lab.tail;

import io.tickmark.kernel.settings.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Files of roles in memory that the kernel fills as they are read. Those of a packed run cannot be
 * mapped: each is copied once to a temporary file without a name, whose room is free again once
 * this is no longer used, however the process ends. Not thread-safe.
 */
final class MappedFiles {
    private final Map<Path, MemorySegment> copies = new HashMap<>();

    /**
     * The content of a file.
     *
     * @param file of a folder or of a packed run
     * @param arena in which a file of a folder is mapped
     * @throws IOException if it cannot be read, or there is no room for its copy
     */
    MemorySegment map(final Path file, final Arena arena) throws IOException {
        if (file.getFileSystem().equals(FileSystems.getDefault())) {
            return mapped(file, arena);
        }
        MemorySegment copy = copies.get(file);
        if (copy == null) {
            copy = copied(file);
            copies.put(file, copy);
        }
        return copy;
    }

    /** The copy loses its name before it is written: who is killed meanwhile leaves none behind. */
    private static MemorySegment copied(final Path file) throws IOException {
        final Path temporary = Files.createTempFile("tickmark-messages-", ".gz");
        try (FileChannel copy =
                        FileChannel.open(
                                temporary, StandardOpenOption.READ, StandardOpenOption.WRITE);
                InputStream in = Files.newInputStream(file)) {
            Files.delete(temporary);
            in.transferTo(Channels.newOutputStream(copy));
            return mapped(copy, Arena.ofAuto()); // what is mapped stays
        } catch (final IOException e) {
            throw new IOException(
                    "%s cannot be copied to %s, which needs %d bytes there: %s"
                            .formatted(
                                    file, temporary.getParent(), Files.size(file), IoReason.of(e)),
                    e);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static MemorySegment mapped(final Path file, final Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return mapped(channel, arena);
        }
    }

    private static MemorySegment mapped(final FileChannel channel, final Arena arena)
            throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    }
}

package io.tickmark.lab.tail;

import io.tickmark.kernel.record.RoleFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Where the notes of each repeat begin in the files of roles, which hold those of all repeats one
 * after the other: without it a run of many repeats would read each of them again after every later
 * one. Not thread-safe.
 */
final class RepeatStarts {
    /** More than a line. */
    private static final int LAST_BYTES = 1 << 13;

    /** By file and repeat, where that ended. */
    private final Map<Path, NavigableMap<Integer, Long>> ends = new HashMap<>();

    /**
     * Notes that a repeat has ended. What a process writes later that was not told to end is still
     * of that repeat, and is passed over as such.
     */
    void ended(final TailReader.RoleFolder role, final int repeat) {
        role.folder()
                .ifPresent(folder -> {
                    note(folder.resolve(RoleFiles.MESSAGES), repeat, SeekableByteChannel::size);
                    note(folder.resolve(RoleFiles.STALLS), repeat, RepeatStarts::afterLastLine);
                });
        role.pauses().forEach(log -> note(log, repeat, RepeatStarts::afterLastLine));
    }

    /** From where on the notes of a repeat are to be looked for; 0 where that is not known. */
    long from(final Path file, final int repeat) {
        final Map.Entry<Integer, Long> before =
                ends.containsKey(file) ? ends.get(file).lowerEntry(repeat) : null;
        return before == null ? 0 : before.getValue();
    }

    /**
     * What a file has from a place on, as a stream: a channel into a packed run would hold all of
     * the file in memory.
     */
    static BufferedReader reader(final Path file, final long from, final Charset charset)
            throws IOException {
        final InputStream in = Files.newInputStream(file);
        try {
            in.skipNBytes(Math.min(from, Files.size(file)));
            return new BufferedReader(new InputStreamReader(in, charset.newDecoder()));
        } catch (final IOException e) {
            in.close();
            throw e;
        }
    }

    /** A place in a file. */
    @FunctionalInterface
    private interface Place {
        long in(SeekableByteChannel file) throws IOException;
    }

    private void note(final Path file, final int repeat, final Place end) {
        if (!Files.exists(file)) {
            return;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ends.computeIfAbsent(file, key -> new TreeMap<>()).put(repeat, end.in(channel));
        } catch (final IOException e) {
            // it is read from its beginning, and whoever cannot do that reports it
        }
    }

    /**
     * Behind the last line that has an end: the next process of a role removes one that a killed
     * process left without.
     */
    private static long afterLastLine(final SeekableByteChannel file) throws IOException {
        final long from = Math.max(0, file.size() - LAST_BYTES);
        final ByteBuffer last = ByteBuffer.allocate(LAST_BYTES);
        file.position(from);
        while (last.hasRemaining() && file.read(last) > 0) {
            continue; // a read may return less than there is
        }
        for (int at = last.position() - 1; at >= 0; at--) {
            if (last.get(at) == '\n') {
                return from + at + 1;
            }
        }
        return 0;
    }
}

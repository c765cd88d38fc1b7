package io.tickmark.workloads.fix.session;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.collections.Long2LongHashMap;

/**
 * A store in files: {@code <session>.numbers} (outgoing, incoming, begin, which file is the newer
 * one, whether messages are kept for a disconnected counterparty; 8 bytes each), {@code
 * <session>.messages} and, once that is full, {@code <session>.messages2}. Each contains half of
 * what is kept at most; where the newer one is full, the older one is emptied and is the newer from
 * then on, so the newest half is always available. It outlives the process, not the machine:
 * nothing is forced to the disk.
 */
public final class FileStore implements MessageStore {
    private static final String PLAIN =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    private static final int OUTGOING = 0;
    private static final int INCOMING = 8;
    private static final int BEGAN = 16;
    private static final int NEWER = 24;
    private static final int KEPT_FOR = 32;
    private static final int NUMBERS_BYTES = 40;
    private static final String NUMBERS = ".numbers";

    private final Path[] paths;
    private final MessageFile[] files = new MessageFile[2];
    private final long maxBytes;
    private final MappedByteBuffer numbers;
    private final UnsentRanges notFetched = new UnsentRanges();

    private FileStore(final Path[] paths, final MappedByteBuffer numbers, final long maxBytes) {
        this.paths = paths;
        this.numbers = numbers;
        this.maxBytes = maxBytes;
    }

    /**
     * Opens or creates a store.
     *
     * @param folder created where necessary
     * @param session name of the files
     * @param maxBytes of messages kept at most; the newest half of it is kept in any case
     * @param nowMs ms since 1970
     * @return the store, with what it held
     * @throws UserError if the files cannot be used
     */
    public static FileStore open(
            final Path folder, final String session, final long maxBytes, final long nowMs) {
        final String name = fileName(session);
        final Path[] paths = {
            folder.resolve(name + ".messages"), folder.resolve(name + ".messages2")
        };
        try {
            Files.createDirectories(folder);
            final FileStore store =
                    new FileStore(paths, map(folder.resolve(name + NUMBERS)), maxBytes);
            store.files[0] = new MessageFile(paths[0]);
            if (Files.exists(paths[1])) {
                store.files[1] = new MessageFile(paths[1]);
            }
            if (store.nextOutgoing() == 0) {
                store.reset(nowMs);
            }
            return store;
        } catch (final IOException e) {
            throw failed(paths[0], e);
        }
    }

    /**
     * No two sessions have the same: characters that are not permitted in file names are written in
     * hexadecimal.
     */
    private static String fileName(final String session) {
        final StringBuilder name = new StringBuilder();
        for (final byte each : session.getBytes(StandardCharsets.UTF_8)) {
            final char character = (char) (each & 0xff);
            if (PLAIN.indexOf(character) >= 0) {
                name.append(character);
            } else {
                name.append("%%%02x".formatted((int) character));
            }
        }
        return name.toString();
    }

    /**
     * Names of the sessions whose files are in a folder.
     *
     * @param folder of a gateway's store
     * @return as they were given to {@link #open}, in the order of their letters
     * @throws UserError if the folder cannot be read
     */
    public static List<String> sessions(final Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("(%[0-9a-f]{2}|[\\w.-])+\\" + NUMBERS))
                    .map(name -> session(name.substring(0, name.length() - NUMBERS.length())))
                    .sorted()
                    .toList();
        } catch (final IOException e) {
            throw failed(folder, e);
        }
    }

    /** The inverse. */
    private static String session(final String fileName) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < fileName.length(); at++) {
            if (fileName.charAt(at) == '%') {
                bytes.write(HexFormat.fromHexDigits(fileName, at + 1, at + 3));
                at += 2;
            } else {
                bytes.write(fileName.charAt(at));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static MappedByteBuffer map(final Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, NUMBERS_BYTES);
        }
    }

    private static UserError failed(final Path file, final IOException e) {
        return UserError.environment(
                "The session store %s cannot be used (%s); name another folder with --store-dir."
                        .formatted(file, IoReason.of(e)),
                e);
    }

    @Override
    public long nextOutgoing() {
        return numbers.getLong(OUTGOING);
    }

    @Override
    public void nextOutgoing(final long number) {
        numbers.putLong(OUTGOING, number);
    }

    @Override
    public long nextIncoming() {
        return numbers.getLong(INCOMING);
    }

    @Override
    public void nextIncoming(final long number) {
        numbers.putLong(INCOMING, number);
    }

    @Override
    public long beganMs() {
        return numbers.getLong(BEGAN);
    }

    private int newer() {
        return (int) numbers.getLong(NEWER) & 1;
    }

    @Override
    public boolean append(
            final long number, final byte[] bytes, final int offset, final int length) {
        final int needed = MessageFile.ENTRY_HEADER_BYTES + length;
        if (needed > maxBytes) {
            return false;
        }
        try {
            final MessageFile newer = files[newer()];
            if (newer.size() > 0 && newer.size() + needed > maxBytes / 2) {
                turn();
            }
            makeRoom(needed);
            files[newer()].append(number, bytes, offset, length);
            return true;
        } catch (final IOException e) {
            throw failed(paths[newer()], e);
        }
    }

    /** Empties the older file and continues with it. */
    private void turn() throws IOException {
        final int older = 1 - newer();
        if (files[older] == null) {
            files[older] = new MessageFile(paths[older]);
        }
        files[older].clear();
        numbers.putLong(NEWER, older);
    }

    /** A message may be longer than half of what is kept. */
    private void makeRoom(final int needed) throws IOException {
        final MessageFile older = files[1 - newer()];
        if (older != null && older.size() + files[newer()].size() + needed > maxBytes) {
            older.clear();
        }
    }

    @Override
    public int read(final long number, final byte[] into) {
        try {
            int length = 0;
            for (int i = 0; i < files.length && length == 0; i++) {
                length = files[i] == null ? 0 : files[i].read(number, into);
            }
            return length;
        } catch (final IOException e) {
            throw failed(paths[0], e);
        }
    }

    @Override
    public long oldestKept() {
        long oldest = nextOutgoing();
        for (final MessageFile file : files) {
            oldest = file == null ? oldest : Math.min(oldest, file.oldest());
        }
        return oldest;
    }

    @Override
    public void forget() {
        try {
            for (final MessageFile file : files) {
                if (file != null) {
                    file.clear();
                }
            }
        } catch (final IOException e) {
            throw failed(paths[0], e);
        }
    }

    @Override
    public long memoryBytes() {
        long bytes = NUMBERS_BYTES;
        for (final MessageFile file : files) {
            bytes += file == null ? 0 : file.memoryBytes();
        }
        return bytes;
    }

    @Override
    public boolean isKeptFor() {
        return numbers.getLong(KEPT_FOR) != 0;
    }

    @Override
    public void keptFor(final boolean isKept) {
        numbers.putLong(KEPT_FOR, isKept ? 1 : 0);
    }

    @Override
    public void reset(final long nowMs) {
        forget();
        notFetched.clear();
        nextOutgoing(1);
        nextIncoming(1);
        numbers.putLong(BEGAN, nowMs);
    }

    @Override
    public UnsentRanges notFetched() {
        return notFetched;
    }

    @Override
    public void close() {
        try {
            for (final MessageFile file : files) {
                if (file != null) {
                    file.close();
                }
            }
        } catch (final IOException e) {
            throw failed(paths[0], e);
        }
    }

    /**
     * Messages in a file, one after the other: number (8 bytes), length (4), message. A torn last
     * one is cut off when it is opened. Single-threaded.
     */
    private static final class MessageFile implements AutoCloseable {
        static final int ENTRY_HEADER_BYTES = 12;

        private final FileChannel channel;
        private final Long2LongHashMap positions = new Long2LongHashMap(-1);
        private ByteBuffer entry = ByteBuffer.allocateDirect(1 << 12);
        private long size;
        private long oldest = Long.MAX_VALUE;

        MessageFile(final Path file) throws IOException {
            channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            index();
        }

        private void index() throws IOException {
            final long end = channel.size();
            final ByteBuffer header = ByteBuffer.allocate(ENTRY_HEADER_BYTES);
            long at = 0;
            while (end - at > ENTRY_HEADER_BYTES) {
                header.clear();
                channel.read(header, at);
                final int length = header.getInt(Long.BYTES);
                if (header.hasRemaining()
                        || length <= 0
                        || length > end - at - ENTRY_HEADER_BYTES) {
                    break;
                }
                keep(header.getLong(0), at);
                at += ENTRY_HEADER_BYTES + length;
            }
            channel.truncate(at);
            size = at;
        }

        private void keep(final long number, final long at) {
            positions.put(number, at);
            oldest = Math.min(oldest, number);
        }

        void append(final long number, final byte[] bytes, final int offset, final int length)
                throws IOException {
            final int needed = ENTRY_HEADER_BYTES + length;
            if (entry.capacity() < needed) {
                entry = ByteBuffer.allocateDirect(2 * needed);
            }
            entry.clear().putLong(number).putInt(length).put(bytes, offset, length).flip();
            final long at = size;
            while (entry.hasRemaining()) {
                size += channel.write(entry, size);
            }
            keep(number, at);
        }

        /** The message's length; 0 where it is not here, or does not fit. */
        int read(final long number, final byte[] into) throws IOException {
            final long at = positions.get(number);
            if (at < 0) {
                return 0;
            }
            final ByteBuffer header = ByteBuffer.allocate(ENTRY_HEADER_BYTES);
            channel.read(header, at);
            final int length = header.getInt(Long.BYTES);
            if (length > into.length) {
                return 0;
            }
            final ByteBuffer message = ByteBuffer.wrap(into, 0, length);
            while (message.hasRemaining()) {
                if (channel.read(message, at + ENTRY_HEADER_BYTES + message.position()) < 0) {
                    return 0;
                }
            }
            return length;
        }

        void clear() throws IOException {
            channel.truncate(0);
            positions.clear();
            oldest = Long.MAX_VALUE;
            size = 0;
        }

        /** Bytes in it. */
        long size() {
            return size;
        }

        /** Approximate size of its index. */
        long memoryBytes() {
            return 2L * Long.BYTES * positions.capacity() + entry.capacity();
        }

        /** The smallest number in it, {@link Long#MAX_VALUE} where it is empty. */
        long oldest() {
            return oldest;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}

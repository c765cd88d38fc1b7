package io.tickmark.workloads.fix.session;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.collections.Long2LongHashMap;

/**
 * A store in two files, {@code <session>.numbers} (outgoing, incoming, begin; 8 bytes each) and
 * {@code <session>.messages} (number, length, message; one after the other). It outlives the
 * process, not the machine: nothing is forced to the disk. A torn last message is cut off when it
 * is opened.
 */
public final class FileStore implements MessageStore {
    private static final String PLAIN =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    private static final int OUTGOING = 0;
    private static final int INCOMING = 8;
    private static final int BEGAN = 16;
    private static final int NUMBERS_BYTES = 24;
    private static final int ENTRY_HEADER_BYTES = 12;

    private final Path file;
    private final long maxBytes;
    private final FileChannel messages;
    private final MappedByteBuffer numbers;
    private final Long2LongHashMap positions = new Long2LongHashMap(-1);
    private ByteBuffer entry = ByteBuffer.allocateDirect(1 << 12);
    private long size;
    private long oldest = Long.MAX_VALUE;

    private FileStore(
            final Path file,
            final FileChannel messages,
            final MappedByteBuffer numbers,
            final long maxBytes) {
        this.file = file;
        this.messages = messages;
        this.numbers = numbers;
        this.maxBytes = maxBytes;
    }

    /**
     * Opens or makes a store.
     *
     * @param folder made where it is not there
     * @param session name of the files
     * @param maxBytes of messages kept; beyond it the oldest are forgotten, all at once
     * @param nowMs ms since 1970
     * @return the store, with what it held
     * @throws UserError if the files cannot be used
     */
    public static FileStore open(
            final Path folder, final String session, final long maxBytes, final long nowMs) {
        final String name = fileName(session);
        final Path file = folder.resolve(name + ".messages");
        try {
            Files.createDirectories(folder);
            final FileStore store =
                    new FileStore(
                            file, channel(file), map(folder.resolve(name + ".numbers")), maxBytes);
            if (store.nextOutgoing() == 0) {
                store.reset(nowMs);
            } else {
                store.index();
            }
            return store;
        } catch (final IOException e) {
            throw failed(file, e);
        }
    }

    /** No two sessions have the same: what stands in no file name is written in hexadecimal. */
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

    private static FileChannel channel(final Path file) throws IOException {
        return FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static MappedByteBuffer map(final Path file) throws IOException {
        try (FileChannel channel = channel(file)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, NUMBERS_BYTES);
        }
    }

    private static UserError failed(final Path file, final IOException e) {
        return UserError.environment(
                "The session store %s cannot be used (%s); name another folder with --store-dir."
                        .formatted(file, IoReason.of(e)),
                e);
    }

    private void index() throws IOException {
        final long end = messages.size();
        final ByteBuffer header = ByteBuffer.allocate(ENTRY_HEADER_BYTES);
        long at = 0;
        while (end - at > ENTRY_HEADER_BYTES) {
            header.clear();
            messages.read(header, at);
            final int length = header.getInt(Long.BYTES);
            if (header.hasRemaining() || length <= 0 || length > end - at - ENTRY_HEADER_BYTES) {
                break;
            }
            keep(header.getLong(0), at);
            at += ENTRY_HEADER_BYTES + length;
        }
        messages.truncate(at);
        size = at;
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

    @Override
    public void append(final long number, final byte[] bytes, final int offset, final int length) {
        final int needed = ENTRY_HEADER_BYTES + length;
        try {
            if (size + needed > maxBytes) {
                forgetMessages();
            }
            if (entry.capacity() < needed) {
                entry = ByteBuffer.allocateDirect(2 * needed);
            }
            entry.clear().putLong(number).putInt(length).put(bytes, offset, length).flip();
            final long at = size;
            while (entry.hasRemaining()) {
                size += messages.write(entry, size);
            }
            keep(number, at);
        } catch (final IOException e) {
            throw failed(file, e);
        }
    }

    @Override
    public int read(final long number, final byte[] into) {
        final long at = positions.get(number);
        if (at < 0) {
            return 0;
        }
        try {
            final ByteBuffer header = ByteBuffer.allocate(ENTRY_HEADER_BYTES);
            messages.read(header, at);
            final int length = header.getInt(Long.BYTES);
            if (length > into.length) {
                return 0;
            }
            final ByteBuffer message = ByteBuffer.wrap(into, 0, length);
            while (message.hasRemaining()) {
                if (messages.read(message, at + ENTRY_HEADER_BYTES + message.position()) < 0) {
                    return 0;
                }
            }
            return length;
        } catch (final IOException e) {
            throw failed(file, e);
        }
    }

    private void keep(final long number, final long at) {
        positions.put(number, at);
        oldest = Math.min(oldest, number);
    }

    @Override
    public long oldestKept() {
        return Math.min(oldest, nextOutgoing());
    }

    private void forgetMessages() throws IOException {
        messages.truncate(0);
        oldest = Long.MAX_VALUE;
        positions.clear();
        size = 0;
    }

    @Override
    public void reset(final long nowMs) {
        try {
            forgetMessages();
        } catch (final IOException e) {
            throw failed(file, e);
        }
        nextOutgoing(1);
        nextIncoming(1);
        numbers.putLong(BEGAN, nowMs);
    }

    @Override
    public void close() {
        try {
            messages.close();
        } catch (final IOException e) {
            throw failed(file, e);
        }
    }
}

package io.tickmark.engines.nats;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.TreeMap;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The files in which JetStream keeps the messages of a stream, read directly: numbered blocks of
 * records. A record, little-endian, is length (int32, its top bit says that there are headers),
 * sequence (int64), time (int64), length of the subject (int16), subject, length of the headers
 * (int32) and headers where there are any, message, HighwayHash of everything except the length
 * (int64).
 */
final class BlockFiles implements StoredFiles {
    private static final String SUFFIX = ".blk";
    private static final int FIXED_BYTES = 22;
    private static final int HASH_BYTES = 8;
    private static final int SMALLEST = FIXED_BYTES + HASH_BYTES;
    private static final int HAS_HEADERS = 1 << 31;

    /** Set in the sequence of a record that was erased or records that another was deleted. */
    private static final long NO_MESSAGE = 3L << 62;

    private final Path folder;
    private final String stream;

    /** Of a stream in a server's store directory. */
    BlockFiles(final Path storeDirectory, final String stream) {
        folder = storeDirectory.resolve("jetstream/$G/streams").resolve(stream).resolve("msgs");
        this.stream = stream;
    }

    /** Receives an intact message. */
    @FunctionalInterface
    private interface Visitor {
        /** {@code length} bytes from {@code at} on are its record. */
        void onRecord(ByteBuffer records, int at, int length);
    }

    /** Reads all blocks; a server that never had the stream has none. */
    @Override
    public Verification verify() {
        if (!Files.isDirectory(folder)) {
            return Verification.EMPTY;
        }
        return scan((records, at, length) -> {});
    }

    /**
     * Passes on the intact messages from an ordinal on, in their order.
     *
     * @return how many
     * @throws UncheckedIOException if they cannot be read or there is no folder for them, which
     *     does not show that nothing was stored
     */
    @Override
    public long read(final long fromOrdinal, final MessageHandler handler) {
        final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        final MutableLong count = new MutableLong();
        scan((records, at, length) -> {
            if (records.getLong(at + Integer.BYTES) > fromOrdinal) {
                final int from = messageAt(records, at);
                buffer.wrap(records.array(), from, at + length - HASH_BYTES - from);
                handler.onMessage(buffer, 0, buffer.capacity());
                count.increment();
            }
        });
        return count.get();
    }

    private static int messageAt(final ByteBuffer records, final int at) {
        final int behindSubject = at + FIXED_BYTES + subjectBytes(records, at);
        return hasHeaders(records, at)
                ? behindSubject + Integer.BYTES + records.getInt(behindSubject)
                : behindSubject;
    }

    private Verification scan(final Visitor visitor) {
        Verification all = Verification.EMPTY;
        try {
            for (final Path block : blocks()) {
                all = all.plus(scan(block, visitor));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** By their numbers, which are their names. */
    private List<Path> blocks() throws IOException {
        final TreeMap<Long, Path> blocks = new TreeMap<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            found.forEach(block -> blocks.put(Long.parseLong(name(block)), block));
        }
        return List.copyOf(blocks.values());
    }

    private static String name(final Path block) {
        final String file = block.getFileName().toString();
        return file.substring(0, file.length() - SUFFIX.length());
    }

    private Verification scan(final Path block, final Visitor visitor) throws IOException {
        final HighwayHash hash = new HighwayHash(key(name(block)));
        final byte[] bytes = Files.readAllBytes(block);
        final ByteBuffer records = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long messages = 0;
        long corrupted = 0;
        int at = 0;
        int length = recordLength(records, at);
        while (length > 0) {
            if (!isIntact(records, at, length, hash)) {
                corrupted++;
            } else if ((records.getLong(at + Integer.BYTES) & NO_MESSAGE) == 0) {
                messages++;
                visitor.onRecord(records, at, length);
            }
            at += length;
            length = recordLength(records, at);
        }
        return new Verification(messages, bytes.length - at, corrupted);
    }

    private static int subjectBytes(final ByteBuffer records, final int at) {
        return records.getShort(at + FIXED_BYTES - Short.BYTES) & 0xffff;
    }

    private static boolean hasHeaders(final ByteBuffer records, final int at) {
        return (records.getInt(at) & HAS_HEADERS) != 0;
    }

    /** Of the whole record there; 0 where there is none. */
    private static int recordLength(final ByteBuffer records, final int at) {
        final int left = records.capacity() - at;
        if (left < SMALLEST) {
            return 0;
        }
        final int length = records.getInt(at) & ~HAS_HEADERS;
        return length >= SMALLEST && length <= left ? length : 0;
    }

    private static boolean isIntact(
            final ByteBuffer records, final int at, final int length, final HighwayHash hash) {
        final int subject = subjectBytes(records, at);
        final int fixed = FIXED_BYTES + (hasHeaders(records, at) ? Integer.BYTES : 0) + HASH_BYTES;
        if (length < fixed + subject) {
            return false;
        }
        // What is hashed: sequence and time, then everything from the subject on except the
        // headers' length.
        final byte[] hashed = new byte[2 * Long.BYTES + length - fixed];
        records.get(at + Integer.BYTES, hashed, 0, 2 * Long.BYTES);
        records.get(at + FIXED_BYTES, hashed, 2 * Long.BYTES, subject);
        records.get(
                at + fixed - HASH_BYTES + subject,
                hashed,
                2 * Long.BYTES + subject,
                length - fixed - subject);
        return hash.hash(hashed, 0, hashed.length) == records.getLong(at + length - HASH_BYTES);
    }

    private byte[] key(final String block) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest((stream + "-" + block).getBytes(StandardCharsets.UTF_8));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * HighwayHash with a result of 64 bits (Alakuijala, Cox, Wassenberg: "Fast keyed
     * hash/pseudo-random function using SIMD multiply and permute", 2016), the checksum of
     * JetStream's files. Single-threaded.
     */
    private static final class HighwayHash {
        private static final int PACKET = 32;
        private static final int LANES = 4;
        private static final long LOW = 0xffffffffL;
        private static final int FINAL_ROUNDS = 4;

        private static final long[] INIT_0 = {
            0xdbe6d5d5fe4cce2fL, 0xa4093822299f31d0L, 0x13198a2e03707344L, 0x243f6a8885a308d3L
        };
        private static final long[] INIT_1 = {
            0x3bd39e10cb0ef593L, 0xc0acf169b5f18a8cL, 0xbe5466cf34e90c6cL, 0x452821e638d01377L
        };

        private final long[] v0 = new long[LANES];
        private final long[] v1 = new long[LANES];
        private final long[] mul0 = new long[LANES];
        private final long[] mul1 = new long[LANES];
        private final long[] lanes = new long[LANES];
        private final byte[] rest = new byte[PACKET];
        private final byte[] key;

        /** With a key of 32 bytes. */
        HighwayHash(final byte[] key) {
            this.key = key.clone();
        }

        /** The hash of some bytes. */
        long hash(final byte[] bytes, final int offset, final int length) {
            reset();
            int at = 0;
            for (; length - at >= PACKET; at += PACKET) {
                update(bytes, offset + at);
            }
            if (at < length) {
                updateRest(bytes, offset + at, length - at);
            }
            for (int i = 0; i < FINAL_ROUNDS; i++) {
                for (int lane = 0; lane < LANES; lane++) {
                    lanes[lane] = Long.rotateRight(v0[lane ^ 2], 32);
                }
                update();
            }
            return v0[0] + v1[0] + mul0[0] + mul1[0];
        }

        private void reset() {
            for (int i = 0; i < LANES; i++) {
                final long part = read(key, i * Long.BYTES);
                mul0[i] = INIT_0[i];
                mul1[i] = INIT_1[i];
                v0[i] = mul0[i] ^ part;
                v1[i] = mul1[i] ^ Long.rotateRight(part, 32);
            }
        }

        private void update(final byte[] packet, final int offset) {
            for (int i = 0; i < LANES; i++) {
                lanes[i] = read(packet, offset + i * Long.BYTES);
            }
            update();
        }

        private void update() {
            for (int i = 0; i < LANES; i++) {
                v1[i] += mul0[i] + lanes[i];
                mul0[i] ^= (v1[i] & LOW) * (v0[i] >>> 32);
                v0[i] += mul1[i];
                mul1[i] ^= (v0[i] & LOW) * (v1[i] >>> 32);
            }
            zipAndAdd(v1, v0);
            zipAndAdd(v0, v1);
        }

        private static void zipAndAdd(final long[] from, final long[] to) {
            for (int i = 0; i < LANES; i += 2) {
                final long a = from[i];
                final long b = from[i + 1];
                to[i] += zipLow(a, b);
                to[i + 1] += zipHigh(a, b);
            }
        }

        private static long zipLow(final long a, final long b) {
            return ((a & 0xff000000L) | (b & 0xff00000000L)) >>> 24
                    | ((a & 0xff0000000000L) | (b & 0xff000000000000L)) >>> 16
                    | a & 0xff0000L
                    | (a & 0xff00L) << 32
                    | (b & 0xff00000000000000L) >>> 8
                    | a << 56;
        }

        private static long zipHigh(final long a, final long b) {
            return ((b & 0xff000000L) | (a & 0xff00000000L)) >>> 24
                    | b & 0xff0000L
                    | (b & 0xff0000000000L) >>> 16
                    | (b & 0xff00L) << 24
                    | (a & 0xff000000000000L) >>> 8
                    | (b & 0xffL) << 48
                    | a & 0xff00000000000000L;
        }

        private void updateRest(final byte[] bytes, final int offset, final int size) {
            final int last = size & 3;
            final int whole = size - last;
            for (int i = 0; i < LANES; i++) {
                v0[i] += ((long) size << 32) + size;
                v1[i] = rotateHalves(v1[i], size);
            }
            java.util.Arrays.fill(rest, (byte) 0);
            System.arraycopy(bytes, offset, rest, 0, whole);
            if ((size & 16) != 0) {
                for (int i = 0; i < 4; i++) {
                    rest[28 + i] = bytes[offset + whole + i + last - 4];
                }
            } else if (last != 0) {
                rest[16] = bytes[offset + whole];
                rest[17] = bytes[offset + whole + (last >>> 1)];
                rest[18] = bytes[offset + whole + last - 1];
            }
            update(rest, 0);
        }

        private static long rotateHalves(final long value, final int by) {
            final int low = Integer.rotateLeft((int) value, by);
            final int high = Integer.rotateLeft((int) (value >>> 32), by);
            return (long) high << 32 | low & LOW;
        }

        private static long read(final byte[] bytes, final int offset) {
            long value = 0;
            for (int i = Long.BYTES - 1; i >= 0; i--) {
                value = value << 8 | bytes[offset + i] & 0xff;
            }
            return value;
        }
    }
}

package io.tickmark.engines.nats;

import io.tickmark.transport.broker.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The files in which JetStream keeps the messages of a stream, read directly: numbered blocks of
 * records. A record, little-endian, is length (int32, its top bit says that there are headers),
 * sequence (int64), time (int64), length of the subject (int16), subject, length of the headers
 * (int32) and headers where there are any, message, HighwayHash of everything except the length
 * (int64).
 */
final class BlockFiles extends SegmentFiles {
    private static final int SEQUENCE_AT = 4;
    private static final int FIXED_BYTES = 22;
    private static final int HASH_BYTES = 8;
    private static final int SMALLEST = FIXED_BYTES + HASH_BYTES;
    private static final int HAS_HEADERS = 1 << 31;

    /** Set in the sequence of a record that was erased or records that another was deleted. */
    private static final long NO_MESSAGE = 3L << 62;

    private final Path storeDirectory;
    private final String stream;

    /** Of a stream in a server's store directory. */
    BlockFiles(final Path storeDirectory, final String stream) {
        super(".blk");
        this.storeDirectory = storeDirectory;
        this.stream = stream;
    }

    @Override
    protected Path folder() {
        return storeDirectory.resolve("jetstream/$G/streams").resolve(stream).resolve("msgs");
    }

    @Override
    protected long scan(final Path block, final Found found) throws IOException {
        final HighwayHash hash = new HighwayHash(key(number(block)));
        final ByteBuffer records =
                ByteBuffer.wrap(Files.readAllBytes(block)).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        int length = recordLength(records, at);
        while (length > 0) {
            final ByteBuffer record = records.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
            final long sequence = record.getLong(SEQUENCE_AT);
            if (!isIntact(record, hash)) {
                found.damaged(1);
            } else if ((sequence & NO_MESSAGE) == 0) {
                found.message(sequence - 1, message(record));
            }
            at += length;
            length = recordLength(records, at);
        }
        return records.capacity() - at;
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

    private static int subjectBytes(final ByteBuffer record) {
        return record.getShort(FIXED_BYTES - Short.BYTES) & 0xffff;
    }

    private static boolean hasHeaders(final ByteBuffer record) {
        return (record.getInt(0) & HAS_HEADERS) != 0;
    }

    private static ByteBuffer message(final ByteBuffer record) {
        int from = FIXED_BYTES + subjectBytes(record);
        if (hasHeaders(record)) {
            from += Integer.BYTES + record.getInt(from);
        }
        return record.slice(from, record.capacity() - HASH_BYTES - from);
    }

    /** Sequence, time, subject, and all behind the headers' length are hashed. */
    private static boolean isIntact(final ByteBuffer record, final HighwayHash hash) {
        final int subject = subjectBytes(record);
        final int from = FIXED_BYTES + subject + (hasHeaders(record) ? Integer.BYTES : 0);
        final int rest = record.capacity() - HASH_BYTES - from;
        if (rest < 0) {
            return false;
        }
        final ByteBuffer hashed =
                ByteBuffer.allocate(2 * Long.BYTES + subject + rest)
                        .put(record.slice(SEQUENCE_AT, 2 * Long.BYTES))
                        .put(record.slice(FIXED_BYTES, subject))
                        .put(record.slice(from, rest));
        return hash.hash(hashed.flip()) == record.getLong(record.capacity() - HASH_BYTES);
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

        /** Which byte of two lanes comes where, the lowest first. */
        private static final int[] ZIPPED = {3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7};

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
        private final ByteBuffer key;

        /** With a key of 32 bytes. */
        HighwayHash(final byte[] key) {
            this.key = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
        }

        /** The hash of all bytes of a buffer. */
        long hash(final ByteBuffer bytes) {
            reset();
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            int at = 0;
            for (; bytes.limit() - at >= PACKET; at += PACKET) {
                update(bytes, at);
            }
            if (at < bytes.limit()) {
                updateRest(bytes, at, bytes.limit() - at);
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
                final long part = key.getLong(i * Long.BYTES);
                mul0[i] = INIT_0[i];
                mul1[i] = INIT_1[i];
                v0[i] = mul0[i] ^ part;
                v1[i] = mul1[i] ^ Long.rotateRight(part, 32);
            }
        }

        private void update(final ByteBuffer bytes, final int offset) {
            for (int i = 0; i < LANES; i++) {
                lanes[i] = bytes.getLong(offset + i * Long.BYTES);
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
                to[i] += zipped(from[i], from[i + 1], 0);
                to[i + 1] += zipped(from[i], from[i + 1], Long.BYTES);
            }
        }

        private static long zipped(final long low, final long high, final int place) {
            long merged = 0;
            for (int i = place + Long.BYTES - 1; i >= place; i--) {
                final long source = ZIPPED[i] < Long.BYTES ? low : high;
                merged = merged << 8 | source >>> 8 * ZIPPED[i] & 0xff; // modulo 64
            }
            return merged;
        }

        private void updateRest(final ByteBuffer bytes, final int offset, final int size) {
            final int last = size & 3;
            final int whole = size - last;
            for (int i = 0; i < LANES; i++) {
                v0[i] += ((long) size << 32) + size;
                v1[i] = rotateHalves(v1[i], size);
            }
            final ByteBuffer rest = ByteBuffer.allocate(PACKET).order(ByteOrder.LITTLE_ENDIAN);
            rest.put(0, bytes, offset, whole);
            if ((size & 16) != 0) {
                rest.put(PACKET - 4, bytes, offset + size - 4, 4);
            } else if (last != 0) {
                rest.put(16, bytes.get(offset + whole));
                rest.put(17, bytes.get(offset + whole + (last >>> 1)));
                rest.put(18, bytes.get(offset + size - 1));
            }
            update(rest, 0);
        }

        private static long rotateHalves(final long value, final int by) {
            final int low = Integer.rotateLeft((int) value, by);
            final int high = Integer.rotateLeft((int) (value >>> 32), by);
            return (long) high << 32 | low & LOW;
        }
    }
}

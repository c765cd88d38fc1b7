package io.tickmark.engines.nats;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.broker.SegmentFiles;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The files in which JetStream keeps the messages of a stream, read directly: numbered blocks of
 * records. A record, little-endian, is length (int32, its top bit says that there are headers),
 * sequence (int64), time (int64), length of the subject (int16), subject, length of the headers
 * (int32) and headers where there are any, message, HighwayHash of everything except the length
 * (int64).
 */
final class BlockFiles extends SegmentFiles {
    private static final int FIXED_BYTES = 22;
    private static final int HASH_BYTES = 8;
    private static final int SMALLEST = FIXED_BYTES + HASH_BYTES;
    private static final int HAS_HEADERS = 1 << 31;

    /** Set in the sequence of a record that was erased or records that another was deleted. */
    private static final long NO_MESSAGE = 3L << 62;

    private final String stream;

    /** Of a stream in a server's store directory. */
    BlockFiles(final Path storeDirectory, final String stream) {
        super(
                storeDirectory.resolve("jetstream/$G/streams").resolve(stream).resolve("msgs"),
                ".blk");
        this.stream = stream;
    }

    @Override
    protected Verification verify(final Path block) throws IOException {
        return scan(block, Long.MAX_VALUE, (buffer, offset, length) -> {});
    }

    @Override
    protected void read(final Path block, final long fromOrdinal, final MessageHandler handler)
            throws IOException {
        scan(block, fromOrdinal, handler);
    }

    private static int messageAt(final ByteBuffer records, final int at) {
        final int behindSubject = at + FIXED_BYTES + subjectBytes(records, at);
        return hasHeaders(records, at)
                ? behindSubject + Integer.BYTES + records.getInt(behindSubject)
                : behindSubject;
    }

    private Verification scan(
            final Path block, final long fromOrdinal, final MessageHandler handler)
            throws IOException {
        final HighwayHash hash = new HighwayHash(key(number(block)));
        final byte[] bytes = Files.readAllBytes(block);
        final ByteBuffer records = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        long messages = 0;
        long corrupted = 0;
        int at = 0;
        int length = recordLength(records, at);
        while (length > 0) {
            if (!isIntact(records, at, length, hash)) {
                corrupted++;
            } else if ((records.getLong(at + Integer.BYTES) & NO_MESSAGE) == 0) {
                messages++;
                if (records.getLong(at + Integer.BYTES) > fromOrdinal) {
                    final int from = messageAt(records, at);
                    buffer.wrap(bytes, from, at + length - HASH_BYTES - from);
                    handler.onMessage(buffer, 0, buffer.capacity());
                }
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
        final ByteBuffer hashed =
                ByteBuffer.allocate(2 * Long.BYTES + length - fixed)
                        .put(records.slice(at + Integer.BYTES, 2 * Long.BYTES))
                        .put(records.slice(at + FIXED_BYTES, subject))
                        .put(
                                records.slice(
                                        at + fixed - HASH_BYTES + subject,
                                        length - fixed - subject));
        return hash.hash(hashed.flip()) == records.getLong(at + length - HASH_BYTES);
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

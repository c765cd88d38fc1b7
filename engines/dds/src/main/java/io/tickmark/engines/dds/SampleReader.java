package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.MessageHandler;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes samples of a reader into memory of its own, which the library fills and never keeps or
 * frees. One thread at a time; allocates nothing.
 *
 * <p>The memory is got from malloc and not from an arena, which would write zeros to it all: what
 * no message is long enough to use is never touched and costs nothing.
 */
final class SampleReader implements AutoCloseable {
    private static final int BATCH = 16;

    // struct dds_sample_info of dds.h
    private static final int INFO_BYTES = 64;
    private static final int VALID_DATA_OFFSET = 12;

    private static final MethodHandle MALLOC =
            Libc.handle("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
    private static final MethodHandle FREE =
            Libc.handle("free", FunctionDescriptor.ofVoid(ADDRESS));

    private final int reader;
    private final int maxPayloadBytes;
    private final MemorySegment memory;
    private final long pointers;
    private final long infos;
    private final UnsafeBuffer headers;
    private final UnsafeBuffer infoBuffer;
    private final UnsafeBuffer[] payloads = new UnsafeBuffer[BATCH];
    private long tooLong;
    private boolean drained = true;

    SampleReader(final int reader, final int maxPayloadBytes) {
        this.reader = reader;
        this.maxPayloadBytes = maxPayloadBytes;
        // One byte more than the longest message: a longer one fills it and shows itself so.
        final long stride = (maxPayloadBytes + 1L + 63) & -64L;
        final long headerBytes = BATCH * (ADDRESS.byteSize() + INFO_BYTES + TopicType.SAMPLE_BYTES);
        memory = allocated(headerBytes + BATCH * stride);
        final long base = memory.address();
        pointers = base;
        infos = pointers + BATCH * ADDRESS.byteSize();
        final long samples = infos + (long) BATCH * INFO_BYTES;
        final long data = base + headerBytes;
        infoBuffer = new UnsafeBuffer(infos, BATCH * INFO_BYTES);
        headers = new UnsafeBuffer(samples, BATCH * TopicType.SAMPLE_BYTES);
        headers.setMemory(0, headers.capacity(), (byte) 0);
        final UnsafeBuffer pointerBuffer =
                new UnsafeBuffer(pointers, BATCH * (int) ADDRESS.byteSize());
        for (int i = 0; i < BATCH; i++) {
            final int sample = i * TopicType.SAMPLE_BYTES;
            pointerBuffer.putLong(i * (int) ADDRESS.byteSize(), samples + sample);
            headers.putInt(sample + TopicType.MAXIMUM_OFFSET, maxPayloadBytes + 1);
            headers.putLong(sample + TopicType.BUFFER_OFFSET, data + i * stride);
            // Over a byte buffer: checksums are made of one.
            payloads[i] =
                    new UnsafeBuffer(
                            memory.asSlice(headerBytes + i * stride, maxPayloadBytes)
                                    .asByteBuffer());
        }
    }

    @SuppressWarnings("restricted") // malloc tells no size
    private static MemorySegment allocated(final long bytes) {
        try {
            final MemorySegment memory = (MemorySegment) MALLOC.invokeExact(bytes);
            if (memory.address() == 0) {
                throw UserError.environment(
                        "no memory for received samples: " + bytes + " bytes cannot be had.");
            }
            return memory.reinterpret(bytes);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Hands over up to so many messages; how many there were. */
    int take(final MessageHandler handler, final int limit) {
        int handedOver = 0;
        int taken;
        int asked;
        do {
            asked = Math.min(BATCH, limit - handedOver);
            taken = Cyclone.take(reader, pointers, infos, asked, asked);
            if (taken < 0) {
                throw UserError.environment(
                        "Cyclone DDS cannot take samples: " + Cyclone.text(taken) + ".");
            }
            for (int i = 0; i < taken; i++) {
                handedOver += handOver(handler, i);
            }
        } while (taken == asked && handedOver < limit);
        drained = taken < asked;
        return handedOver;
    }

    private int handOver(final MessageHandler handler, final int i) {
        if (infoBuffer.getByte(i * INFO_BYTES + VALID_DATA_OFFSET) == 0) {
            return 0; // a writer came or went
        }
        final int length = headers.getInt(i * TopicType.SAMPLE_BYTES + TopicType.LENGTH_OFFSET);
        if (length > maxPayloadBytes) {
            tooLong++;
            return 0;
        }
        handler.onMessage(payloads[i], 0, length);
        return 1;
    }

    /** Whether the last take left nothing behind. */
    boolean isDrained() {
        return drained;
    }

    /** Messages of foreign writers that were longer than the channel carries, and dropped. */
    long tooLong() {
        return tooLong;
    }

    @Override
    public void close() {
        try {
            FREE.invokeExact(memory);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}

package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The one type of every topic, {@code struct Message { sequence<octet> data; }} in module {@code
 * tickmark}, as Cyclone's generator would describe it: no C compiler is needed. Without type
 * information (XTypes), so that any program with the same name and shape matches.
 *
 * <p>In memory it is {@code dds_sequence_t}: uint32 maximum, uint32 length, pointer, bool release.
 */
final class TopicType {
    static final String NAME = "tickmark::Message";

    static final int SAMPLE_BYTES = 24;
    static final int MAXIMUM_OFFSET = 0;
    static final int LENGTH_OFFSET = 4;
    static final int BUFFER_OFFSET = 8;
    static final int RELEASE_OFFSET = 16;

    // dds_opcodes.h: DDS_OP_ADR << 24, DDS_OP_TYPE_SEQ << 16, DDS_OP_SUBTYPE_1BY << 8.
    private static final int ADR_SEQ_1BY = 1 << 24 | 7 << 16 | 1 << 8;
    private static final int RTS = 0;
    private static final int[] OPS = {ADR_SEQ_1BY, 0, RTS};
    private static final int OPS_COUNT = 2;

    // struct dds_topic_descriptor of dds_public_impl.h
    private static final int DESCRIPTOR_BYTES = 96;
    private static final int SIZE_OFFSET = 0;
    private static final int ALIGN_OFFSET = 4;
    private static final int TYPE_NAME_OFFSET = 16;
    private static final int OPS_COUNT_OFFSET = 32;
    private static final int OPS_OFFSET = 40;
    private static final int META_OFFSET = 48;

    /** Never freed: topics of every channel refer to it. */
    static final MemorySegment DESCRIPTOR = descriptor(Arena.global());

    private TopicType() {}

    private static MemorySegment descriptor(final Arena arena) {
        final MemorySegment descriptor = arena.allocate(DESCRIPTOR_BYTES, Long.BYTES);
        descriptor.fill((byte) 0);
        descriptor.set(JAVA_INT, SIZE_OFFSET, SAMPLE_BYTES);
        descriptor.set(JAVA_INT, ALIGN_OFFSET, Long.BYTES);
        descriptor.set(ADDRESS, TYPE_NAME_OFFSET, arena.allocateFrom(NAME));
        descriptor.set(JAVA_INT, OPS_COUNT_OFFSET, OPS_COUNT);
        descriptor.set(ADDRESS, OPS_OFFSET, arena.allocateFrom(JAVA_INT, OPS));
        descriptor.set(ADDRESS, META_OFFSET, arena.allocateFrom(""));
        return descriptor;
    }

    /** Room for one sample whose bytes are elsewhere; the library never frees them. */
    static MemorySegment sample(final Arena arena) {
        final MemorySegment sample = arena.allocate(SAMPLE_BYTES, Long.BYTES);
        sample.set(JAVA_BYTE, RELEASE_OFFSET, (byte) 0);
        return sample;
    }
}

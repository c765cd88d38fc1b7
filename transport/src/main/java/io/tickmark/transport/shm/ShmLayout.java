package io.tickmark.transport.shm;

/**
 * Layout of the file, version 3, in the machine's byte order. One file holds the ring of the
 * binding side and, for exchanges, one return ring for each reader slot (a sparse file: what is not
 * used takes no room).
 *
 * <pre>
 *  header, 4096 bytes; what different processes write is 128 bytes apart (adjacent lines are
 *  fetched together)
 *       0  int64 magic     8 int32 version     12 int32 flags (1 lossy, 2 ways back)
 *      16  int32 capacity of a ring            24 int64 epoch: grows when the writer restarts
 *      32  int64 writer's process              40 int64 its start, clock ticks since boot
 *     128  int32 state of the writer: 1 open, 2 closed, 3 replaced
 *     256  int64 changes: counted up by readers that join or leave
 *     384  int64 writer's heartbeat, ns on the monotonic clock
 *     512  int64 tail   520 int64 messages     (lossy only)
 *     640  int64 position up to which the writer may be writing (lossy only)
 *     768  int32 1 while a reader sleeps that a message has to wake   772 int32 how often (a futex)
 *     896  the same of the binding side, for messages on the ways back
 *  64 reader slots of 256 bytes
 *       0  int64 position, by the reader        8 int64 heartbeat, by the reader
 *      16  int64 process, 0 for a free slot    24 int64 its start, clock ticks since boot
 *      32  int32 state: 0 none, 1 joining, 2 active, 3 leaving
 *      40  int64 messages written before it became active, by the writer
 *     128  int64 position of the writer in this slot's way back
 *  ring of the binding side, then those of slots 0 to 63
 *
 *  record, at a multiple of 64 bytes
 *       0  int32 bytes of header and message, stored last; negative: so many bytes to skip; 0: not
 *          written yet
 *       4  int32 number of the message, from 0
 *       8  message
 * </pre>
 */
final class ShmLayout {
    /** "TICKSHM" and a byte that shows a file of the other byte order. */
    static final long MAGIC = 0x4d48534b43495401L;

    static final int VERSION = 3;
    static final int FLAG_LOSSY = 1;
    static final int FLAG_RETURNS = 2;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int FLAGS_OFFSET = 12;
    static final int CAPACITY_OFFSET = 16;
    static final int EPOCH_OFFSET = 24;
    static final int WRITER_PROCESS_OFFSET = 32;
    static final int WRITER_START_OFFSET = 40;
    static final int WRITER_STATE_OFFSET = 128;
    static final int CHANGES_OFFSET = 256;
    static final int WRITER_HEARTBEAT_OFFSET = 384;
    static final int TAIL_OFFSET = 512;
    static final int MESSAGES_OFFSET = 520;
    static final int INTENT_OFFSET = 640;
    static final int BELL_OFFSET = 768;
    static final int BACK_BELL_OFFSET = 896;

    static final int WRITER_OPEN = 1;
    static final int WRITER_CLOSED = 2;
    static final int WRITER_REPLACED = 3;

    static final int SLOTS_OFFSET = 4096;
    static final int SLOTS = 64;
    static final int SLOT_BYTES = 256;
    static final int HEADER_BYTES = SLOTS_OFFSET + SLOTS * SLOT_BYTES;

    static final int POSITION = 0;
    static final int HEARTBEAT = 8;
    static final int PROCESS = 16;
    static final int PROCESS_START = 24;
    static final int STATE = 32;
    static final int MESSAGES_BEFORE = 40;
    static final int RETURN_POSITION = 128;

    static final int NONE = 0;
    static final int JOINING = 1;
    static final int ACTIVE = 2;
    static final int LEAVING = 3;

    static final int RECORD_ALIGNMENT = 64;
    static final int RECORD_HEADER_BYTES = 8;
    static final int NUMBER = 4;
    static final int LARGEST_SHARE = 8;
    static final int MIN_CAPACITY_BYTES = 65_536;

    private ShmLayout() {}

    static int slot(final int index) {
        return SLOTS_OFFSET + index * SLOT_BYTES;
    }

    static long returnRing(final int index, final int capacityBytes) {
        return HEADER_BYTES + (1L + index) * capacityBytes;
    }

    static long fileBytes(final int capacityBytes, final int flags) {
        return (flags & FLAG_RETURNS) == 0
                ? HEADER_BYTES + (long) capacityBytes
                : returnRing(SLOTS, capacityBytes);
    }

    static int maxPayloadBytes(final int capacityBytes) {
        return capacityBytes / LARGEST_SHARE - RECORD_HEADER_BYTES;
    }

    static int recordBytes(final int frameBytes) {
        return frameBytes + RECORD_ALIGNMENT - 1 & -RECORD_ALIGNMENT;
    }
}

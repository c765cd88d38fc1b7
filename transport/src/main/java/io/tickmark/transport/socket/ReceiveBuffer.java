package io.tickmark.transport.socket;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Room for one datagram or batch, for where it came from and for the message header (recvmsg(2),
 * cmsg(3), udp(7)) that receives them. Single-threaded; allocates nothing after construction.
 */
public final class ReceiveBuffer {
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int VECTORS = 16;
    private static final int VECTOR_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int VECTOR = 56;
    private static final int OWN_NAME_LENGTH = 72;
    private static final int CONTROL_MESSAGES = 80;
    private static final int CONTROL_BYTES = 256;
    private static final int HEADER_BYTES = CONTROL_MESSAGES + CONTROL_BYTES;

    private static final int CONTROL_HEADER_BYTES = 16;

    private final UnsafeBuffer header = new UnsafeBuffer(ByteBuffer.allocateDirect(HEADER_BYTES));
    private final UnsafeBuffer name;
    private final UnsafeBuffer bytes;
    private long arrivedNs;
    private long cardArrivedNs;

    /**
     * Empty.
     *
     * @param capacity bytes of room
     * @param nameBytes room for the address it came from
     */
    public ReceiveBuffer(final int capacity, final int nameBytes) {
        name = new UnsafeBuffer(ByteBuffer.allocateDirect(nameBytes));
        bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
        final long base = header.addressOffset();
        header.putLong(NAME, name.addressOffset());
        header.putLong(VECTORS, base + VECTOR);
        header.putLong(VECTOR_COUNT, 1);
        header.putLong(CONTROL, base + CONTROL_MESSAGES);
        header.putLong(VECTOR, bytes.addressOffset());
        header.putLong(VECTOR + 8, capacity);
    }

    /**
     * What was received.
     *
     * @return the whole room
     */
    public UnsafeBuffer bytes() {
        return bytes;
    }

    /**
     * The room.
     *
     * @return bytes
     */
    public int capacity() {
        return bytes.capacity();
    }

    /**
     * Where to receive.
     *
     * @return the address of the room
     */
    public long address() {
        return bytes.addressOffset();
    }

    /**
     * Where the last datagram came from.
     *
     * @return an address as the kernel writes it
     */
    public UnsafeBuffer name() {
        return name;
    }

    /**
     * Where to write that.
     *
     * @return the address of its room
     */
    public long nameAddress() {
        return name.addressOffset();
    }

    /**
     * The length of the name, for a call that writes to it, set to the available room.
     *
     * @return its address
     */
    public long nameLengthAddress() {
        header.putInt(OWN_NAME_LENGTH, name.capacity());
        return header.addressOffset() + OWN_NAME_LENGTH;
    }

    /**
     * The length of the name.
     *
     * @param byHeader whether it was received with {@link #header}
     * @return bytes
     */
    public int nameLength(final boolean byHeader) {
        return header.getInt(byHeader ? NAME_LENGTH : OWN_NAME_LENGTH);
    }

    /**
     * The header, with the lengths that a call overwrites set to the available room.
     *
     * @return its address
     */
    public long header() {
        header.putInt(NAME_LENGTH, name.capacity());
        header.putLong(CONTROL_LENGTH, CONTROL_BYTES);
        return header.addressOffset();
    }

    /**
     * Looks for a control message.
     *
     * @param level of it
     * @param type of it
     * @return where its data lie, for {@link #control}; -1 where there is none
     */
    public int find(final int level, final int type) {
        final long filled = Math.min(header.getLong(CONTROL_LENGTH), CONTROL_BYTES);
        long at = 0;
        while (at + CONTROL_HEADER_BYTES + Integer.BYTES <= filled) {
            final int message = CONTROL_MESSAGES + (int) at;
            final long messageLength = header.getLong(message);
            if (header.getInt(message + 8) == level && header.getInt(message + 12) == type) {
                return (int) at + CONTROL_HEADER_BYTES;
            }
            if (messageLength < CONTROL_HEADER_BYTES || messageLength > filled) {
                return -1;
            }
            at += messageLength + 7 & ~7L;
        }
        return -1;
    }

    /**
     * A number of the control messages.
     *
     * @param at where it is
     * @param bytes one, four or eight
     * @return the number
     */
    public long control(final int at, final int bytes) {
        final int index = CONTROL_MESSAGES + at;
        return switch (bytes) {
            case 1 -> header.getByte(index) & 0xff;
            case Integer.BYTES -> header.getInt(index);
            default -> header.getLong(index);
        };
    }

    /**
     * When the kernel had what was received last.
     *
     * @return by {@link System#nanoTime}; 0 if unknown
     */
    public long arrivedNs() {
        return arrivedNs;
    }

    /** Receives elsewhere from now on. */
    void into(final long address, final int capacity) {
        header.putLong(VECTOR, address);
        header.putLong(VECTOR + 8, capacity);
    }

    void arrivedNs(final long ns) {
        arrivedNs = ns;
    }

    /**
     * When the network card stamped what was received last.
     *
     * @return by the clock of the card; 0 if unknown
     */
    public long cardArrivedNs() {
        return cardArrivedNs;
    }

    void cardArrivedNs(final long ns) {
        cardArrivedNs = ns;
    }
}

package io.tickmark.wire.file;

import org.agrona.DirectBuffer;

/**
 * One packet of a capture; a view that the reader moves from packet to packet, valid until its
 * handler returns. Single thread.
 */
public final class Packet {
    /** What a record says beyond this about bytes on the wire is not believed. */
    private static final int MAX_ORIGINAL_BYTES = 1 << 24;

    private DirectBuffer buffer;
    private int offset;
    private int capturedBytes;
    private int originalBytes;
    private int linkType;
    private long timeNs;
    private long position;

    /** A view of nothing. */
    public Packet() {}

    /**
     * Moves the view.
     *
     * @param newBuffer that holds the packet
     * @param newOffset of its first byte
     * @param captured bytes that are there
     * @param original bytes that it had on the wire, unsigned; bounded
     */
    public void bytes(
            final DirectBuffer newBuffer,
            final int newOffset,
            final int captured,
            final int original) {
        buffer = newBuffer;
        offset = newOffset;
        capturedBytes = captured;
        originalBytes =
                original < 0
                        ? MAX_ORIGINAL_BYTES
                        : Math.clamp(original, captured, MAX_ORIGINAL_BYTES);
    }

    /**
     * Says when and where the packet was captured.
     *
     * @param newTimeNs since the epoch
     * @param newLinkType LINKTYPE number of its interface
     * @param newPosition of its record in the file
     */
    public void stamp(final long newTimeNs, final int newLinkType, final long newPosition) {
        timeNs = newTimeNs;
        linkType = newLinkType;
        position = newPosition;
    }

    /**
     * The buffer that holds it.
     *
     * @return the buffer
     */
    public DirectBuffer buffer() {
        return buffer;
    }

    /**
     * Its first byte.
     *
     * @return offset in the buffer
     */
    public int offset() {
        return offset;
    }

    /**
     * Position after the last byte that was captured.
     *
     * @return offset in the buffer
     */
    public int limit() {
        return offset + capturedBytes;
    }

    /**
     * How much of it is there.
     *
     * @return bytes
     */
    public int capturedBytes() {
        return capturedBytes;
    }

    /**
     * How much of it was on the wire.
     *
     * @return bytes, more than captured where it was cut off
     */
    public int originalBytes() {
        return originalBytes;
    }

    /**
     * What its first bytes are.
     *
     * @return LINKTYPE number (<a href="https://www.tcpdump.org/linktypes.html">registry</a>)
     */
    public int linkType() {
        return linkType;
    }

    /**
     * When it was captured.
     *
     * @return ns since the epoch
     */
    public long timeNs() {
        return timeNs;
    }

    /**
     * The position of its record.
     *
     * @return byte of the file
     */
    public long position() {
        return position;
    }
}

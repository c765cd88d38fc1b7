package io.tickmark.wire.tcp;

import org.agrona.DirectBuffer;

/** Takes the bytes of one direction of a connection, in order and each once. */
public interface ByteStream {
    /** Takes bytes and forgets them. */
    ByteStream NONE =
            new ByteStream() {
                @Override
                public void onBytes(
                        final DirectBuffer buffer,
                        final int offset,
                        final int length,
                        final long timeNs,
                        final long position) {
                    // they are not needed
                }

                @Override
                public void onGap() {
                    // they are not waited for
                }
            };

    /**
     * The next bytes.
     *
     * @param buffer valid until this returns
     * @param offset of the first
     * @param length how many, at least 1
     * @param timeNs when they were there for the receiver, since the epoch: the time of the segment
     *     that made them next in order
     * @param position in the file of the packet that carried them
     */
    void onBytes(DirectBuffer buffer, int offset, int length, long timeNs, long position);

    /** Bytes are missing here: what comes next does not follow what came last. */
    void onGap();

    /** Nothing more comes, though the connection may go on: what is kept for it can go. */
    default void onForgotten() {
        // a stream that keeps nothing has nothing to release
    }
}

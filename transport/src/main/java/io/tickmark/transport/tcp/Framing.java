package io.tickmark.transport.tcp;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * How messages are laid out in the bytes of one connection, and how the two sides open it. One for
 * each connection, used by the connection's thread. Nothing is allocated once a connection is open,
 * but for the first message that comes in parts.
 */
interface Framing {
    /** Longest message. */
    int MAX_PAYLOAD_BYTES = 256 << 10;

    /** Returned where what came can never become a frame. */
    int GARBLED = -1;

    /** What a frame was. */
    enum FrameKind {
        /** A message, or the last part of one. */
        MESSAGE,
        /** A part of a message, or one that needs nothing. */
        PART,
        /** One that has to be answered with {@link #putReply}. */
        CALL,
        /** The last one of the other side, also to be answered. */
        CLOSE
    }

    /** Makes the framing of each connection of a side. */
    @FunctionalInterface
    interface Maker {
        Framing make();
    }

    /** Bytes before a message of this length. */
    int headerBytes(int length);

    /** Most bytes of what is sent beside messages, other than to open a connection. */
    default int maxReplyBytes() {
        return 0;
    }

    /** Puts what this side says first; returns its bytes. */
    default int putGreeting(final MutableDirectBuffer out, final int at) {
        return 0;
    }

    /** Whether both sides have said what opens the connection. */
    default boolean isOpen() {
        return true;
    }

    /**
     * Reads what the other side says first.
     *
     * @return its bytes once it is whole, 0 before, {@link #GARBLED} where it does not open the
     *     connection; this side's answer is then put by {@link #putReply}
     */
    default int open(final DirectBuffer in, final int from, final int to) {
        return 0;
    }

    /** Why the connection was not opened, or empty. */
    default String refusal() {
        return "";
    }

    /** Puts a message with its header; returns the bytes of both. */
    int put(MutableDirectBuffer out, int at, DirectBuffer message, int offset, int length);

    /** Bytes of the frame that begins there; 0 where it is not whole yet, or {@link #GARBLED}. */
    int frameBytes(DirectBuffer in, int from, int to);

    /** Takes a whole frame, whose bytes it may change. */
    FrameKind take(MutableDirectBuffer in, int from, int frameBytes);

    /** Where the message is that the last frame completed. */
    DirectBuffer message();

    /** Where in {@link #message} it begins. */
    int messageOffset();

    /** Its bytes. */
    int messageLength();

    /** Bytes of the answer that is due. */
    default int replyBytes() {
        return 0;
    }

    /** Puts the answer that is due. */
    default void putReply(final MutableDirectBuffer out, final int at) {}

    /** Puts what this side says last; returns its bytes. */
    default int putGoodbye(final MutableDirectBuffer out, final int at) {
        return 0;
    }

    /** The message's length, 4 bytes little-endian, and the message. */
    final class ByLength implements Framing {
        private DirectBuffer message;
        private int messageOffset;
        private int messageLength;

        @Override
        public int headerBytes(final int length) {
            return Integer.BYTES;
        }

        @Override
        public int put(
                final MutableDirectBuffer out,
                final int at,
                final DirectBuffer message,
                final int offset,
                final int length) {
            out.putInt(at, length, ByteOrder.LITTLE_ENDIAN);
            out.putBytes(at + Integer.BYTES, message, offset, length);
            return Integer.BYTES + length;
        }

        @Override
        public int frameBytes(final DirectBuffer in, final int from, final int to) {
            if (to - from < Integer.BYTES) {
                return 0;
            }
            final int length = in.getInt(from, ByteOrder.LITTLE_ENDIAN);
            if (length < 0 || length > MAX_PAYLOAD_BYTES) {
                return GARBLED;
            }
            return to - from < Integer.BYTES + length ? 0 : Integer.BYTES + length;
        }

        @Override
        public FrameKind take(final MutableDirectBuffer in, final int from, final int frameBytes) {
            message = in;
            messageOffset = from + Integer.BYTES;
            messageLength = frameBytes - Integer.BYTES;
            return FrameKind.MESSAGE;
        }

        @Override
        public DirectBuffer message() {
            return message;
        }

        @Override
        public int messageOffset() {
            return messageOffset;
        }

        @Override
        public int messageLength() {
            return messageLength;
        }
    }
}

package io.tickmark.workloads.feed.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/**
 * The current connection of a session: creates frames, respects the window, keeps what the socket
 * did not accept. Owner thread only. Allocates only where a socket accepts less than offered.
 */
final class SessionConnection {
    private final Outlet outlet;
    private final FrameEncoder encoder;
    private final boolean isUnbatched;
    private final Window window;
    private final Scratch scratch;
    private ByteBuffer rest = ByteBuffer.allocate(0);
    private int position;
    private int frameAt;
    private boolean isFrameOpen;
    private long nowNs;

    SessionConnection(
            final Outlet outlet,
            final FrameEncoder encoder,
            final SessionSettings settings,
            final Scratch scratch) {
        this.outlet = outlet;
        this.encoder = encoder;
        this.scratch = scratch;
        isUnbatched = settings.isUnbatched();
        window = new Window(settings.windowFrames(), settings.windowBytes());
    }

    /** Whether a message would go out at once. */
    boolean isOpen() {
        return window.isOpen() && isClear();
    }

    /** Whether nothing that was written before is in the way. */
    boolean isClear() {
        return !rest.hasRemaining() && outlet.isReady();
    }

    boolean acknowledged(final long frame) {
        return window.acknowledged(frame);
    }

    /** Begins to write; false where nothing can be written now. */
    boolean begin(final long atNs) throws IOException {
        nowNs = atNs;
        position = 0;
        if (rest.hasRemaining()) {
            outlet.write(rest);
            outlet.flush();
        }
        return !rest.hasRemaining() && outlet.isReady();
    }

    /** Adds a message; false where the window is closed or the socket is full. */
    boolean take(final DirectBuffer buffer, final int offset, final long ordinal)
            throws IOException {
        if (!beginFrame(ordinal)) {
            return false;
        }
        encoder.add(buffer, offset);
        return true;
    }

    /**
     * Adds messages of a log; gives the place of the first that was not added, as the window is
     * closed or the socket is full.
     */
    long take(final SharedLog log, final long from, final long to, final long ordinal)
            throws IOException {
        long place = from;
        while (place < to && beginFrame(ordinal + place - from)) {
            place = log.addTo(encoder, place, isUnbatched ? place + 1 : to, encoder.roomBytes());
        }
        return place;
    }

    /** Has a frame with room for a message; false where there can be none. */
    private boolean beginFrame(final long ordinal) throws IOException {
        if (isFrameOpen && (isUnbatched || !encoder.hasRoom())) {
            endFrame();
        }
        if (!isFrameOpen) {
            if (!window.isOpen() || !makeRoom()) {
                return false;
            }
            frameAt = position;
            scratch.head().set(window.nextFrame(), nowNs, ordinal);
            encoder.begin(scratch.buffer(), frameAt, scratch.head());
            isFrameOpen = true;
        }
        return true;
    }

    /** Room for a complete frame after the pending ones; writes these where there is none. */
    private boolean makeRoom() throws IOException {
        final int needed =
                isUnbatched ? FrameEncoder.ROOM : WebSocket.MAX_PAYLOAD + FrameEncoder.ROOM;
        return Scratch.CAPACITY - position >= needed || write();
    }

    void note(final String json) {
        if (isFrameOpen) {
            endFrame();
        }
        if (Scratch.CAPACITY - position >= FrameEncoder.ROOM) {
            position = encoder.note(scratch.buffer(), position, json);
        }
    }

    /** Bytes as they are, between frames. */
    void raw(final byte[] bytes) {
        if (isFrameOpen) {
            endFrame();
        }
        if (Scratch.CAPACITY - position >= bytes.length) {
            scratch.buffer().putBytes(position, bytes);
            position += bytes.length;
        }
    }

    private void endFrame() {
        position = encoder.end();
        isFrameOpen = false;
        window.sent(position - frameAt);
    }

    /** Ends the frame and writes; gives whether anything was there. */
    boolean end() throws IOException {
        if (isFrameOpen) {
            endFrame();
        }
        final boolean isSomething = position > 0;
        if (isSomething) {
            write();
        }
        return isSomething;
    }

    private boolean write() throws IOException {
        final ByteBuffer bytes = scratch.bytes();
        bytes.clear().limit(position);
        outlet.write(bytes);
        outlet.flush();
        if (bytes.hasRemaining()) {
            if (rest.capacity() < bytes.remaining()) {
                rest = ByteBuffer.allocateDirect(Scratch.CAPACITY);
            }
            rest.clear().put(bytes).flip();
        }
        position = 0;
        return !rest.hasRemaining();
    }

    boolean isAllAcknowledged() {
        return window.isAllAcknowledged();
    }

    long bytesOnTheWay() {
        return window.bytesOnTheWay();
    }

    /** Reports the reason, unless a frame was sent partly: a frame cannot be inside another. */
    void close(final Ending ending) {
        if (rest.hasRemaining()) {
            outlet.close();
        } else {
            outlet.close(ending);
        }
    }

    /**
     * How much may be on its way without acknowledgement. Single-threaded; allocates nothing after
     * construction.
     */
    private static final class Window {
        private final int maxBytes;
        private final long[] bytesUpTo;
        private long frames;
        private long bytes;
        private long ackedFrames;
        private long ackedBytes;

        Window(final int maxFrames, final int maxBytes) {
            this.maxBytes = maxBytes;
            bytesUpTo = new long[maxFrames];
        }

        boolean isOpen() {
            return frames - ackedFrames < bytesUpTo.length && bytes - ackedBytes < maxBytes;
        }

        /** Number of the next frame. */
        long nextFrame() {
            return frames + 1;
        }

        void sent(final int frameBytes) {
            bytes += frameBytes;
            bytesUpTo[(int) (frames % bytesUpTo.length)] = bytes;
            frames++;
        }

        /** False where the client acknowledges messages that it was not sent. */
        boolean acknowledged(final long frame) {
            if (frame > frames) {
                return false;
            }
            if (frame > ackedFrames) {
                ackedFrames = frame;
                ackedBytes = bytesUpTo[(int) ((frame - 1) % bytesUpTo.length)];
            }
            return true;
        }

        boolean isAllAcknowledged() {
            return ackedFrames == frames;
        }

        long bytesOnTheWay() {
            return bytes - ackedBytes;
        }
    }
}

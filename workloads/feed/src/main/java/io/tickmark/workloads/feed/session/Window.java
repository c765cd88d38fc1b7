package io.tickmark.workloads.feed.session;

/**
 * How much may be on its way without acknowledgement. One thread; allocates nothing after
 * construction.
 */
final class Window {
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

    /** False where the client acknowledges what it was not sent. */
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

    /** A new connection: its frames are numbered from 1 again. */
    void restart() {
        frames = 0;
        bytes = 0;
        ackedFrames = 0;
        ackedBytes = 0;
    }
}

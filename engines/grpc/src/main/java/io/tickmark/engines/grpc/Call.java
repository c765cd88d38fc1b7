package io.tickmark.engines.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One call, from either side. The library's threads deliver messages and the end, one of ours sends
 * and receives. The next message is requested only while there is room for it, so that the bytes
 * that wait to be taken are limited, and HTTP/2's window holds the other side back.
 */
abstract class Call {
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean isHeldBack = new AtomicBoolean();
    private final long mostBytes;
    private volatile boolean isOpen;
    private volatile boolean hasLeft;

    Call(final long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Whether the library has room for a message to the other side. */
    abstract boolean isReady();

    /** Passes a message to the library, which copies it. */
    abstract void send(byte[] message);

    /** Requests one more message. */
    abstract void request();

    /** Ends the call after everything that was sent, without waiting. */
    abstract void end();

    /** Cancels it at once. */
    abstract void abort();

    /** On a thread of the library. */
    final void onOpen() {
        isOpen = true;
    }

    /** A message waits to be taken; on a thread of the library. */
    final void onArrived(final int bytes) {
        if (waitingBytes.addAndGet(bytes) < mostBytes) {
            request();
        } else {
            isHeldBack.set(true);
            resume(); // all may have been taken meanwhile
        }
    }

    /** A message was taken. */
    final void onTaken(final int bytes) {
        waitingBytes.addAndGet(-bytes);
        resume();
    }

    private void resume() {
        if (waitingBytes.get() <= mostBytes / 2
                && !hasLeft
                && isHeldBack.compareAndSet(true, false)) {
            request();
        }
    }

    /** On a thread of the library, or where it is ended. */
    final void onLeft() {
        hasLeft = true;
        isOpen = false;
    }

    final boolean isOpen() {
        return isOpen;
    }

    final boolean hasLeft() {
        return hasLeft;
    }

    /** A call received by our server. */
    static final class Called extends Call {
        private final ServerCall<byte[], byte[]> call;
        private boolean isClosed;

        Called(final ServerCall<byte[], byte[]> call, final GrpcParameters parameters) {
            super(parameters.receivePendingBytes());
            this.call = call;
            call.setOnReadyThreshold(parameters.sendPendingBytes());
            call.sendHeaders(new Metadata()); // by which the caller learns that it is connected
        }

        @Override
        boolean isReady() {
            return call.isReady();
        }

        /**
         * A call takes one thread at a time, and the library's thread ends it when the caller
         * leaves.
         */
        @Override
        synchronized void send(final byte[] message) {
            if (!isClosed) {
                call.sendMessage(message);
            }
        }

        @Override
        void request() {
            call.request(1);
        }

        @Override
        void end() {
            close(Status.OK);
        }

        @Override
        void abort() {
            close(Status.UNAVAILABLE);
        }

        private synchronized void close(final Status status) {
            onLeft();
            if (!isClosed) {
                isClosed = true;
                call.close(status, new Metadata());
            }
        }
    }

    /** A call of ours. */
    static final class Calling extends Call {
        private final ClientCall<byte[], byte[]> call;
        private final boolean isOneWay;

        Calling(
                final ClientCall<byte[], byte[]> call,
                final boolean isOneWay,
                final GrpcParameters parameters) {
            super(parameters.receivePendingBytes());
            this.call = call;
            this.isOneWay = isOneWay;
        }

        @Override
        boolean isReady() {
            return call.isReady();
        }

        @Override
        void send(final byte[] message) {
            call.sendMessage(message);
        }

        @Override
        void request() {
            call.request(1);
        }

        @Override
        void end() {
            if (isOneWay) {
                abort();
            } else {
                call.halfClose();
            }
        }

        @Override
        void abort() {
            call.cancel("closed by its owner", null);
        }
    }
}

package io.tickmark.transport.nulls;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** The binding side's publication: applies the program and writes to every connecting side. */
final class Sender implements Publication {
    private static final int UNNUMBERED = Stamp.HELLO | Stamp.WELCOME | Stamp.END;

    private final Hub hub;
    private final Runnable whenClosed;
    private final DelayProgram program;
    private final NanoClock clock;
    private final int maxPayloadBytes;
    private final int copies;
    private final boolean timed;
    private final UnsafeBuffer held;
    private int heldLength;
    private long heldNumber;
    private long heldTimeNs;
    private long heldUntilNs;
    private long lastReleaseNs = Line.AT_ONCE;
    private long originNs;
    private boolean started;
    private long unstamped;
    private long position;
    private boolean closed;

    Sender(final Hub hub, final Runnable whenClosed) {
        this.hub = hub;
        this.whenClosed = whenClosed;
        program = new DelayProgram(hub.parameters());
        clock = hub.clock();
        maxPayloadBytes = hub.maxPayloadBytes();
        copies = program.doubles() ? 2 : 1;
        timed = program.delays();
        held = new UnsafeBuffer(ByteBuffer.allocateDirect(program.swaps() ? maxPayloadBytes : 0));
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed) {
            return CLOSED;
        }
        if (length > maxPayloadBytes) {
            return TOO_LONG;
        }
        final Hub.Connection[] connections = hub.connections();
        if (connections.length == 0) {
            return NOT_CONNECTED;
        }
        if (!hasRoom(connections, length)) {
            return BACK_PRESSURED;
        }
        final boolean stamped = Stamp.isStamped(buffer, offset, length);
        if (stamped && (Stamp.flags(buffer, offset) & UNNUMBERED) != 0) {
            releaseHeld(connections);
            final long timeNs = timed ? clock.nanoTime() + program.delayNs() : Line.AT_ONCE;
            put(connections, buffer, offset, length, releaseNs(timeNs));
        } else {
            final long number =
                    stamped ? Integer.toUnsignedLong(Stamp.sequence(buffer, offset)) : unstamped++;
            send(connections, number, buffer, offset, length);
        }
        return position++;
    }

    private void send(
            final Hub.Connection[] connections,
            final long number,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final long nowNs = timed ? clock.nanoTime() : 0;
        if (!started) {
            started = true;
            originNs = nowNs;
        }
        final boolean completesPair = heldLength > 0 && number == heldNumber + 1;
        if (!completesPair) {
            releaseHeld(connections);
        }
        if (program.loses(number)) {
            return;
        }
        final long timeNs = timed ? nowNs + program.delayNs(number) : Line.AT_ONCE;
        if (program.swapsWithNext(number)) {
            hold(number, timeNs, buffer, offset, length);
            return;
        }
        final long releaseNs = releaseNs(timeNs);
        put(connections, buffer, offset, length, releaseNs);
        if (program.duplicates(number)) {
            put(connections, buffer, offset, length, releaseNs);
        }
        if (completesPair) {
            releaseHeld(connections);
        }
    }

    private void hold(
            final long number,
            final long timeNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        held.putBytes(0, buffer, offset, length);
        heldLength = length;
        heldNumber = number;
        heldTimeNs = timeNs;
        heldUntilNs = clock.nanoTime() + DelayProgram.LONGEST_HOLD_NS;
    }

    private void releaseHeld(final Hub.Connection[] connections) {
        if (heldLength > 0) {
            final long releaseNs = releaseNs(heldTimeNs);
            put(connections, held, 0, heldLength, releaseNs);
            if (program.duplicates(heldNumber)) {
                put(connections, held, 0, heldLength, releaseNs);
            }
            heldLength = 0;
        }
    }

    private long releaseNs(final long timeNs) {
        if (timed) {
            lastReleaseNs =
                    program.afterStallNs(
                            Math.max(timeNs, lastReleaseNs), started ? originNs : timeNs);
        }
        return lastReleaseNs;
    }

    private static void put(
            final Hub.Connection[] connections,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final long releaseNs) {
        for (final Hub.Connection connection : connections) {
            connection.forward().put(releaseNs, buffer, offset, length);
        }
    }

    private boolean hasRoom(final Hub.Connection[] connections, final int length) {
        final int ownBytes = Line.roomBytes(length);
        final int heldBytes = heldLength > 0 ? Line.roomBytes(heldLength) : 0;
        final int allBytes = copies * (ownBytes + heldBytes);
        for (final Hub.Connection connection : connections) {
            if (!connection.forward().hasRoom(allBytes, Math.max(ownBytes, heldBytes))) {
                return false;
            }
        }
        return true;
    }

    /** When the first message of a swapped pair goes without the second. */
    long nextReleaseNs() {
        return heldLength > 0 ? heldUntilNs : Line.NEVER;
    }

    @Override
    public int doWork() {
        if (closed || heldLength == 0 || clock.nanoTime() < heldUntilNs) {
            return 0;
        }
        final Hub.Connection[] connections = hub.connections();
        if (!hasRoom(connections, 0)) {
            return 0;
        }
        releaseHeld(connections);
        return 1;
    }

    @Override
    public int subscriberCount() {
        return hub.connections().length;
    }

    @Override
    public ChannelUri channel() {
        return hub.channel();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (hasRoom(hub.connections(), 0)) {
                releaseHeld(hub.connections());
            }
            whenClosed.run();
        }
    }
}

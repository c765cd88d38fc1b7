package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.session.BinaryFrame;
import org.agrona.concurrent.UnsafeBuffer;

/** Frames of records, each with its length in its head. */
final class RecordCutter implements FrameCutter {
    private final ClientSession session;
    private final FrameSink sink;

    RecordCutter(final ClientSession session, final FrameSink sink) {
        this.session = session;
        this.sink = sink;
    }

    @Override
    public int cut(final UnsafeBuffer buffer, final int end, final long nowNs) {
        int at = 0;
        while (end - at >= BinaryFrame.HEAD) {
            final int length = BinaryFrame.lengthOf(buffer, at);
            if (end - at < length) {
                break;
            }
            sink.onFrame(session, buffer, at, length, nowNs);
            at += length;
        }
        return at;
    }
}

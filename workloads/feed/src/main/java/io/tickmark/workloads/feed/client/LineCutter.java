package io.tickmark.workloads.feed.client;

import org.agrona.concurrent.UnsafeBuffer;

/** Frames of text, each a line; in an event stream with {@code data: } before it. */
final class LineCutter implements FrameCutter {
    private static final int EVENT_PREFIX = "data: ".length();

    private final ClientSession session;
    private final FrameSink sink;

    LineCutter(final ClientSession session, final FrameSink sink) {
        this.session = session;
        this.sink = sink;
    }

    @Override
    public int cut(final UnsafeBuffer buffer, final int end, final long nowNs) {
        int begin = 0;
        for (int at = 0; at < end; at++) {
            if (buffer.getByte(at) == '\n') {
                if (at > begin) {
                    final int from = buffer.getByte(begin) == 'd' ? begin + EVENT_PREFIX : begin;
                    sink.onFrame(session, buffer, from, at - from, nowNs);
                }
                begin = at + 1;
            }
        }
        return begin;
    }
}

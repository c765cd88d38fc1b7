package io.tickmark.workloads.feed.client;

import java.io.IOException;
import java.nio.channels.Selector;

/** A connection whose responses bring frames. One thread. */
final class Responses {
    private final HttpLink link;
    private final ResponseBody body = new ResponseBody();
    private final FrameCutter cutter;
    private boolean isHeadKept;

    Responses(
            final ClientPlan plan,
            final Selector selector,
            final Readable reader,
            final FrameCutter cutter)
            throws IOException {
        this.cutter = cutter;
        link = new HttpLink(plan.server(), selector, reader);
    }

    void get(final String path) throws IOException {
        link.request("GET", path, "");
    }

    /** Reads, and hands over the frames that are whole; false where the server has closed. */
    boolean read(final ReadBuffer shared) throws IOException {
        // bodies end with whole frames: what was kept is of a frame or of a head, never of both
        final int from = isHeadKept ? 0 : link.kept();
        final int end = link.read(shared);
        if (end < 0) {
            return false;
        }
        final long nowNs = shared.clock().nanoTime();
        final int to = body.read(shared.buffer(), from, end);
        final int cut = cutter.cut(shared.buffer(), to, nowNs);
        isHeadKept = body.keptHead() > 0;
        if (isHeadKept && cut < to) {
            throw new IOException("a response of the server ended within a frame");
        }
        link.keep(shared.buffer(), cut, to + body.keptHead());
        return true;
    }

    /** How many responses are whole. */
    long whole() {
        return body.whole();
    }

    void close() {
        link.close();
    }
}

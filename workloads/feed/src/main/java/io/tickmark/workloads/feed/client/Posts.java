package io.tickmark.workloads.feed.client;

import java.io.IOException;
import java.nio.channels.Selector;

/**
 * The second connection of a client whose channel goes one way: posts, one at a time, for
 * acknowledgements and the end.
 */
final class Posts implements Readable {
    private final Client client;
    private final Link link;
    private final ResponseBody answers = new ResponseBody();
    private long asked;
    private String next = "";

    Posts(final Client client, final Selector selector) throws IOException {
        this.client = client;
        link = new Link(client.plan.server(), selector, this);
    }

    boolean isFree() {
        return asked == answers.whole();
    }

    /** Posts now, or after the one that is on its way. */
    void post(final String path) {
        if (!isFree()) {
            next = path;
            return;
        }
        asked++;
        try {
            link.request("POST", path, "Content-Length: 0\r\n");
        } catch (final IOException e) {
            client.broke("the connection broke: " + e.getMessage());
        }
    }

    @Override
    public void onReadable(final ReadBuffer shared) {
        try {
            final int end = link.read(shared);
            if (end < 0) {
                client.broke("the server closed the connection");
                return;
            }
            final int to = answers.read(shared.buffer(), 0, end);
            link.keep(shared.buffer(), to, to + answers.keptHead());
            if (isFree() && !next.isEmpty()) {
                final String path = next;
                next = "";
                post(path);
            }
        } catch (final IOException e) {
            client.broke("the connection broke: " + e.getMessage());
        }
    }

    void close() {
        link.close();
    }
}

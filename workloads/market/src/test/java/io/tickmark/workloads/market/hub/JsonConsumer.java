package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A consumer over JSON that knows nothing of the library: a plain WebSocket client. */
final class JsonConsumer implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final Texts texts = new Texts();
    private final WebSocket socket;
    private int nextStream = 10;

    /** Logged in. */
    JsonConsumer(final HubRunner hub) throws Exception {
        socket =
                client.newWebSocketBuilder()
                        .subprotocols("rssl.json.v2")
                        .buildAsync(
                                URI.create(
                                        "ws://"
                                                + hub.listening("consumers over WebSocket")
                                                + "/WebSocket"),
                                texts)
                        .get(90, TimeUnit.SECONDS);
        send(
                "{\"ID\":1,\"Domain\":\"Login\",\"Key\":{\"Name\":\"json\",\"Elements\":"
                        + "{\"ApplicationId\":\"1\",\"Position\":\"127.0.0.1\"}}}");
        await("\"Domain\":\"Login\"");
    }

    private void send(final String text) throws Exception {
        socket.sendText(text, true).get(90, TimeUnit.SECONDS);
    }

    /** Asks for an item, and waits for its image. */
    JsonConsumer open(final String service, final String item) throws Exception {
        return open(service, item, "");
    }

    /** The same for some of its fields. */
    JsonConsumer openView(final String service, final String item, final int field)
            throws Exception {
        return open(service, item, ",\"View\":[%d]".formatted(field));
    }

    /**
     * Asks for fields of an item by their names, and waits for nothing.
     *
     * @param service a name in quotes, or a number
     */
    JsonConsumer askByNames(final String service, final String item, final String... names)
            throws Exception {
        send(
                "{\"ID\":%d,\"Key\":{\"Name\":\"%s\",\"Service\":%s},\"View\":[\"%s\"]}"
                        .formatted(nextStream++, item, service, String.join("\",\"", names)));
        return this;
    }

    private JsonConsumer open(final String service, final String item, final String more)
            throws Exception {
        send(
                "{\"ID\":5,\"Key\":{\"Name\":\"%s\",\"Service\":\"%s\"}%s}"
                        .formatted(item, service, more));
        await("\"BID\":");
        return this;
    }

    /** Waits for a text, however loaded the machine is. */
    void await(final String wanted) {
        final long begin = System.nanoTime();
        while (!texts.contains(wanted)) {
            assertThat(System.nanoTime() - begin)
                    .as("no %s in %s", wanted, texts)
                    .isLessThan(90_000_000_000L);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** All that has come. */
    String heard() {
        return texts.toString();
    }

    /** Ends its connection at once. */
    void abort() {
        socket.abort();
    }

    @Override
    public void close() {
        abort();
        client.close();
    }

    /** Collects what the server sends, whole texts. */
    private static final class Texts implements WebSocket.Listener {
        private final StringBuilder all = new StringBuilder();
        private final StringBuilder part = new StringBuilder();

        @Override
        public synchronized CompletionStage<?> onText(
                final WebSocket socket, final CharSequence data, final boolean last) {
            part.append(data);
            if (last) {
                all.append(part);
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        synchronized boolean contains(final String text) {
            return all.indexOf(text) >= 0;
        }

        @Override
        public synchronized String toString() {
            return all.toString();
        }
    }
}

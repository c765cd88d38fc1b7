package io.tickmark.engines.rabbitmq;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.SharedStore;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The server of all tests of streams. Without the program they are skipped, and say why. */
final class StreamServer implements BeforeAllCallback {
    static final int MOST_BYTES = 65_536;

    private static SharedStore running;

    @Override
    public void beforeAll(final ExtensionContext context) {
        final RabbitmqStreamTransport streams = new RabbitmqStreamTransport();
        final var absence = streams.missing();
        assumeTrue(absence.isEmpty(), () -> absence.orElseThrow());
        running =
                SharedStore.of(
                        context,
                        streams,
                        streams::seen,
                        ChannelUri.parse("rabbitmq-stream:?maxPayloadBytes=" + MOST_BYTES));
    }

    static StoreServer store() {
        return running.store();
    }

    static Path folder() {
        return running.folder();
    }

    /** As a given server. */
    static ChannelUri given() {
        return running.given();
    }

    /** Another one for each test. */
    static String prefix() {
        return running.prefix();
    }

    /** Streams whose stores are views of this one. */
    static DurableTransport transport() {
        return running.transport();
    }
}

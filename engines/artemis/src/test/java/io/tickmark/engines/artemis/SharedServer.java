package io.tickmark.engines.artemis;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.SharedStore;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The server of all tests of the module. */
final class SharedServer implements BeforeAllCallback {
    private static SharedStore running;

    @Override
    public void beforeAll(final ExtensionContext context) {
        final ArtemisTransport artemis = new ArtemisTransport();
        running =
                SharedStore.of(
                        context,
                        artemis,
                        artemis::seen,
                        ChannelUri.parse("artemis:?serverHeapMib=256"));
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

    /** Artemis whose stores are views of this one. */
    static DurableTransport transport() {
        return running.transport();
    }
}

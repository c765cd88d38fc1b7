package io.tickmark.transport.broker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests of a module, because it takes seconds to start: tests have their own
 * prefixes. A store that a test closes and restarts is closed and restarted; one that it only
 * closes is kept for the next. It ends with the last test, by JUnit. An engine extends it and names
 * its channel; where the server's program is missing, the tests are skipped and say why.
 */
public abstract class SharedStore implements BeforeAllCallback {
    private static Running running;

    private final BrokerStoreTransport<?> engine;
    private final ChannelUri channel;

    /**
     * Starts nothing yet.
     *
     * @param engine whose store it is
     * @param channel with the parameters of its server
     */
    protected SharedStore(final BrokerStoreTransport<?> engine, final String channel) {
        this.engine = engine;
        this.channel = ChannelUri.parse(channel);
    }

    @Override
    public final void beforeAll(final ExtensionContext context) {
        assumeTrue(engine.missing().isEmpty(), () -> engine.missing().orElseThrow());
        running =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.GLOBAL)
                        .computeIfAbsent(
                                engine.scheme(),
                                any -> new Running(engine, channel),
                                Running.class);
    }

    /** {@return the store} */
    public static StoreServer store() {
        return running.store;
    }

    /** {@return the folder of its first member} */
    public static Path folder() {
        return running.folder.resolve("member-1");
    }

    /** {@return another prefix for each test} */
    public static String prefix() {
        return "test-" + ++running.tests;
    }

    /** {@return a channel to it, as to a given server, with a separate prefix} */
    public static ChannelUri given() {
        return ChannelUri.parse(
                "%s://%s?prefix=%s"
                        .formatted(
                                running.engine.scheme(),
                                running.store.endpoint().authority(),
                                prefix()));
    }

    /** {@return the engine, whose stores are views of this one} */
    public static DurableTransport transport() {
        return (DurableTransport)
                Proxy.newProxyInstance(
                        SharedStore.class.getClassLoader(),
                        new Class<?>[] {DurableTransport.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("store")) {
                                // or the channel is refused
                                running.engine.guarantees((ChannelUri) arguments[0]);
                                return new View(running, (ChannelUri) arguments[0]);
                            }
                            try {
                                return method.invoke(running.engine, arguments);
                            } catch (final InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /** The server of the module. */
    private static final class Running implements AutoCloseable {
        private final BrokerStoreTransport<?> engine;
        private final Path folder;
        private final StoreServer store;
        private int tests;

        private Running(final BrokerStoreTransport<?> engine, final ChannelUri channel) {
            this.engine = engine;
            try {
                folder = Files.createTempDirectory("tickmark-shared-store-");
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
            store = engine.store(channel, folder);
            store.start();
        }

        @Override
        public void close() {
            store.close();
            IoUtil.delete(folder.toFile(), true);
        }
    }

    /** The shared store as one test sees it. */
    private static final class View implements StoreServer {
        private final Running shared;
        private final ChannelUri channel;
        private boolean closed;

        private View(final Running shared, final ChannelUri channel) {
            this.shared = shared;
            this.channel = channel;
        }

        private StoreServer seen() {
            return shared.engine.seenBy(shared.store, channel);
        }

        @Override
        public void start() {
            if (closed) {
                closed = false;
                shared.store.close();
                shared.store.start();
            }
        }

        @Override
        public ChannelUri endpoint() {
            return channel.withAuthority(shared.store.endpoint().authority()).with("start", "true");
        }

        @Override
        public int members() {
            return shared.store.members();
        }

        @Override
        public void kill(final int member) {
            shared.store.kill(member);
        }

        @Override
        public void restart(final int member) {
            shared.store.restart(member);
        }

        @Override
        public Verification verify(final Topic topic) {
            return seen().verify(topic);
        }

        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            return seen().readBack(topic, fromOrdinal, handler);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}

package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests of a module, because it takes seconds to start: tests have their own
 * prefixes. A store that a test closes and restarts is closed and restarted; one that it only
 * closes is kept for the next. It ends with the last test, by JUnit.
 */
public final class SharedStore implements AutoCloseable {
    private final DurableTransport engine;
    private final Seeing seeing;
    private final Path folder;
    private final StoreServer store;
    private int tests;

    private SharedStore(
            final DurableTransport engine, final Seeing seeing, final ChannelUri channel) {
        this.engine = engine;
        this.seeing = seeing;
        try {
            folder = Files.createTempDirectory("tickmark-shared-store-");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        store = engine.store(channel, folder);
        store.start();
    }

    /** How an engine shows a store to a channel that has other parameters. */
    @FunctionalInterface
    public interface Seeing {
        /**
         * The same servers for another channel.
         *
         * @param store that runs
         * @param channel of the test
         * @return the store as the channel sees it
         */
        StoreServer seen(StoreServer store, ChannelUri channel);
    }

    /**
     * The store of a module, started where no test has done so yet.
     *
     * @param context of any test
     * @param engine whose store it is
     * @param seeing how a test's channel sees it
     * @param channel with the parameters of its server
     * @return the store
     */
    public static SharedStore of(
            final ExtensionContext context,
            final DurableTransport engine,
            final Seeing seeing,
            final ChannelUri channel) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(
                        engine.scheme(),
                        any -> new SharedStore(engine, seeing, channel),
                        SharedStore.class);
    }

    /** {@return the store} */
    public StoreServer store() {
        return store;
    }

    /** {@return the folder of its first member} */
    public Path folder() {
        return folder.resolve("member-1");
    }

    /** {@return another prefix for each test} */
    public String prefix() {
        return "test-" + ++tests;
    }

    /** {@return a channel to it, as to a given server, with a separate prefix} */
    public ChannelUri given() {
        return ChannelUri.parse(
                "%s://%s?prefix=%s"
                        .formatted(engine.scheme(), store.endpoint().authority(), prefix()));
    }

    /** {@return the engine, whose stores are views of this one} */
    public DurableTransport transport() {
        return (DurableTransport)
                Proxy.newProxyInstance(
                        SharedStore.class.getClassLoader(),
                        new Class<?>[] {DurableTransport.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("store")) {
                                return new View((ChannelUri) arguments[0]);
                            }
                            try {
                                return method.invoke(engine, arguments);
                            } catch (final InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @Override
    public void close() {
        store.close();
        IoUtil.delete(folder.toFile(), true);
    }

    /** The shared store as one test sees it. */
    private final class View implements StoreServer {
        private final ChannelUri channel;
        private boolean closed;

        private View(final ChannelUri channel) {
            this.channel = channel;
        }

        private StoreServer seen() {
            return seeing.seen(store, channel);
        }

        @Override
        public void start() {
            if (closed) {
                closed = false;
                store.close();
                store.start();
            }
        }

        @Override
        public ChannelUri endpoint() {
            return channel.withAuthority(store.endpoint().authority()).with("start", "true");
        }

        @Override
        public int members() {
            return 1;
        }

        @Override
        public void kill(final int member) {
            store.kill(member);
        }

        @Override
        public void restart(final int member) {
            store.restart(member);
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

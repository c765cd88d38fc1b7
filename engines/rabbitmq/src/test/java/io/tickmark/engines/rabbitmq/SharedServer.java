package io.tickmark.engines.rabbitmq;

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
 * One server for all tests of the module, because it takes seconds to start: tests have their own
 * prefixes. Without the program they are skipped, and say why. A store that a test closes and
 * restarts is closed and restarted; one that it only closes is kept for the next.
 */
final class SharedServer implements BeforeAllCallback {
    static final int MOST_BYTES = 65_536;

    private static Running running;
    private static int tests;

    /** It ends with the last test, by JUnit. */
    private record Running(RabbitmqTransport rabbitmq, StoreServer store, Path folder)
            implements AutoCloseable {
        static Running start() {
            try {
                final Path folder = Files.createTempDirectory("tickmark-rabbitmq-test-");
                final RabbitmqTransport rabbitmq = new RabbitmqTransport();
                final StoreServer store =
                        rabbitmq.store(
                                ChannelUri.parse("rabbitmq:?maxPayloadBytes=" + MOST_BYTES),
                                folder);
                store.start();
                return new Running(rabbitmq, store, folder);
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            store.close();
            IoUtil.delete(folder.toFile(), true);
        }
    }

    @Override
    public void beforeAll(final ExtensionContext context) {
        final var absence = new RabbitmqTransport().missing();
        assumeTrue(absence.isEmpty(), () -> absence.orElseThrow());
        running =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.GLOBAL)
                        .computeIfAbsent(SharedServer.class, any -> Running.start(), Running.class);
    }

    static StoreServer store() {
        return running.store();
    }

    static Path folder() {
        return running.folder().resolve("member-1");
    }

    /** As a given server. */
    static ChannelUri given() {
        return ChannelUri.parse(
                "rabbitmq://%s?prefix=%s".formatted(store().endpoint().authority(), prefix()));
    }

    /** Another one for each test. */
    static String prefix() {
        return "test-" + ++tests;
    }

    /** RabbitMQ whose stores are views of this one. */
    static DurableTransport transport() {
        return (DurableTransport)
                Proxy.newProxyInstance(
                        SharedServer.class.getClassLoader(),
                        new Class<?>[] {DurableTransport.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("store")) {
                                return new View((ChannelUri) arguments[0]);
                            }
                            try {
                                return method.invoke(running.rabbitmq(), arguments);
                            } catch (final InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /** The shared store as one test sees it. */
    private static final class View implements StoreServer {
        private final ChannelUri channel;
        private boolean closed;

        private View(final ChannelUri channel) {
            this.channel = channel;
        }

        private StoreServer seen() {
            return running.rabbitmq().seen(store(), channel);
        }

        @Override
        public void start() {
            if (closed) {
                closed = false;
                store().close();
                store().start();
            }
        }

        @Override
        public ChannelUri endpoint() {
            return channel.withAuthority(store().endpoint().authority()).with("start", "true");
        }

        @Override
        public int members() {
            return 1;
        }

        @Override
        public void kill(final int member) {
            store().kill(member);
        }

        @Override
        public void restart(final int member) {
            store().restart(member);
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

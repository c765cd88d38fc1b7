package io.tickmark.workloads.market.provider;

import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Waits for consumers and gives each to the thread that has fewest. */
final class Acceptor implements AutoCloseable {
    private static final long LOOK_MS = 50;
    private static final long JOIN_MS = 2_000;

    private final Server server;
    private final List<ProviderThread> threads;
    private final Consumer<String> failed;
    private final Thread thread;
    private volatile boolean stopped;

    Acceptor(
            final Server server,
            final List<ProviderThread> threads,
            final Consumer<String> failed) {
        this.failed = failed;
        this.server = server;
        this.threads = threads;
        thread = Thread.ofPlatform().daemon().name("acceptor").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try (Selector selector = Selector.open()) {
            server.selectableChannel().register(selector, SelectionKey.OP_ACCEPT);
            while (!stopped) {
                selector.select(key -> accept(), LOOK_MS);
            }
        } catch (final IOException e) { // else than by being closed: nobody can connect any more
            if (!stopped) {
                failed.accept("No consumer can connect any more: " + e.getMessage() + ".");
            }
        }
    }

    private void accept() {
        if (!stopped) {
            threads.stream()
                    .min(Comparator.comparingInt(ProviderThread::load))
                    .orElseThrow()
                    .accept(server);
        }
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join(JOIN_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close(TransportFactory.createError());
    }
}

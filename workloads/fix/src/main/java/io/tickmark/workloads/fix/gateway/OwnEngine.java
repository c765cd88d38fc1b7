package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.CannotListen;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.fix.link.ByteLink;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.session.SessionClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemEpochClock;

/** The gateway of this project. */
final class OwnEngine implements GatewayEngine {
    /** Hundreds of clients connect at once. */
    private static final int BACKLOG = 1024;

    private static final long JOIN_MS = 5_000;

    private final GatewayState gateway;
    private final LinkFactory links;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<ServerSocketChannel> sockets = new ArrayList<>();
    private int nextProducer;
    private int nextConsumer;

    OwnEngine(
            final GatewaySettings settings,
            final RoleContext context,
            final List<HotThread> hotThreads) {
        final int count = hotThreads.size();
        links = LinkFactory.server(settings.session());
        IoReason.of(new IOException("")); // loaded now: without file handles it could not be
        gateway = new GatewayState(settings, count, context::log, context.clock());
        final boolean isOnePort =
                settings.producersPort() == settings.consumersPort()
                        && settings.producersPort() != 0;
        try {
            sockets.add(listen(settings.bind(), settings.producersPort(), "--producers-port"));
            if (!isOnePort) {
                sockets.add(listen(settings.bind(), settings.consumersPort(), "--consumers-port"));
            }
            for (int i = 0; i < count; i++) {
                workers.add(
                        new Worker(
                                gateway,
                                i,
                                context.idleStrategy(hotThreads.get(i)),
                                context.recording()
                                        .stalls()
                                        .watch(
                                                hotThreads.get(i).name(),
                                                StallWatch.Part.FORWARD,
                                                context.idleMode(hotThreads.get(i)).notWatched()),
                                new SessionClock(context.clock(), SystemEpochClock.INSTANCE)));
            }
            gateway.workers(workers);
            findKept(context);
            takeConnections();
            start(context, hotThreads);
        } catch (final IOException e) {
            close();
            throw new UncheckedIOException(e);
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Listens, or reports which option is wrong. */
    private static ServerSocketChannel listen(
            final String host, final int port, final String option) {
        final InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw UserError.usage(
                    "--bind %s: there is no such address on this host.".formatted(host));
        }
        try {
            final ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                channel.bind(address, BACKLOG);
                channel.configureBlocking(false);
                return channel;
            } catch (final IOException e) {
                channel.close();
                throw e;
            }
        } catch (final IOException e) {
            throw CannotListen.on("%s %d".formatted(option, port), host, e);
        }
    }

    private static int port(final ServerSocketChannel channel) {
        try {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void findKept(final RoleContext context) {
        final int[] found = {0};
        gateway.stores()
                .findKept(
                        workers.size(),
                        SystemEpochClock.INSTANCE.time(),
                        (kept, worker) -> {
                            workers.get(worker).isAway(kept);
                            found[0]++;
                        });
        if (found[0] > 0) {
            context.log(
                    "%d consumer%s known from before and away: messages are kept until they return."
                            .formatted(found[0], found[0] == 1 ? " is" : "s are"));
        }
    }

    private void takeConnections() throws IOException {
        for (int i = 0; i < sockets.size(); i++) {
            final boolean isProducersPort = i == 0;
            workers.getFirst().listen(sockets.get(i), socket -> accept(socket, isProducersPort));
        }
    }

    private void start(final RoleContext context, final List<HotThread> hotThreads) {
        for (int i = 0; i < workers.size(); i++) {
            final Worker worker = workers.get(i);
            final HotThread hot = hotThreads.get(i);
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("fix-" + hot.name())
                            .start(() -> {
                                context.pin(hot);
                                worker.run();
                            }));
        }
    }

    /** On the first worker's thread; sessions go to the workers in turn. */
    private boolean accept(final ServerSocketChannel socket, final boolean isProducersPort) {
        try {
            for (SocketChannel next = socket.accept(); next != null; next = socket.accept()) {
                final ByteLink link = link(next);
                final int turn = isProducersPort ? nextProducer++ : nextConsumer++;
                workers.get(turn % workers.size())
                        .arrive(new Worker.Arrival(link, isProducersPort, new byte[0]));
            }
            return true;
        } catch (final IOException e) {
            gateway.notAccepted(IoReason.of(e));
            return false;
        }
    }

    /** Closes what it cannot use: each is a file handle. */
    private ByteLink link(final SocketChannel socket) throws IOException {
        try {
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return links.link(socket);
        } catch (final IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public int producersPort() {
        return port(sockets.getFirst());
    }

    @Override
    public int consumersPort() {
        return port(sockets.getLast());
    }

    @Override
    public int producers() {
        return gateway.producers();
    }

    @Override
    public int producersEver() {
        return gateway.producersEver();
    }

    @Override
    public int consumers() {
        return gateway.consumers();
    }

    @Override
    public Map<String, Long> counts() {
        return GatewayCounts.COLUMNS.counts(
                GatewayCounts.COLUMNS.sum(
                        Stream.concat(
                                        workers.stream().map(Worker::counts),
                                        Stream.of(gateway.counts()))
                                .toList()),
                Set.of());
    }

    @Override
    public void logOut() {
        workers.forEach(Worker::logOut);
    }

    @Override
    public String failure() {
        return switch (gateway.failure()) {
            case null -> "";
            case final UserError e -> e.getMessage();
            case final OutOfMemoryError e ->
                    ("there is not enough memory for so many sessions (%s);"
                                    + " give the gateway more, or smaller --store-bytes and --slow-bytes.")
                            .formatted(e.getMessage());
            case final Throwable e -> "a worker gave up: " + e;
        };
    }

    @Override
    public void close() {
        workers.forEach(Worker::stop);
        for (final Thread thread : threads) {
            try {
                thread.join(JOIN_MS);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (final ServerSocketChannel socket : sockets) {
            try {
                socket.close();
            } catch (final IOException e) {
                // no data is lost
            }
        }
        gateway.stores().close();
    }

    /** Creates the gateway of this project. */
    static final class OwnEngines implements GatewayEngines {
        static final String NAME = "tickmark";

        OwnEngines() {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public List<HotThread> hotThreads(final GatewaySettings settings) {
            return HotThread.numbered("worker", settings.workerThreads(), settings.idle());
        }

        @Override
        public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
            return new OwnEngine(settings, context, hotThreads(settings));
        }
    }
}

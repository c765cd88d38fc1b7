package io.tickmark.workloads.market.provider;

import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.LatencyFile;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The interactive provider as a role: its server, its threads, and their common result. */
public final class MarketProvider implements Role {
    private static final String BIND_ADDRESS = "--bind-address";

    private ProviderSettings settings;
    private final RoleContext context;
    private final List<String> warnings = new ArrayList<>();
    private ProviderShared shared;
    private LoopReporter<ProviderCounts> reporter;
    private ProviderServer server;
    private int port;

    MarketProvider(final ProviderSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        final Configured configured = settings.configured();
        settings = settings.with(configured);
        warnings.addAll(configured.warnings());
        final FieldDictionary dictionary = settings.content().dictionary();
        final MessageFile messages = settings.content().messages(dictionary);
        if (settings.genericMsgRate() > 0) {
            // whichever of them consumers request
            for (final int domain : messages.domains()) {
                messages.need(domain, MessageKind.GENERIC, "--generic-msg-rate");
            }
        }
        shared = new ProviderShared(settings, context, dictionary, messages);
        server = ProviderServer.of(shared);
        port = server.listen(settings.bindAddress(), settings.port());
        return Endpoints.of(
                Map.of(
                        MarketEndpoints.PROVIDER,
                        settings.bindAddress() + ":" + port,
                        MarketEndpoints.STAMPED,
                        Long.toString(settings.source().latencyRate())));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        reporter =
                settings.run()
                        .reporter(
                                context,
                                ProviderCounts.COLUMNS,
                                settings.files(),
                                ProviderResult::notes);
        context.log(
                "Provides %s at %s:%d."
                        .formatted(settings.serviceName(), settings.bindAddress(), port));
    }

    @Override
    public RoleResult run(final long startAtNs) {
        shared.beginStartup();
        reporter.start();
        final List<ProviderLoop> loops =
                server
                        .open(number ->
                                LatencyFile.of(settings.latencyFile(), number, context, reporter))
                        .stream()
                        .map(api -> new ProviderLoop(shared, api, reporter.rows()))
                        .toList();
        try (ProviderServer.Admission _ = server.admit()) {
            shared.run(loops);
        }
        final StepRecording last = context.recording().endStep();
        final List<ProviderLoop.Findings> findings =
                loops.stream().map(ProviderLoop::findings).toList();
        final ProviderResult result = new ProviderResult(shared, findings, server.askedGroups());
        warnings.addAll(reporter.finish(result.inputs(), findings, ProviderResult::section));
        return result.of(last, warnings);
    }

    @Override
    public void close() {
        if (reporter != null) {
            reporter.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** The server of a provider on a library. Called only by the role's thread, in this order. */
    private interface ProviderServer extends AutoCloseable {
        /** For the library of the settings. */
        static ProviderServer of(final ProviderShared shared) {
            return shared.settings()
                    .api()
                    .make(() -> new EtaServer(shared), () -> new EmaServer(shared));
        }

        /** Takes a port, the given one or a free one for 0; returns it. */
        int listen(String host, int port);

        /** What each thread serves; {@code each} creates the file of a thread's latencies. */
        List<? extends ProviderApi> open(IntFunction<LatencyListener> each);

        /** Accepts consumers until the returned object is closed. */
        Admission admit();

        /** Groups of {@link ProviderCounts} that concern users of the library, zero or not. */
        Set<String> askedGroups();

        @Override
        void close();

        /** Ends the admission of consumers when it is closed. */
        @FunctionalInterface
        interface Admission extends AutoCloseable {
            @Override
            void close();
        }
    }

    /** On the Transport API: our server, which distributes consumers to all threads. */
    private static final class EtaServer implements ProviderServer {
        private final ProviderShared shared;
        private final List<ReactorLoop> loops = new ArrayList<>();
        private final List<EtaProvider> threads = new ArrayList<>();
        private Server server;

        EtaServer(final ProviderShared shared) {
            this.shared = shared;
        }

        @Override
        public int listen(final String host, final int port) {
            final ProviderSettings settings = shared.settings();
            for (int i = 1; i <= settings.run().threads().size(); i++) {
                loops.add(settings.run().reactor(shared, i, shared.connection()));
            }
            if (shared.connection().mayBeJson()) {
                loops.forEach(loop -> loop.speakJson(shared.dictionary(), this::serviceId));
            }
            server = Rssl.bind(host, BIND_ADDRESS, port, "--port", shared.connection());
            return server.portNumber();
        }

        private int serviceId(final String name) {
            final ProviderSettings settings = shared.settings();
            return name.equals(settings.serviceName()) ? settings.serviceId() : -1;
        }

        @Override
        public List<EtaProvider> open(final IntFunction<LatencyListener> each) {
            for (int i = 1; i <= loops.size(); i++) {
                threads.add(new EtaProvider(shared, loops.get(i - 1), i, each.apply(i)));
            }
            return threads;
        }

        @Override
        public Admission admit() {
            final Acceptor acceptor = new Acceptor(server, threads, shared::fail);
            acceptor.start();
            return acceptor::close;
        }

        @Override
        public Set<String> askedGroups() {
            return Set.of(ProviderCounts.BUFFERS);
        }

        @Override
        public void close() {
            if (server != null) {
                server.close(TransportFactory.createError());
                server = null;
            }
            loops.forEach(ReactorLoop::close);
            loops.clear();
        }
    }

    /** On the Message API, which listens and dispatches by itself, for one thread of ours. */
    private static final class EmaServer implements ProviderServer {
        private final ProviderShared shared;
        private String address = "";
        private int port;
        private EmaProvider provider;

        EmaServer(final ProviderShared shared) {
            this.shared = shared;
        }

        @Override
        public int listen(final String host, final int wanted) {
            address = host;
            // the library has no port 0, and listens as soon as it is created
            port = wanted == 0 ? Rssl.freePort(address, BIND_ADDRESS) : wanted;
            return port;
        }

        @Override
        public List<EmaProvider> open(final IntFunction<LatencyListener> each) {
            provider = new EmaProvider(shared, address, port, each.apply(1));
            return List.of(provider);
        }

        @Override
        public Admission admit() {
            return provider::close;
        }

        /** Its users have no output buffers. */
        @Override
        public Set<String> askedGroups() {
            return Set.of();
        }

        @Override
        public void close() {
            // it closed with the last consumers
        }
    }

    /** Waits for consumers and gives each to the thread that has fewest. */
    private static final class Acceptor implements AutoCloseable {
        private static final long LOOK_MS = 50;

        /** Before it tries again what failed, such as for lack of file handles. */
        private static final long PAUSE_NS = 100_000_000;

        private static final long JOIN_MS = 2_000;

        private final Server server;
        private final List<EtaProvider> threads;
        private final Consumer<String> failed;
        private final Thread thread;
        private volatile boolean stopped;

        Acceptor(
                final Server server,
                final List<EtaProvider> threads,
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
            Affinity.unpin(); // it is started by a hot thread, whose core is not for it
            try (Selector selector = Selector.open()) {
                server.selectableChannel().register(selector, SelectionKey.OP_ACCEPT);
                while (!stopped) {
                    selector.select(key -> accept(), LOOK_MS);
                }
            } catch (final IOException | RuntimeException e) {
                // other than by being closed: no consumer can connect any more
                if (!stopped) {
                    failed.accept("No consumer can connect any more: " + e.getMessage() + ".");
                }
            }
        }

        private void accept() {
            if (!stopped
                    && !threads.stream()
                            .min(Comparator.comparingInt(EtaProvider::load))
                            .orElseThrow()
                            .accept(server)) {
                LockSupport.parkNanos(PAUSE_NS);
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

    /** Makes interactive providers. */
    public static final class Factory extends RoleFactory.Declared<ProviderSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "market-provider",
                    "Accepts consumers; sends the images they ask for, updates and generic messages at "
                            + "rates, and their posts back.",
                    ProviderSettings.class);
        }

        static List<HotThread> threads(final ProviderSettings settings) {
            return settings.run().hotThreads("provider", settings.api());
        }

        @Override
        public List<HotThread> hotThreads(
                final ProviderSettings settings, final int index, final int count) {
            return threads(settings);
        }

        @Override
        public long expectedDurationNs(final ProviderSettings settings) {
            return settings.endWithConsumers() ? 0 : settings.source().runTime().toNanos();
        }

        @Override
        public Role create(final ProviderSettings settings, final RoleContext context) {
            return new MarketProvider(settings, context);
        }
    }
}

package io.tickmark.workloads.market.provider;

import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.loop.LoopResult;
import io.tickmark.kernel.loop.SummaryInputs;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
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
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.measure.LatencyFile;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.measure.SteadyCost;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
        return new ProviderResult(shared, findings, server.askedGroups())
                .finish(reporter, last, warnings);
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

    /** What the provider reports of all its threads. */
    static final class ProviderResult extends LoopResult<ProviderCounts, ProviderLoop.Findings> {
        private static final double SECOND_NS = 1e9;
        private static final double E6 = 1e6;

        private final ProviderShared shared;
        private final Set<String> asked;

        /**
         * Of all threads; {@code asked} are groups of counts that are reported where they are zero.
         */
        ProviderResult(
                final ProviderShared shared,
                final List<ProviderLoop.Findings> findings,
                final Set<String> asked) {
            super(ProviderCounts.COLUMNS, findings);
            this.shared = shared;
            this.asked = asked;
        }

        /** Console lines after those of an interval. */
        static List<String> notes(final LoopCounts.Row<ProviderCounts> row) {
            final ProviderCounts counts = row.counts();
            final List<String> lines = new ArrayList<>();
            if (counts.requests().get() > 0 || counts.images().get() > 0) {
                lines.add(
                        "  - Received %d item requests (total: %d), sent %d images (total: %d)"
                                .formatted(
                                        counts.requests().get(),
                                        row.totals().requests().get(),
                                        counts.images().get(),
                                        row.totals().images().get()));
            }
            if (counts.posts().get() > 0) {
                lines.add(
                        "  - Received %d posts, reflected %d"
                                .formatted(counts.posts().get(), counts.reflected().get()));
            }
            return lines;
        }

        @Override
        protected SummaryInputs inputs() {
            final ProviderSettings settings = shared.settings();
            return settings.source()
                    .inputs(
                            settings.providerName(),
                            settings.run(),
                            settings.files(),
                            settings.content().messageFile())
                    .addText("Latency Log File", settings.latencyFile(), "(none)")
                    .add("Generic Msg Rate", settings.genericMsgRate())
                    .add("Latency Generic Msg Rate", settings.genericMsgLatencyRate())
                    .addSwitch("Measure Decode", settings.measureDecode());
        }

        @Override
        protected RoleResult of(final StepRecording last, final List<String> warnings) {
            final List<StepResult> steps = new ArrayList<>();
            final List<StepRecording> recorded = new ArrayList<>();
            if (shared.hadConsumer()) {
                recorded.add(shared.startup().orElse(last));
                steps.add(startupStep(recorded.getFirst()));
                if (shared.isSteady() && hasSteadyState()) {
                    recorded.add(last);
                    steps.add(steadyStep(last));
                }
            }
            final List<String> sentences = new ArrayList<>(warnings);
            warn(sentences);
            if (loops().stream().anyMatch(ProviderLoop.Findings::hasOtherClock)
                    || recorded.stream().anyMatch(shared.otherClock()::isBehind)) {
                sentences.add(OtherClock.WARNING);
            }
            sentences.addAll(
                    HeldRate.saturatedSide(
                            "provider",
                            "consumer",
                            steady().updates().get(),
                            steady().wantedUpdatesE6().get() / E6,
                            steady().noBuffer().get()));
            return new RoleResult(
                    steps,
                    metrics(),
                    sentences,
                    shared.failure().isEmpty() ? shortcoming() : shared.failure());
        }

        /** Why a completed run still fails; empty where it does not. */
        private String shortcoming() {
            if (!shared.hadConsumer()) {
                return "No consumer connected within the run time.";
            }
            return all().images().get()
                                    + all().updates().get()
                                    + all().reflected().get()
                                    + all().genericsSent().get()
                            == 0
                    ? "The provider served nothing: %d consumers connected, with %d requests, %d of them refused."
                            .formatted(
                                    all().connections().get(),
                                    all().requests().get(),
                                    all().refused().get())
                    : "";
        }

        /** There is none after snapshots, when nothing more was requested or sent. */
        private boolean hasSteadyState() {
            return steady().wantedUpdatesE6().get() + steady().leastGenerics().get() > 0
                    || steady().updates().get()
                                    + steady().reflected().get()
                                    + steady().posts().get()
                            > 0
                    || steady().genericsSent().get() + steady().genericsReceived().get() > 0;
        }

        private StepResult startupStep(final StepRecording recorded) {
            final Map<String, Long> counts = shared.otherClock().counts(recorded);
            counts.put(
                    Counts.SENT,
                    startup().images().get()
                            + startup().updates().get()
                            + startup().genericsSent().get());
            putLost(counts, startup().genericsLost().get());
            return StepResult.received(
                    0, LoopGroup.STARTUP, 0, counts, 0, LoopCounts.joined(recorded.latencies()));
        }

        private StepResult steadyStep(final StepRecording recorded) {
            final long durationNs = steady().servedNs().get();
            final Map<String, Long> counts = shared.otherClock().counts(recorded);
            counts.put(
                    Counts.SENT,
                    steady().updates().get()
                            + steady().reflected().get()
                            + steady().genericsSent().get());
            counts.putAll(ProviderCounts.COLUMNS.counts(steady(), Set.of()));
            putLost(counts, steady().genericsLost().get());
            final double seconds = Math.max(1, durationNs) / SECOND_NS;
            return new StepResult(
                    1,
                    LoopGroup.STEADY,
                    0,
                    counts,
                    durationNs,
                    steady().wantedUpdatesE6().get() / E6 / seconds,
                    steady().updates().get() / seconds,
                    LoopCounts.joined(recorded.latencies()),
                    HeldRate.reasons(
                            "provider",
                            "consumer",
                            "generic messages",
                            steady().genericsSent().get() / seconds,
                            steady().leastGenerics().get() / seconds,
                            steady().wantedGenericsE6().get() / E6 / seconds));
        }

        /**
         * In addition to what consumers expect: theirs are sent from here, these are received from
         * them.
         */
        private static void putLost(final Map<String, Long> counts, final long lost) {
            if (lost > 0) {
                counts.put(Counts.EXPECTED, lost);
                counts.put(Counts.LOST, lost);
            }
        }

        private Map<String, Object> metrics() {
            final List<SteadyCost> costs =
                    loops().stream().map(ProviderLoop.Findings::cost).toList();
            final Map<String, Object> cost = new LinkedHashMap<>();
            CpuCost.put(
                    cost,
                    costs.stream().map(SteadyCost::cost).toList(),
                    costs.stream().mapToLong(SteadyCost::updates).sum());
            return ProviderCounts.COLUMNS.metrics(
                    all(),
                    steady(),
                    steady().servedNs().get(),
                    asked,
                    Map.of("genericMessages", cost));
        }

        private void warn(final List<String> warnings) {
            warnings.addAll(ProviderCounts.COLUMNS.warnings(all()));
            if (shared.refusedConnections() > 0) {
                warnings.add(
                        CountSentence.of(
                                "%d connection{|s} could not be accepted.",
                                shared.refusedConnections()));
            }
        }
    }

    /** Makes interactive providers. */
    public static final class Factory extends RoleFactory.Declared<ProviderSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "market-provider",
                    "Accepts consumers; sends requested images, updates and generic messages at given rates, and "
                            + "reflects posts.",
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

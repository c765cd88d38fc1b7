package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.loop.SummaryInputs;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.ItemDivision;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.ItemList;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.LatencyFile;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The consumer as a role: its connections, each on a thread, and their common result. */
public final class MarketConsumer implements Role {
    private static final int DEFAULT_PORT = 14_002;

    private ConsumerSettings settings;
    private final RoleContext context;
    private final List<ReactorLoop> loops = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private List<Item> items = List.of();
    private FieldDictionary dictionary;
    private Configured configured;
    private ConsumerShared shared;
    private LoopReporter<ConsumerCounts> reporter;
    private List<ConsumerConnection> connections = List.of();

    MarketConsumer(final ConsumerSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        configured = settings.configured();
        settings = settings.with(configured);
        warnings.addAll(configured.warnings());
        items =
                settings.itemFile().isEmpty()
                        ? ItemList.own(settings.itemCount(), "--item-count")
                        : ItemList.read(
                                Path.of(settings.itemFile()), settings.itemCount(), "--item-count");
        requireItemsFor(MessageKind.POST, settings.postingRate(), ConsumerSettings.POSTING_RATE);
        requireItemsFor(
                MessageKind.GENERIC, settings.genericMsgRate(), ConsumerSettings.GENERIC_MSG_RATE);
        settings.content().requireMessageFile();
        dictionary = settings.content().dictionary();
        return Endpoints.NONE;
    }

    private void requireItemsFor(final MessageKind kind, final int rate, final String option) {
        if (rate > 0 && items.stream().noneMatch(item -> ItemMessages.isMeant(kind, item))) {
            throw UserError.usage(
                    "%s is %d, but none of the %d items of %s has %s=\"true\"; give some of them that, or leave %s out."
                            .formatted(
                                    option,
                                    rate,
                                    items.size(),
                                    settings.itemFile(),
                                    kind == MessageKind.POST ? "post" : "genMsg",
                                    option));
        }
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final Peer peer =
                Peer.find(
                        configured.host(),
                        configured.port(),
                        endpoints,
                        List.of(MarketEndpoints.HUB_CONSUMERS, MarketEndpoints.PROVIDER),
                        DEFAULT_PORT);
        // Made before the start is planned: the vendor's library takes a while to load.
        shared = new ConsumerShared(settings, context, peer, configured.connection(), dictionary);
        reporter =
                new LoopReporter<>(
                        context,
                        ConsumerCounts.COLUMNS,
                        settings.run()
                                .reporting(
                                        settings.files().summaryFile(),
                                        settings.files().statsFile()),
                        ConsumerSummary::notes);
        connections = connections();
    }

    @Override
    public RoleResult run(final long startAtNs) {
        while (context.clock().nanoTime() - startAtNs < 0 && !context.isStopped()) {
            Thread.onSpinWait();
        }
        context.began();
        context.recording().beginStep(0, ConsumerShared.STARTUP);
        reporter.countTimeFromNow();
        reporter.start();
        shared.run("consumer", this::settle, connections);
        final StepRecording last = context.recording().endStep();
        shared.requireGoodInput();
        final List<ConsumerConnection.Findings> findings =
                connections.stream().map(ConsumerConnection::findings).toList();
        warnings.addAll(shared.warnings());
        final ConsumerSummary summary = new ConsumerSummary(settings);
        warnings.addAll(reporter.finish(summary.inputs(), findings, summary::section));
        return new ConsumerResult(settings, shared, findings).of(last, warnings);
    }

    private List<String> settle(final int number) {
        return settings.run().settle(context, Factory.thread(number), number);
    }

    private List<ConsumerConnection> connections() {
        final List<List<Item>> parts =
                ItemDivision.of(items, settings.connections(), settings.commonItemCount());
        final List<ConsumerConnection.Share> posting = shares(parts, MessageKind.POST);
        final List<ConsumerConnection.Share> generics = shares(parts, MessageKind.GENERIC);
        final List<ConsumerConnection> connections = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            connections.add(
                    new ConsumerConnection(
                            shared,
                            new ConsumerConnection.Parts(
                                    i + 1,
                                    parts.get(i),
                                    posting.get(i),
                                    generics.get(i),
                                    line(i + 1),
                                    reporter.rows(),
                                    LatencyFile.of(
                                            settings.files().latencyFile(),
                                            i + 1,
                                            context,
                                            reporter))));
        }
        return connections;
    }

    private static List<ConsumerConnection.Share> shares(
            final List<List<Item>> parts, final MessageKind kind) {
        return ConsumerConnection.Share.among(parts, item -> ItemMessages.isMeant(kind, item));
    }

    /** The one place that knows of two libraries. */
    private ConsumerConnection.LineMaker line(final int number) {
        final Idle idle = context.idleStrategy(Factory.thread(number));
        if (settings.api() == Api.EMA) {
            return (watched, intake, id) -> new EmaLine(shared, number, idle, watched, intake, id);
        }
        final ReactorLoop loop = settings.run().loop(number, idle, configured.connection());
        loops.add(loop);
        return (watched, intake, id) -> new EtaLine(shared, loop, watched, intake, id);
    }

    @Override
    public void close() {
        if (reporter != null) {
            reporter.close();
        }
        loops.forEach(ReactorLoop::close);
        loops.clear();
    }

    /** Makes market-data consumers. */
    public static final class Factory extends RoleFactory.Declared<ConsumerSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "market-consumer",
                    "Requests items, decodes images, updates and generic messages, posts, and times them.",
                    ConsumerSettings.class);
        }

        static HotThread thread(final int number) {
            return new HotThread("consumer-" + number);
        }

        @Override
        public List<HotThread> hotThreads(
                final ConsumerSettings settings, final int index, final int count) {
            return IntStream.rangeClosed(1, settings.connections())
                    .mapToObj(number -> thread(number).waiting(settings.run().idle(settings.api())))
                    .toList();
        }

        @Override
        public long expectedDurationNs(final ConsumerSettings settings) {
            final long requestingNs =
                    1_000_000_000L * settings.itemCount() / settings.requestRate();
            return settings.snapshot()
                    ? requestingNs
                    : requestingNs
                            + settings.delaySteadyStateCalc().toNanos()
                            + settings.steadyStateTime().toNanos();
        }

        @Override
        public Role create(final ConsumerSettings settings, final RoleContext context) {
            return new MarketConsumer(settings, context);
        }
    }

    /** The consumer's part of its summary and console lines, in the format of the field. */
    private static final class ConsumerSummary {
        private static final double SECOND_NS = 1e9;

        private final ConsumerSettings settings;
        private final Set<String> asked;

        ConsumerSummary(final ConsumerSettings settings) {
            this.settings = settings;
            asked = asked(settings);
        }

        /** The columns that are shown, whether or not there was anything to count. */
        static Set<String> asked(final ConsumerSettings settings) {
            final Set<String> asked = new HashSet<>();
            if (settings.postingRate() > 0) {
                asked.add(ConsumerCounts.POSTS);
            }
            if (settings.genericMsgRate() > 0) {
                asked.add(ConsumerCounts.GENERICS);
            }
            return asked;
        }

        /** Console lines after those of an interval: once, how long the images took. */
        static List<String> notes(final LoopCounts.Row<ConsumerCounts> row) {
            final long retrievalNs = row.totals().retrievalNs().get();
            if (retrievalNs == 0 || row.counts().images().get() == 0) {
                return List.of();
            }
            final long images = row.totals().images().get();
            return List.of(
                    String.format(
                            Locale.ROOT,
                            "  - Image retrieval time for %d images: %.3fs (%.0f images/s)",
                            images,
                            retrievalNs / SECOND_NS,
                            images * SECOND_NS / retrievalNs));
        }

        SummaryInputs inputs() {
            final var files = settings.files();
            return new SummaryInputs()
                    .add("Steady State Time", settings.steadyStateTime().toSeconds())
                    .add("Delay Steady State Time", settings.delaySteadyStateCalc().toMillis())
                    .add("Service", settings.serviceName())
                    .add("useUserDispatch", settings.run().useUserDispatch())
                    .add("mainThread", settings.run().mainThread())
                    .add("Thread List", settings.run().threadList())
                    .add("ApiThread List", apiThreads())
                    .add(
                            "Username",
                            settings.uname().isEmpty()
                                    ? "(use system login name)"
                                    : settings.uname())
                    .add("Item Count", settings.itemCount())
                    .add("Common Item Count", settings.commonItemCount())
                    .add("Request Rate", settings.requestRate())
                    .addSwitch("Request Snapshots", settings.snapshot())
                    .add("Posting Rate", settings.postingRate())
                    .add("Latency Posting Rate", settings.postingLatencyRate())
                    .add("Generic Msg Rate", settings.genericMsgRate())
                    .add("Latency Generic Msg Rate", settings.genericMsgLatencyRate())
                    .add("Item File", settings.itemFile().isEmpty() ? "(own)" : settings.itemFile())
                    .add("Data File", dataFile())
                    .add("Summary File", files.summaryFile())
                    .add("Stats File", files.statsFile())
                    .add(
                            "Latency Log File",
                            files.latencyFile().isEmpty() ? "(none)" : files.latencyFile())
                    .add("Tick Rate", settings.run().tickRate());
        }

        private String apiThreads() {
            final List<Integer> cores = settings.run().apiThreads();
            return cores.isEmpty()
                    ? "-1"
                    : String.join(",", cores.stream().map(String::valueOf).toList());
        }

        private String dataFile() {
            final String file = settings.content().messageFile();
            return file.isEmpty() ? "(own)" : file;
        }

        /** The text of one connection or of all; {@code resources} are lines about the process. */
        String section(final List<ConsumerConnection.Findings> of, final String resources) {
            final ConsumerCounts startup = sum(of, LoopCounts::startup);
            final ConsumerCounts steady = sum(of, LoopCounts::steady);
            final ConsumerCounts all = ConsumerCounts.COLUMNS.sum(List.of(startup, steady));
            final double startupSeconds = ConsumerConnection.Findings.startupNs(of) / SECOND_NS;
            final double steadySeconds = ConsumerConnection.Findings.steadyNs(of) / SECOND_NS;
            final double seconds = startupSeconds + steadySeconds;
            return phase("Startup State", startupSeconds, startup)
                    + rate(startup, startupSeconds)
                    + "\n"
                    + phase("Steady State", steadySeconds, steady)
                    + rate(steady, steadySeconds)
                    + "\n"
                    + phase("Overall", seconds, all)
                    + resources
                    + "\nTest Statistics:\n"
                    + ConsumerCounts.COLUMNS.countLines(all, asked)
                    + retrieval(
                            ConsumerConnection.Findings.retrievalNs(of) / SECOND_NS,
                            all.images().get())
                    + rate(all, seconds)
                    + "\n";
        }

        private static ConsumerCounts sum(
                final List<ConsumerConnection.Findings> of,
                final Function<LoopCounts<ConsumerCounts>, ConsumerCounts> part) {
            return ConsumerCounts.COLUMNS.sum(
                    of.stream().map(ConsumerConnection.Findings::counts).map(part).toList());
        }

        private String phase(final String name, final double seconds, final ConsumerCounts counts) {
            return name
                    + " Statistics:\n"
                    + line("Sampling duration (sec): %.3f", seconds)
                    + ConsumerCounts.COLUMNS.latencyLines(counts, asked);
        }

        private static String rate(final ConsumerCounts counts, final double seconds) {
            return line(
                    "Avg update rate: %.0f", seconds == 0 ? 0 : counts.updates().get() / seconds);
        }

        private static String retrieval(final double seconds, final long images) {
            return line("Image retrieval time (sec): %.3f", seconds)
                    + line("Avg image rate: %.0f", seconds == 0 ? 0 : images / seconds);
        }

        private static String line(final String format, final double value) {
            return "  " + String.format(Locale.ROOT, format, value) + "\n";
        }
    }
}

package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.loop.LoopResult;
import io.tickmark.kernel.loop.SummaryInputs;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.ItemDivision;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.ItemList;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.measure.LatencyFile;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.measure.RunSettings;
import io.tickmark.workloads.market.rssl.Configured;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The consumer as a role: its connections, each on a thread, and their common result. */
public final class MarketConsumer implements Role {
    private static final int DEFAULT_PORT = 14_002;

    private ConsumerSettings settings;
    private final RoleContext context;
    private final List<ConsumerConnection> connections = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private List<Item> items = List.of();
    private FieldDictionary dictionary;
    private ConsumerShared shared;
    private LoopReporter<ConsumerCounts> reporter;

    MarketConsumer(final ConsumerSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        final Configured configured = settings.configured();
        settings = settings.with(configured);
        warnings.addAll(configured.warnings());
        items = ItemList.of(settings.itemFile(), settings.itemCount(), "--item-count");
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
                    ("%s is %d, but none of the %d items of %s has %s=\"true\"; set it for some of them, or leave "
                                    + "%s out.")
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
                        settings.host(),
                        settings.port(),
                        endpoints,
                        List.of(MarketEndpoints.HUB_CONSUMERS, MarketEndpoints.PROVIDER),
                        DEFAULT_PORT);
        shared =
                new ConsumerShared(
                        settings,
                        context,
                        peer,
                        dictionary,
                        OtherClock.of(context, endpoints, MarketEndpoints.STAMPED));
        reporter =
                settings.run()
                        .reporter(
                                context,
                                ConsumerCounts.COLUMNS,
                                settings.files(),
                                ConsumerResult::notes);
        makeConnections();
        keepMessages(endpoints);
    }

    /**
     * Times of updates, to find out what delayed them: where one provider sends them by the same
     * clock, and one thread receives them.
     */
    private void keepMessages(final Endpoints endpoints) {
        final List<String> stamped = endpoints.named(MarketEndpoints.STAMPED);
        final double expected =
                stamped.size() == 1
                        ? Double.parseDouble(stamped.getFirst())
                                * settings.steadyStateTime().toNanos()
                                / 1e9
                        : 0;
        if (expected >= 1 && connections.size() == 1 && HostAddress.given().isEmpty()) {
            connections
                    .getFirst()
                    .keep(
                            context.recording()
                                    .stalls()
                                    .sample(LoopGroup.STEADY_STEP, (long) expected));
        }
    }

    @Override
    public RoleResult run(final long startAtNs) {
        while (context.clock().nanoTime() - startAtNs < 0 && !context.isStopped()) {
            Thread.onSpinWait();
        }
        context.began();
        shared.beginStartup();
        reporter.start();
        shared.run(connections);
        final StepRecording last = context.recording().endStep();
        shared.requireGoodInput();
        final List<ConsumerConnection.Findings> findings =
                connections.stream().map(ConsumerConnection::findings).toList();
        return new ConsumerResult(shared, shared.otherClock(), findings)
                .finish(reporter, last, warnings);
    }

    private void makeConnections() {
        final List<List<Item>> parts =
                ItemDivision.of(items, settings.connections(), settings.commonItemCount());
        final List<ConsumerConnection.Share> posting = shares(parts, MessageKind.POST);
        final List<ConsumerConnection.Share> generics = shares(parts, MessageKind.GENERIC);
        for (int i = 0; i < parts.size(); i++) {
            final int number = i + 1;
            connections.add(
                    new ConsumerConnection(
                            shared,
                            new ConsumerConnection.Parts(
                                    number,
                                    parts.get(i),
                                    posting.get(i),
                                    generics.get(i),
                                    (watched, intake, id) ->
                                            ConsumerApi.of(shared, number, watched, intake, id),
                                    reporter.rows(),
                                    LatencyFile.of(
                                            settings.latencyFile(), number, context, reporter))));
        }
    }

    private static List<ConsumerConnection.Share> shares(
            final List<List<Item>> parts, final MessageKind kind) {
        return ConsumerConnection.Share.among(parts, item -> ItemMessages.isMeant(kind, item));
    }

    @Override
    public void close() {
        if (reporter != null) {
            reporter.close();
        }
        connections.forEach(ConsumerConnection::close);
        connections.clear();
    }

    /** What the consumer reports of all its connections. */
    static final class ConsumerResult
            extends LoopResult<ConsumerCounts, ConsumerConnection.Findings> {
        private static final double SECOND_NS = 1e9;
        private static final double NS_PER_US = 1e3;

        private final ConsumerSettings settings;
        private final ConsumerShared shared;
        private final OtherClock otherClock;

        ConsumerResult(
                final ConsumerShared shared,
                final OtherClock otherClock,
                final List<ConsumerConnection.Findings> findings) {
            super(ConsumerCounts.COLUMNS, findings);
            settings = shared.settings();
            this.shared = shared;
            this.otherClock = otherClock;
            if (!shared.isSteady() || settings.snapshot()) {
                all().closedItems().set(0); // the failure reports them
            }
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

        @Override
        protected SummaryInputs inputs() {
            final RunSettings run = settings.run();
            return new SummaryInputs()
                    .add("Steady State Time", settings.steadyStateTime().toSeconds())
                    .add("Delay Steady State Time", settings.delaySteadyStateCalc().toMillis())
                    .add("Service", settings.serviceName())
                    .add("useUserDispatch", run.useUserDispatch())
                    .add("mainThread", run.mainThread())
                    .add("Thread List", RunSettings.list(run.threads()))
                    .addText("ApiThread List", RunSettings.list(run.apiThreads()), "-1")
                    .addText("Username", settings.uname(), "(use system login name)")
                    .add("Item Count", settings.itemCount())
                    .add("Common Item Count", settings.commonItemCount())
                    .add("Request Rate", settings.requestRate())
                    .addSwitch("Request Snapshots", settings.snapshot())
                    .add("Posting Rate", settings.postingRate())
                    .add("Latency Posting Rate", settings.postingLatencyRate())
                    .add("Generic Msg Rate", settings.genericMsgRate())
                    .add("Latency Generic Msg Rate", settings.genericMsgLatencyRate())
                    .addText("Item File", settings.itemFile(), "(own)")
                    .addText("Data File", settings.content().messageFile(), "(own)")
                    .add("Summary File", settings.files().summaryFile())
                    .add("Stats File", settings.files().statsFile())
                    .addText("Latency Log File", settings.latencyFile(), "(none)")
                    .add("Tick Rate", run.tickRate());
        }

        /** Of the startup state, of the steady state, and of both. */
        @Override
        protected String section(
                final List<ConsumerConnection.Findings> of, final String resources) {
            final Columns.Totals<ConsumerCounts> totals = totals(of);
            final double startupSeconds = ConsumerConnection.Findings.startupNs(of) / SECOND_NS;
            final double steadySeconds = ConsumerConnection.Findings.steadyNs(of) / SECOND_NS;
            final double seconds = startupSeconds + steadySeconds;
            return phase("Startup State", startupSeconds, totals.startup())
                    + rate(totals.startup(), startupSeconds)
                    + "\n"
                    + phase("Steady State", steadySeconds, totals.steady())
                    + rate(totals.steady(), steadySeconds)
                    + "\n"
                    + phase("Overall", seconds, totals.all())
                    + resources
                    + "\nTest Statistics:\n"
                    + ConsumerCounts.COLUMNS.countLines(totals.all(), requested())
                    + retrieval(
                            ConsumerConnection.Findings.retrievalNs(of) / SECOND_NS,
                            totals.all().images().get())
                    + rate(totals.all(), seconds)
                    + "\n";
        }

        /** Groups of columns that are shown whether or not there was anything to count. */
        private Set<String> requested() {
            final Set<String> requested = new HashSet<>();
            if (settings.postingRate() > 0) {
                requested.add(ConsumerCounts.POSTS);
            }
            if (settings.genericMsgRate() > 0) {
                requested.add(ConsumerCounts.GENERICS);
            }
            return requested;
        }

        private String phase(final String name, final double seconds, final ConsumerCounts counts) {
            return name
                    + " Statistics:\n"
                    + line("Sampling duration (sec): %.3f", seconds)
                    + ConsumerCounts.COLUMNS.latencyLines(counts, requested());
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

        @Override
        protected RoleResult of(final StepRecording last, final List<String> warnings) {
            final List<StepResult> steps = new ArrayList<>();
            final StepRecording first = shared.startup().orElse(last);
            steps.add(startupStep(first));
            final boolean reportsSteadyState =
                    shared.isSteady() && !settings.snapshot() && hasSteadyState();
            final boolean isOtherClock =
                    loops().stream().anyMatch(each -> each.intake().hasOtherClock())
                            || otherClock.isBehind(first)
                            || reportsSteadyState && otherClock.isBehind(last);
            if (reportsSteadyState) {
                steps.add(steadyStep(last));
            }
            final List<String> sentences = new ArrayList<>(warnings);
            warn(sentences);
            if (isOtherClock) {
                sentences.add(OtherClock.WARNING);
            }
            if (reportsSteadyState) {
                sentences.addAll(isOtherClock ? List.of() : diagnosis(steps.get(1)));
            } else if (shared.isSteady() && !settings.snapshot()) {
                sentences.add(
                        "No message arrived in the steady state: all figures are from the startup.");
            }
            return new RoleResult(steps, metrics(), sentences, failure());
        }

        /**
         * A message that cannot be decoded is a failure, because its number, times and fields were
         * not checked.
         */
        private String failure() {
            return shared.failure().isEmpty()
                    ? String.join(
                            " ",
                            ConsumerCounts.COLUMNS.failures(
                                    all(), Map.of(all().goneItems(), List.of(source()))))
                    : shared.failure();
        }

        /**
         * There is none where only images are retrieved. Where a provider did send, its own step
         * reports it, and everything it sent counts as lost.
         */
        private boolean hasSteadyState() {
            return settings.postingRate() + settings.genericMsgRate() > 0
                    || steady().updates().get()
                                    + steady().postsBack().get()
                                    + steady().genericsReceived().get()
                            > 0
                    || steady().lost().get() + steady().duplicated().get() > 0;
        }

        private StepResult startupStep(final StepRecording recorded) {
            final Map<String, Long> counts = otherClock.counts(recorded);
            final long items = loops().stream().mapToLong(each -> each.items().size()).sum();
            counts.put(
                    Counts.RECEIVED,
                    startup().images().get()
                            + startup().updates().get()
                            + startup().genericsReceived().get());
            counts.put(
                    Counts.EXPECTED,
                    items
                            + startup().updates().get()
                            + startup().genericsReceived().get()
                            + startup().lost().get());
            counts.put(Counts.LOST, items - startup().images().get() + startup().lost().get());
            counts.put("images", startup().images().get());
            counts.putAll(ConsumerCounts.COLUMNS.counts(startup(), Set.of()));
            return StepResult.received(
                    0,
                    LoopGroup.STARTUP,
                    0,
                    counts,
                    ConsumerConnection.Findings.startupNs(loops()),
                    LoopCounts.joined(recorded.latencies()));
        }

        private StepResult steadyStep(final StepRecording recorded) {
            final Map<String, Long> counts = otherClock.counts(recorded);
            final long received =
                    steady().updates().get()
                            + steady().postsBack().get()
                            + steady().genericsReceived().get();
            final long postsLost = Math.max(0, steady().posts().get() - steady().postsBack().get());
            counts.put(Counts.RECEIVED, received);
            counts.put(Counts.EXPECTED, received + steady().lost().get() + postsLost);
            counts.put(Counts.LOST, steady().lost().get() + postsLost);
            counts.putAll(ConsumerCounts.COLUMNS.counts(steady(), requested()));
            return StepResult.received(
                            1,
                            LoopGroup.STEADY,
                            0,
                            counts,
                            ConsumerConnection.Findings.steadyNs(loops()),
                            LoopCounts.joined(recorded.latencies()))
                    .because(reasons());
        }

        private List<String> reasons() {
            final List<String> reasons = new ArrayList<>();
            reasons.addAll(
                    held(
                            "posts",
                            steady().posts().get(),
                            settings.postingRate(),
                            ConsumerConnection.Findings::posts));
            reasons.addAll(
                    held(
                            "generic messages",
                            steady().genericsSent().get(),
                            settings.genericMsgRate(),
                            ConsumerConnection.Findings::generics));
            return reasons;
        }

        private List<String> held(
                final String what,
                final long sent,
                final long rate,
                final Function<ConsumerConnection.Findings, ItemMessages> sender) {
            final double achieved =
                    sent * SECOND_NS / Math.max(1, ConsumerConnection.Findings.steadyNs(loops()));
            final boolean isShutOut =
                    loops().stream()
                            .map(sender)
                            .anyMatch(each -> each != null && !each.hasOpenItem());
            return isShutOut && !HeldRate.isHeld(achieved, rate)
                    ? List.of(
                            ("The consumer sent %.0f %s/s of the requested %d/s: the provider has closed the "
                                            + "items that take them.")
                                    .formatted(achieved, what, rate))
                    : HeldRate.reasons("consumer", "provider", what, achieved, rate, rate);
        }

        private Map<String, Object> metrics() {
            final long retrievalNs = ConsumerConnection.Findings.retrievalNs(loops());
            final Map<String, Object> images = new LinkedHashMap<>();
            images.put("imageRetrievalNs", retrievalNs);
            images.put("imagesPerSecond", Columns.perSecond(all().images().get(), retrievalNs));
            final Map<String, Object> costs = new LinkedHashMap<>();
            CpuCost.put(
                    costs,
                    loops().stream().map(ConsumerConnection.Findings::cost).toList(),
                    steady().updates().get());
            return ConsumerCounts.COLUMNS.metrics(
                    all(),
                    steady(),
                    ConsumerConnection.Findings.steadyNs(loops()),
                    Set.of(),
                    Map.of(
                            "",
                            Map.of("connections", loops().size()),
                            "images",
                            images,
                            "loginRoundTripNs",
                            costs));
        }

        private List<String> diagnosis(final StepResult step) {
            final Histogram response = step.latencies().get(Latencies.RESPONSE_NS);
            return LatencyDiagnosis.of(
                    startup().updateLatency().meanUs(),
                    steady().updateLatency().meanUs(),
                    response == null ? 0 : response.getMean() / NS_PER_US);
        }

        private void warn(final List<String> warnings) {
            warnings.addAll(
                    ConsumerCounts.COLUMNS.warnings(
                            all(),
                            Map.of(
                                    all().repeated(),
                                    List.of(Durations.format(settings.requestTimeout())),
                                    all().suspectItems(),
                                    List.of(all().recoveredItems().get(), source()),
                                    all().closedItems(),
                                    List.of(lastClosed()))));
            warnOfTimes(warnings);
        }

        private String source() {
            return shared.host() + ":" + shared.port();
        }

        private String lastClosed() {
            return loops().stream()
                    .map(ConsumerConnection.Findings::items)
                    .filter(items -> items.closed() > 0)
                    .map(WatchedItems::closedWords)
                    .reduce("", (_, last) -> last);
        }

        private void warnOfTimes(final List<String> warnings) {
            final long intended =
                    loops().stream().mapToLong(f -> f.intake().updatesWithIntended()).sum();
            if (steady().updateLatency().count() > 0 && intended == 0) {
                warnings.add(
                        "Updates carry no intended time (the dictionary has no field TM_INTENDED), so there are "
                                + "service times but no response times.");
            }
        }
    }

    /** Explains high latencies, as far as the consumer's own figures show the cause. */
    static final class LatencyDiagnosis {
        /** Latencies below this are not high. */
        private static final double HIGH_US = 10_000;

        private static final double MUCH_HIGHER = 5;

        private LatencyDiagnosis() {}

        /**
         * Means in us; 0 for what was not measured.
         *
         * @param startupUs service time in the startup state
         * @param serviceUs service time in the steady state
         * @param responseUs response time in the steady state
         */
        static List<String> of(
                final double startupUs, final double serviceUs, final double responseUs) {
            final List<String> sentences = new ArrayList<>();
            if (serviceUs > 0 && startupUs > HIGH_US && startupUs > MUCH_HIGHER * serviceUs) {
                sentences.add(
                        ("Latencies were high at first (mean %s ms at startup, %s ms after): images and updates share the"
                                        + " connection then; --delay-steady-state-calc leaves time to "
                                        + "settle, more --output-buffers at the provider may help.")
                                .formatted(ms(startupUs), ms(serviceUs)));
            }
            final double waitedUs = responseUs - serviceUs;
            if (responseUs > HIGH_US && waitedUs > responseUs / 2) {
                sentences.add(
                        ("Latencies are high throughout, and %s of %s ms pass before the provider encodes: the provider is "
                                        + "the saturated side, or has no output buffer because it is not read fast enough "
                                        + "(its backPressured count shows it).")
                                .formatted(ms(waitedUs), ms(responseUs)));
            } else if (Math.max(responseUs, serviceUs) > HIGH_US) {
                sentences.add(
                        ("Latencies are high throughout, and %s ms pass between encoding and decoding: the "
                                        + "connection or the consumer is the saturated side; lower the update rate, "
                                        + "give the consumer a core of its own, or use packing.")
                                .formatted(ms(serviceUs)));
            }
            return sentences;
        }

        private static String ms(final double us) {
            return String.format(Locale.ROOT, "%.1f", us / 1e3);
        }
    }

    /** Makes market-data consumers. */
    public static final class Factory extends RoleFactory.Declared<ConsumerSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "market-consumer",
                    "Requests items; decodes and times images, updates and generic messages; posts, and times "
                            + "its posts.",
                    ConsumerSettings.class);
        }

        static List<HotThread> threads(final ConsumerSettings settings) {
            return settings.run().hotThreads("consumer", settings.api());
        }

        @Override
        public List<HotThread> hotThreads(
                final ConsumerSettings settings, final int index, final int count) {
            return threads(settings);
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

        /** Images may have come before the first update with a time. */
        @Override
        public Set<String> untimedSteps() {
            return Set.of(LoopGroup.STARTUP);
        }

        @Override
        public Role create(final ConsumerSettings settings, final RoleContext context) {
            return new MarketConsumer(settings, context);
        }
    }
}

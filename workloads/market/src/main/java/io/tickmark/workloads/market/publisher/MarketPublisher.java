package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.loop.LoopResult;
import io.tickmark.kernel.loop.SummaryInputs;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
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
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.publisher.PublisherConnection.PublisherCounts;
import io.tickmark.workloads.market.rssl.Configured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The non-interactive provider as a role. Its images are out before it is ready, so that consumers
 * that start afterwards find every item in the hub.
 */
public final class MarketPublisher implements Role {
    private static final int DEFAULT_PORT = 14_003;

    private PublisherSettings settings;
    private final RoleContext context;
    private final List<PublisherConnection> connections = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private List<Item> items = List.of();
    private FieldDictionary dictionary;
    private MessageFile messages;
    private PublisherShared shared;
    private LoopReporter<PublisherCounts> reporter;

    MarketPublisher(final PublisherSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        final Configured configured = settings.configured();
        settings = settings.with(configured);
        warnings.addAll(configured.warnings());
        items = ItemList.of(settings.itemFile(), settings.itemCount(), "--item-count");
        dictionary = settings.content().dictionary();
        messages = settings.content().messages(dictionary);
        return Endpoints.of(
                Map.of(MarketEndpoints.STAMPED, Long.toString(settings.source().latencyRate())));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final Peer hub =
                Peer.find(
                        settings.host(),
                        settings.port(),
                        endpoints,
                        List.of(MarketEndpoints.HUB_PUBLISHERS),
                        DEFAULT_PORT);
        shared = new PublisherShared(settings, context, hub, dictionary, messages);
        reporter =
                settings.run()
                        .reporter(
                                context,
                                PublisherCounts.COLUMNS,
                                settings.files(),
                                PublisherResult::notes);
        final List<List<Item>> parts =
                ItemDivision.of(items, settings.run().threads().size(), settings.commonItemCount());
        for (int i = 1; i <= parts.size(); i++) {
            connections.add(
                    new PublisherConnection(
                            shared,
                            new PublisherConnection.Parts(
                                    i,
                                    parts.get(i - 1),
                                    PublisherApi.of(shared, i),
                                    reporter.rows())));
        }
        runAll(PublisherConnection::publishImages);
        if (!shared.failure().isEmpty()) {
            throw UserError.environment(shared.failure());
        }
    }

    /** Runs one part of all connections, each on its thread. */
    private void runAll(final Consumer<PublisherConnection> part) {
        shared.run(connections.stream().<Runnable>map(each -> () -> part.accept(each)).toList());
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.recording().beginStep(1, LoopGroup.STEADY);
        reporter.start();
        shared.startAt(startAtNs);
        runAll(PublisherConnection::publishUpdates);
        final StepRecording recorded = context.recording().endStep();
        return new PublisherResult(shared, connections).finish(reporter, recorded, warnings);
    }

    @Override
    public void close() {
        connections.forEach(PublisherConnection::close);
        connections.clear();
        if (reporter != null) {
            reporter.close();
        }
    }

    /** What the publisher reports of all its connections. */
    static final class PublisherResult extends LoopResult<PublisherCounts, PublisherConnection> {
        private final PublisherSettings settings;
        private final PublisherShared shared;

        PublisherResult(final PublisherShared shared, final List<PublisherConnection> connections) {
            super(PublisherCounts.COLUMNS, connections);
            settings = shared.settings();
            this.shared = shared;
        }

        /** Console lines after those of an interval. */
        static List<String> notes(final LoopCounts.Row<PublisherCounts> row) {
            final long images = row.counts().images().get();
            return images == 0
                    ? List.of()
                    : List.of(
                            "  - Sent %d images (total: %d)"
                                    .formatted(images, row.totals().images().get()));
        }

        @Override
        protected SummaryInputs inputs() {
            return settings.source()
                    .inputs(
                            settings.providerName(),
                            settings.run(),
                            settings.files(),
                            settings.content().messageFile())
                    .add("Item Count", settings.itemCount())
                    .addText("Item File", settings.itemFile(), "(own)")
                    .add("Service Name", settings.serviceName());
        }

        @Override
        protected RoleResult of(final StepRecording last, final List<String> warnings) {
            final StepResult step = steadyStep(last);
            final List<String> sentences = new ArrayList<>(warnings);
            sentences.addAll(
                    HeldRate.saturatedSide(
                            "publisher",
                            "hub",
                            step.achievedRatePerSecond(),
                            step.offeredRatePerSecond(),
                            step.counts().get(Counts.BACK_PRESSURED)));
            final String failure =
                    shared.failure().isEmpty() && all().images().get() + all().updates().get() == 0
                            ? "The publisher published nothing: neither an image nor an update."
                            : shared.failure();
            return new RoleResult(List.of(step), metrics(), sentences, failure);
        }

        private StepResult steadyStep(final StepRecording recorded) {
            final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
            counts.putAll(PublisherCounts.COLUMNS.counts(steady(), Set.of()));
            return StepResult.sent(
                    1,
                    LoopGroup.STEADY,
                    0,
                    counts,
                    Math.max(1, steady().steadyNs().get()),
                    (double) settings.source().updateRate() * loops().size(),
                    LoopCounts.joined(recorded.latencies()));
        }

        Map<String, Object> metrics() {
            final Map<String, Object> costs = new LinkedHashMap<>();
            CpuCost.put(
                    costs,
                    loops().stream().map(PublisherConnection::cost).toList(),
                    all().updates().get());
            return PublisherCounts.COLUMNS.metrics(
                    all(),
                    all(),
                    all().steadyNs().get(),
                    Set.of(),
                    Map.of("", Map.of("connections", loops().size()), "updates", costs));
        }
    }

    /** Makes non-interactive providers. */
    public static final class Factory extends RoleFactory.Declared<PublisherSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "market-publisher",
                    "Connects to a hub as a non-interactive provider; publishes images, then updates at a rate.",
                    PublisherSettings.class);
        }

        static List<HotThread> threads(final PublisherSettings settings) {
            return settings.run().hotThreads("publisher", settings.api());
        }

        @Override
        public List<HotThread> hotThreads(
                final PublisherSettings settings, final int index, final int count) {
            return threads(settings);
        }

        @Override
        public long expectedDurationNs(final PublisherSettings settings) {
            return settings.endWithHub() ? 0 : settings.source().runTime().toNanos();
        }

        @Override
        public Role create(final PublisherSettings settings, final RoleContext context) {
            return new MarketPublisher(settings, context);
        }
    }
}

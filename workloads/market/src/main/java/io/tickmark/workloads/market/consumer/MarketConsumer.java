package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.record.StepRecording;
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
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.LatencyFile;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.rssl.Configured;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
        final ConsumerResult result = new ConsumerResult(shared, shared.otherClock(), findings);
        warnings.addAll(reporter.finish(result.inputs(), findings, result::section));
        return result.of(last, warnings);
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

    /** Makes market-data consumers. */
    public static final class Factory extends RoleFactory.Declared<ConsumerSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "market-consumer",
                    "Requests items, decodes images, updates and generic messages, posts, and times them.",
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

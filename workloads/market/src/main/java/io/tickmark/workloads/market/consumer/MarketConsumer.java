package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
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
import java.util.List;

/** The consumer as a role: its connections, each on a thread, and what they found out together. */
final class MarketConsumer implements Role {
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
        final List<ConsumerFindings> findings =
                connections.stream().map(ConsumerConnection::findings).toList();
        warnings.addAll(shared.warnings());
        final ConsumerSummary summary = new ConsumerSummary(settings);
        warnings.addAll(reporter.finish(summary.inputs(), findings, summary::section));
        return new ConsumerResult(settings, shared, findings).of(last, warnings);
    }

    private List<String> settle(final int number) {
        return settings.run().settle(context, ConsumerFactory.thread(number), number);
    }

    private List<ConsumerConnection> connections() {
        final List<List<Item>> parts =
                ItemDivision.of(items, settings.connections(), settings.commonItemCount());
        final List<Share> posting = shares(parts, MessageKind.POST);
        final List<Share> generics = shares(parts, MessageKind.GENERIC);
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

    private static List<Share> shares(final List<List<Item>> parts, final MessageKind kind) {
        return Share.among(parts, item -> ItemMessages.isMeant(kind, item));
    }

    /** The one place that knows of two libraries. */
    private ConsumerConnection.LineMaker line(final int number) {
        final IdleMode idle = context.idleMode(ConsumerFactory.thread(number));
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
}

package io.tickmark.workloads.market.consumer;

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
    private ConsumerReporter reporter;
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
        reporter = new ConsumerReporter(settings, context);
        connections = connections(shared, reporter);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        while (context.clock().nanoTime() - startAtNs < 0 && !context.isStopped()) {
            Thread.onSpinWait();
        }
        context.began();
        context.recording().beginStep(0, ConsumerShared.STARTUP);
        reporter.begin();
        final List<Thread> others = new ArrayList<>();
        for (int i = 1; i < connections.size(); i++) {
            others.add(start(connections.get(i), i + 1));
        }
        guarded(connections.getFirst(), 1);
        join(others);
        final StepRecording last = context.recording().endStep();
        shared.requireGoodInput();
        final List<ConsumerFindings> findings =
                connections.stream().map(ConsumerConnection::findings).toList();
        warnings.addAll(reporter.finish(findings));
        return new ConsumerResult(settings, shared, findings).of(last, warnings);
    }

    private List<ConsumerConnection> connections(
            final ConsumerShared shared, final ConsumerReporter reporter) {
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
                                    line(shared, i + 1),
                                    reporter.rows(),
                                    reporter.each(i + 1))));
        }
        return connections;
    }

    private static List<Share> shares(final List<List<Item>> parts, final MessageKind kind) {
        return Share.among(parts, item -> ItemMessages.isMeant(kind, item));
    }

    private ConsumerConnection.LineMaker line(final ConsumerShared shared, final int number) {
        final IdleMode idle = context.idleMode(ConsumerFactory.thread(number));
        if (settings.api() == Api.EMA) {
            return (watched, intake, id) -> new EmaLine(shared, number, idle, watched, intake, id);
        }
        final ReactorLoop loop = settings.run().loop(number, idle, configured.connection());
        loops.add(loop);
        return (watched, intake, id) -> new EtaLine(shared, loop, watched, intake, id);
    }

    private Thread start(final ConsumerConnection connection, final int number) {
        return Thread.ofPlatform()
                .name("consumer-" + number)
                .start(() -> guarded(connection, number));
    }

    /** A thread that fails ends the test for all. */
    private void guarded(final ConsumerConnection connection, final int number) {
        try {
            settings.run()
                    .settle(context, ConsumerFactory.thread(number), number)
                    .forEach(this::warn);
            connection.run();
        } catch (final UserError e) {
            if (e.kind() == UserError.Kind.USAGE) {
                shared.refuse(e);
            } else {
                shared.fail(e.getMessage());
            }
        } catch (final RuntimeException | Error e) {
            shared.fail("The connection " + number + " failed by a defect: " + e + ".");
        }
    }

    private synchronized void warn(final String sentence) {
        warnings.add(sentence);
    }

    private static void join(final List<Thread> threads) {
        try {
            for (final Thread thread : threads) {
                thread.join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
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
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.ThreadLatencies;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.source.SaturatedSide;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The non-interactive provider as a role. Its images are out before it is ready, so that consumers
 * that start afterwards find every item in the hub.
 */
final class MarketPublisher implements Role {
    private static final int DEFAULT_PORT = 14_003;
    private static final double SECOND_NS = 1e9;

    private PublisherSettings settings;
    private final RoleContext context;
    private final List<PublisherConnection> connections = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private List<Item> items = List.of();
    private Configured configured;
    private FieldDictionary dictionary;
    private MessageFile messages;
    private PublisherShared shared;
    private PublisherReporter reporter;

    MarketPublisher(final PublisherSettings settings, final RoleContext context) {
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
        dictionary = settings.content().dictionary();
        messages = settings.content().messages(dictionary);
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final Peer hub =
                Peer.find(
                        configured.host(),
                        configured.port(),
                        endpoints,
                        List.of(MarketEndpoints.HUB_PUBLISHERS),
                        DEFAULT_PORT);
        shared =
                new PublisherShared(
                        settings, context, hub, configured.connection(), dictionary, messages);
        reporter = new PublisherReporter(settings, context);
        final List<List<Item>> parts =
                ItemDivision.of(items, settings.run().threads().size(), settings.commonItemCount());
        for (int i = 1; i <= parts.size(); i++) {
            connections.add(
                    new PublisherConnection(
                            shared,
                            new PublisherConnection.Parts(
                                    i, parts.get(i - 1), line(i), reporter.rows())));
        }
        play(PublisherConnection::publishImages);
        if (!shared.failure().isEmpty()) {
            throw UserError.environment(shared.failure());
        }
    }

    private PublisherLine line(final int number) {
        final IdleMode idle = context.idleMode(PublisherFactory.thread(number));
        if (settings.api() == Api.EMA) {
            return new EmaPublisherLine(shared, number, idle);
        }
        return new EtaPublisherLine(
                shared, number, settings.run().loop(number, idle, configured.connection()));
    }

    /** Does one part on all connections, the first on this thread, and waits for all. */
    private void play(final Consumer<PublisherConnection> part) {
        final List<Thread> others = new ArrayList<>();
        for (int i = 1; i < connections.size(); i++) {
            final int number = i + 1;
            final PublisherConnection connection = connections.get(i);
            others.add(
                    Thread.ofPlatform()
                            .name("publisher-" + number)
                            .start(() -> guarded(connection, number, part)));
        }
        guarded(connections.getFirst(), 1, part);
        try {
            for (final Thread other : others) {
                other.join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(
            final PublisherConnection connection,
            final int number,
            final Consumer<PublisherConnection> part) {
        connection.guarded(() -> {
            settings.run()
                    .settle(context, PublisherFactory.thread(number), number)
                    .forEach(this::warn);
            part.accept(connection);
        });
    }

    private synchronized void warn(final String sentence) {
        warnings.add(sentence);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.recording().beginStep(1, "steady state");
        reporter.start();
        shared.startAt(startAtNs);
        play(PublisherConnection::publishUpdates);
        final StepRecording recorded = context.recording().endStep();
        final List<PublisherFindings> findings =
                connections.stream().map(PublisherConnection::findings).toList();
        warnings.addAll(reporter.finish(findings));
        final StepResult step = step(recorded, findings);
        warnings.addAll(
                SaturatedSide.of(
                        "publisher",
                        "hub",
                        step.achievedRatePerSecond(),
                        step.offeredRatePerSecond(),
                        step.counts().get(Counts.BACK_PRESSURED)));
        final long published =
                findings.stream().mapToLong(each -> each.images() + each.updates()).sum();
        final String failure =
                shared.failure().isEmpty() && published == 0
                        ? "The publisher published nothing: neither an image nor an update."
                        : shared.failure();
        return new RoleResult(List.of(step), metrics(findings), warnings, failure);
    }

    private StepResult step(final StepRecording recorded, final List<PublisherFindings> findings) {
        final long durationNs =
                Math.max(1, findings.stream().mapToLong(f -> f.times().steadyNs()).max().orElse(1));
        final long updates = findings.stream().mapToLong(PublisherFindings::updates).sum();
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        counts.put(Counts.SENT, updates);
        counts.put(
                Counts.MAX_LAG_NS,
                findings.stream().mapToLong(f -> f.times().maxLagNs()).max().orElse(0));
        counts.put(
                Counts.MAX_TIGHT_SENDS,
                findings.stream().mapToLong(f -> f.times().maxTightSends()).max().orElse(0));
        final long noBuffer = findings.stream().mapToLong(PublisherFindings::noBuffer).sum();
        counts.put(Counts.BACK_PRESSURED, noBuffer);
        final double rate = (double) settings.source().updateRate() * findings.size();
        return new StepResult(
                1,
                "steady state",
                0,
                counts,
                durationNs,
                rate,
                updates * SECOND_NS / durationNs,
                ThreadLatencies.joined(recorded.latencies()),
                List.of());
    }

    static Map<String, Object> metrics(final List<PublisherFindings> findings) {
        final long steadyNs =
                findings.stream().mapToLong(f -> f.times().steadyNs()).max().orElse(0);
        final long updates = findings.stream().mapToLong(PublisherFindings::updates).sum();
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("connections", findings.size());
        metrics.put("images", findings.stream().mapToLong(PublisherFindings::images).sum());
        metrics.put("updates", updates);
        metrics.put(
                "updatesPerSecond",
                steadyNs == 0 ? 0 : Math.round(updates * SECOND_NS * 10 / steadyNs) / 10.0);
        Cost.put(metrics, findings.stream().map(PublisherFindings::cost).toList(), updates);
        metrics.put(
                "loginRoundTripNs",
                findings.stream().mapToLong(f -> f.times().loginNs()).max().orElse(0));
        final long posts = findings.stream().mapToLong(PublisherFindings::posts).sum();
        if (posts > 0) {
            metrics.put("posts", posts);
        }
        return metrics;
    }

    @Override
    public void close() {
        connections.forEach(PublisherConnection::close);
        connections.clear();
        if (reporter != null) {
            reporter.close();
        }
    }
}

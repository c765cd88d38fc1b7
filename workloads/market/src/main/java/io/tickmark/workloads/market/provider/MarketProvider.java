package io.tickmark.workloads.market.provider;

import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.LatencyFile;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.Configured;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The interactive provider as a role: its server, its threads, and what they found out together.
 */
final class MarketProvider implements Role {
    private static final String BIND_ADDRESS = "--bind-address";

    private ProviderSettings settings;
    private final RoleContext context;
    private final List<ReactorLoop> loops = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private ProviderShared shared;
    private Server server;
    private int port;
    private String address = "";

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
            // whichever of them consumers ask for
            for (final int domain : messages.domains()) {
                messages.need(domain, MessageKind.GENERIC, "--generic-msg-rate");
            }
        }
        shared =
                new ProviderShared(
                        settings, context, configured.connection(), dictionary, messages);
        if (settings.api() == Api.EMA) {
            address = configured.host();
            // the library has no port 0, and listens at once
            port =
                    configured.port() == 0
                            ? Rssl.freePort(address, BIND_ADDRESS)
                            : configured.port();
            return endpoints();
        }
        for (int i = 1; i <= settings.run().threads().size(); i++) {
            loops.add(
                    settings.run()
                            .loop(
                                    i,
                                    context.idleMode(ProviderFactory.thread(i)),
                                    shared.connection()));
        }
        if (shared.connection().mayBeJson()) {
            loops.forEach(loop -> loop.speakJson(dictionary, this::serviceId));
        }
        server =
                Rssl.bind(
                        configured.host(),
                        BIND_ADDRESS,
                        configured.port(),
                        "--port",
                        shared.connection());
        port = server.portNumber();
        return endpoints();
    }

    private Endpoints endpoints() {
        return Endpoints.of(Map.of(MarketEndpoints.PROVIDER, settings.bindAddress() + ":" + port));
    }

    private int serviceId(final String name) {
        return name.equals(settings.serviceName()) ? settings.serviceId() : -1;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        context.tell(
                "Provides %s at %s:%d."
                        .formatted(settings.serviceName(), settings.bindAddress(), port));
    }

    @Override
    public RoleResult run(final long startAtNs) {
        try (LoopReporter<ProviderCounts> reporter =
                new LoopReporter<>(
                        context,
                        ProviderCounts.COLUMNS,
                        settings.run()
                                .reporting(
                                        settings.files().summaryFile(),
                                        settings.files().statsFile()),
                        ProviderSummary::notes)) {
            context.recording().beginStep(0, ProviderShared.STARTUP);
            reporter.start();
            final List<ProviderLoop> work = work(reporter);
            final StepRecording last = context.recording().endStep();
            final List<ProviderFindings> findings =
                    work.stream().map(ProviderLoop::findings).toList();
            warnings.addAll(shared.warnings());
            warnings.addAll(
                    reporter.finish(
                            ProviderSummary.inputs(settings), findings, ProviderSummary::section));
            return new ProviderResult(shared, findings).of(last, warnings);
        }
    }

    private List<ProviderLoop> work(final LoopReporter<ProviderCounts> reporter) {
        if (settings.api() == Api.EMA) {
            return emaWork(reporter);
        }
        final List<ProviderThread> threads = new ArrayList<>();
        final List<ProviderLoop> work = new ArrayList<>();
        for (int i = 1; i <= loops.size(); i++) {
            final ProviderThread thread =
                    new ProviderThread(shared, loops.get(i - 1), i, each(reporter, i));
            threads.add(thread);
            work.add(new ProviderLoop(shared, thread, reporter.rows()));
        }
        try (Acceptor acceptor = new Acceptor(server, threads, shared::fail)) {
            acceptor.start();
            play(work);
        }
        return work;
    }

    private List<ProviderLoop> emaWork(final LoopReporter<ProviderCounts> reporter) {
        final EmaProviderSide side =
                new EmaProviderSide(
                        shared,
                        context.idleMode(ProviderFactory.thread(1)),
                        address,
                        port,
                        each(reporter, 1));
        final List<ProviderLoop> work = List.of(new ProviderLoop(shared, side, reporter.rows()));
        try {
            play(work);
        } finally {
            side.close();
        }
        return work;
    }

    private EachLatency each(final LoopReporter<ProviderCounts> reporter, final int thread) {
        return LatencyFile.of(settings.files().latencyFile(), thread, context, reporter);
    }

    private void play(final List<ProviderLoop> work) {
        shared.run(
                "provider",
                number -> settings.run().settle(context, ProviderFactory.thread(number), number),
                work);
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

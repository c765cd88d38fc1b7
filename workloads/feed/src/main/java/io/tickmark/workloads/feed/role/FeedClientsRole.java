package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.feed.client.ClientCounts;
import io.tickmark.workloads.feed.client.ClientGroup;
import io.tickmark.workloads.feed.client.ServerAddress;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.ChannelSettings;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Connects clients, receives for the measured time, and requests the end of each session. */
public final class FeedClientsRole implements Role {
    private static final long FINISH_NS = 10_000_000_000L;

    private final FeedClientsSettings settings;
    private final RoleContext context;
    private ClientGroup group;
    private long expected;

    private FeedClientsRole(final FeedClientsSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        group = new ClientGroup(context.clock(), context.recording());
        final ServerAddress server =
                endpoints.named(FeedServerRole.SERVER).stream()
                        .findFirst()
                        .map(address ->
                                ServerAddress.of(
                                        address,
                                        endpoints.named(FeedServerRole.TOKEN).stream()
                                                .findFirst()
                                                .orElse(settings.token())))
                        .orElseGet(settings::serverAddress);
        final ChannelSettings channel = Factory.channelOf(settings);
        for (int i = 0; i < settings.clients(); i++) {
            group.connect(server, channel, settings.session(i));
        }
        if (!group.awaitOpen(context.connectTimeoutNs())) {
            throw UserError.environment(
                    "%s: %d of %d clients got a session%s"
                            .formatted(
                                    server,
                                    group.open(),
                                    settings.clients(),
                                    group.unexpectedEndings().isEmpty()
                                            ? " within %d s; the server is overloaded, or does not speak the channel."
                                                    .formatted(
                                                            TimeUnit.NANOSECONDS.toSeconds(
                                                                    context.connectTimeoutNs()))
                                            : ": " + endings()));
        }
        expected = expected(endpoints);
        context.log(settings.clients() + " clients connected to " + server);
    }

    /** No client receives more; 0 where no role of the plan is the server, or several are. */
    private long expected(final Endpoints endpoints) {
        final List<String> rates = endpoints.named(FeedServerRole.RATE);
        return rates.size() == 1
                ? (long)
                        (Double.parseDouble(rates.getFirst())
                                * settings.clients()
                                * settings.time().duration().toNanos()
                                / 1e9)
                : 0;
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.pin(Factory.THREAD);
        final long fromNs = settings.time().fromNs(startAtNs);
        final long toNs = settings.time().toNs(startAtNs);
        context.recording().beginStep(0, "feed");
        final StallWatch watch =
                context.recording()
                        .stalls()
                        .watch(Factory.THREAD.name(), StallWatch.Part.RECEIVE, "");
        group.keep(context.recording().stalls().sample(0, expected), watch);
        watch.begin();
        final long measuredNs = group.measure(fromNs, toNs, context::isStopped);
        watch.end();
        final boolean isWhole = group.finish(FINISH_NS);
        final StepRecording recorded = context.recording().endStep();
        final ClientCounts clients = group.counts();
        final Map<String, Long> counts = ClientCounts.COLUMNS.counts(clients, Set.of());
        counts.putAll(recorded.counts());
        final StepResult step =
                StepResult.received(
                        0, label(), Tick.LENGTH, counts, measuredNs, recorded.latencies());
        return new RoleResult(
                List.of(step),
                metrics(clients, measuredNs),
                warnings(clients),
                failure(isWhole, clients));
    }

    private List<String> warnings(final ClientCounts clients) {
        final List<String> warnings = new ArrayList<>(group.unexpectedEndings());
        if (!group.isOnServersClock()) {
            warnings.add(
                    "Response and service times are not measured: the server is on another host, whose clock is not this "
                            + "one's; messages are counted by their time of arrival. A plan with 'hosts' aligns the clocks.");
        }
        warnings.addAll(clients.warnings());
        return warnings;
    }

    private String label() {
        return settings.feedChannel()
                + (settings.session().isUnbatched()
                        ? ", one message a frame"
                        : ", flush " + Durations.format(settings.session().flush()));
    }

    private String failure(final boolean isWhole, final ClientCounts clients) {
        if (!isWhole && !context.isStopped()) {
            return "Not every session reported its end in 10 s: the server is behind, or gone.";
        }
        if (!group.unexpectedEndings().isEmpty()) {
            return "Sessions ended unexpectedly: " + endings();
        }
        if (group.sourceSilentMs() > 0) {
            return String.format(
                    Locale.ROOT,
                    "The source of the server's feed fell silent %.1f s before the end, without announcing its end.",
                    group.sourceSilentMs() / 1e3);
        }
        if (context.isStopped()) {
            return "";
        }
        if (clients.received().get() == 0) {
            return "No message arrived in the measured time: is the feed running, and does it have the symbols that were "
                    + "asked for?";
        }
        return String.join(" ", ClientCounts.COLUMNS.failures(clients, Map.of()));
    }

    /** Reasons of the server are clauses, those of a refusal sentences. */
    private String endings() {
        final String reasons = String.join("; ", group.unexpectedEndings());
        return reasons.endsWith(".") ? reasons : reasons + ".";
    }

    private Map<String, Object> metrics(final ClientCounts clients, final long measuredNs) {
        final Map<String, Object> asked = new LinkedHashMap<>();
        asked.put("feedChannel", settings.feedChannel());
        asked.put("flush", Durations.format(settings.session().flush()));
        asked.put("conflation", settings.session().conflation());
        asked.put("maxFrequency", settings.session().maxFrequency());
        asked.put("guaranteed", settings.session().guaranteed());
        final Map<String, Object> metrics =
                ClientCounts.COLUMNS.metrics(
                        clients, clients, measuredNs, Set.of(), Map.of("clients", asked));
        final long received = clients.received().get();
        metrics.put("deliveredPerSecond", measuredNs == 0 ? 0.0 : received * 1e9 / measuredNs);
        final long frames = clients.frames().get();
        metrics.put(
                "messagesPerFrame",
                frames == 0 ? 0.0 : (double) clients.receivedInAll().get() / frames);
        return metrics;
    }

    @Override
    public void close() {
        if (group != null) {
            group.close();
        }
    }

    /** Creates groups of headless clients. */
    public static final class Factory extends RoleFactory.Declared<FeedClientsSettings> {
        static final HotThread THREAD = new HotThread("clients").waiting(IdleMode.BLOCK);

        /** For the service loader. */
        public Factory() {
            super(
                    "feed-clients",
                    "Many clients without a browser: each with a connection and a session, counted and timed together.",
                    FeedClientsSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final FeedClientsSettings settings, final int index, final int count) {
            return List.of(THREAD);
        }

        @Override
        public long expectedDurationNs(final FeedClientsSettings settings) {
            return settings.time().wholeNs();
        }

        @Override
        public void check(final FeedClientsSettings settings) {
            new ConflationPolicies().find(settings.session().conflation());
            channelOf(settings);
            settings.serverAddress();
        }

        static ChannelSettings channelOf(final FeedClientsSettings settings) {
            return ChannelList.of(settings.channelFile()).get(settings.feedChannel());
        }

        @Override
        public Role create(final FeedClientsSettings settings, final RoleContext context) {
            return new FeedClientsRole(settings, context);
        }
    }

    /**
     * Settings of the headless clients.
     *
     * @param server to connect to
     * @param token of that server
     * @param feedChannel that they connect through
     * @param clients how many
     * @param symbols of the feed, over which clients that get a part of them are spread
     * @param session the request of each
     * @param channelFile that defines the channels, the server's
     * @param time when to measure
     */
    public record FeedClientsSettings(
            @Setting(
                            help = "Server to connect to, where it is not in the same plan.",
                            byDefault = "http://127.0.0.1:8400",
                            label = "URL",
                            peers = "feed-server")
                    String server,
            @Setting(
                            help =
                                    "Token that the server asks for, where it is not in the same plan.",
                            label = "TOKEN")
                    String token,
            @Setting(
                            help = "Channel of the clients, by its name in the channel file.",
                            byDefault = "ws-binary",
                            label = "NAME")
                    String feedChannel,
            @Setting(help = "How many clients.", byDefault = "100", min = 1, max = 20_000)
                    int clients,
            @Setting(
                            help =
                                    "Symbols of the feed: clients with --symbol-count are spread over them, from"
                                            + " --first-symbol on; 0: all get the same.",
                            byDefault = "0",
                            min = 0,
                            max = FeedSettings.MAX_SYMBOLS)
                    int symbols,
            SessionSettings session,
            @Setting(
                            help = "File that defines the channels (default: the shipped ones).",
                            label = "FILE")
                    String channelFile,
            MeasuredTime time) {

        /** Checks conditions between settings. */
        public FeedClientsSettings {
            AccessToken.check(token);
        }

        /** The address of a server that is not in the same plan. */
        ServerAddress serverAddress() {
            return ServerAddress.of(server, token);
        }

        /** The request of one of the clients. */
        SessionSettings session(final int index) {
            final int part = session.symbolCount();
            final int first = session.firstSymbol();
            if (part == 0 || symbols - first < part) {
                return session;
            }
            final int places = (symbols - first) / part;
            return session.forSymbols(first + index % places * part, part);
        }
    }
}

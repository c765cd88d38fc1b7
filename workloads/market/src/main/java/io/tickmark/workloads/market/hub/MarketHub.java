package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.MarketEndpoints;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.ItemList;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.hub.ItemSource.UnsolicitedSource;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.ConnectionType;
import io.tickmark.workloads.market.rssl.Rssl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The hub as a role. */
public final class MarketHub implements Role {
    /** Protocols that consumers over WebSocket may choose from by default. */
    private static final String EVERY_PROTOCOL = "rssl.rwf,rssl.json.v2,tr_json2";

    private static final String OWN_ITEMS = "--own-items";

    private final HubSettings settings;
    private final RoleContext context;
    private final List<Server> servers = new ArrayList<>();
    private Hub hub;
    private HubPump pump;

    MarketHub(final HubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        refuseSettingsWithoutEffect();
        final FieldDictionary dictionary = settings.content().dictionary();
        hub =
                new Hub(
                        settings,
                        dictionary,
                        new HubCounts(context.recording()),
                        context.clock(),
                        context::log);
        fillOwnService(dictionary);
        final Map<String, String> endpoints = new LinkedHashMap<>();
        endpoints.put(
                MarketEndpoints.HUB_CONSUMERS,
                listen("consumers", settings.port(), "--port", settings.connection()));
        if (settings.tlsPort() >= 0) {
            listen(
                    "consumers over TLS",
                    settings.tlsPort(),
                    "--tls-port",
                    with(ConnectionType.ENCRYPTED));
        }
        if (settings.websocketPort() >= 0) {
            listen(
                    "consumers over WebSocket",
                    settings.websocketPort(),
                    "--websocket-port",
                    with(ConnectionType.WEBSOCKET));
        }
        if (settings.publisherPort() >= 0) {
            endpoints.put(
                    MarketEndpoints.HUB_PUBLISHERS,
                    listen(
                            "publishers",
                            settings.publisherPort(),
                            "--publisher-port",
                            settings.connection()));
        }
        pump = new HubPump(hub, IdleStrategies.of(IdleMode.BLOCK, context.clock()));
        pump.start();
        return Endpoints.of(endpoints);
    }

    /** Only when started by hand: a {@code --set} of a plan is for all roles that have the key. */
    private void refuseSettingsWithoutEffect() {
        if (!settings.ownService().isEmpty() || context.trialId() != 0) {
            return;
        }
        final Map<String, String> options = new LinkedHashMap<>();
        options.put("ownItems", OWN_ITEMS);
        options.put("itemFile", "--item-file");
        options.put("messageFile", "--message-file");
        options.forEach((key, option) -> {
            if (settings.connection().given().has(key)) {
                throw UserError.usage(
                        option
                                + " is about a service of the hub's own; name one with --own-service,"
                                + " or leave it out.");
            }
        });
    }

    private void fillOwnService(final FieldDictionary dictionary) {
        if (settings.ownService().isEmpty()) {
            return;
        }
        final List<Item> items = ItemList.of(settings.itemFile(), settings.ownItems(), OWN_ITEMS);
        final MessageFile file = settings.content().messages(dictionary);
        final HubService service = hub.services().named(settings.ownService());
        final OwnSource own = new OwnSource(service);
        own.fill(items, file, dictionary, hub.images());
        hub.counts().traffic().items().add(items.size());
        hub.services().up(own, service);
    }

    /** The same settings for another kind of connection. */
    private ConnectionSettings with(final ConnectionType type) {
        final Map<String, Object> values =
                new LinkedHashMap<>(Settings.toMap(settings.connection()));
        values.put("connection", type.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (!type.isWebSocket()) {
            values.remove("websocket");
        } else if (settings.connection().websocket().isEmpty()) {
            values.put("websocket", EVERY_PROTOCOL);
        }
        return Settings.read(ConnectionSettings.class, values, key -> key);
    }

    private String listen(
            final String peers,
            final int port,
            final String option,
            final ConnectionSettings connection) {
        final Server server =
                Rssl.bind(settings.bindAddress(), "--bind-address", port, option, connection);
        servers.add(server);
        hub.listen(server);
        final String endpoint = settings.bindAddress() + ":" + server.portNumber();
        context.log("Listening for %s on %s.".formatted(peers, endpoint));
        return endpoint;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        pump.stop();
        settings.providers().forEach(provider -> hub.connect(Peer.parse(provider)));
        endpoints.named(MarketEndpoints.PROVIDER).stream().map(Peer::parse).forEach(hub::connect);
        pump.start();
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.recording().beginStep(0, "hub");
        String failure;
        try {
            pump.stop();
            failure = work(startAtNs);
        } catch (final UserError e) {
            failure = e.getMessage();
        } catch (final RuntimeException e) {
            failure = "The hub failed because of a defect: " + e + ".";
        }
        hub.countUnanswered();
        context.recording().endStep();
        return new RoleResult(
                List.of(step(startAtNs)),
                hub.counts().metrics(),
                warnings(),
                failure.isEmpty() ? shortcoming() : failure);
    }

    /** Why a completed run still fails; empty where it does not. */
    private String shortcoming() {
        final List<String> failures = new ArrayList<>(hub.counts().failures());
        if (hub.counts().served() == 0 && standbyImages() == 0) {
            failures.add("The hub served nothing: " + whyNothing());
        }
        return String.join(" ", failures);
    }

    private long standbyImages() {
        return hub.counts().traffic().standbyImages().get();
    }

    private String whyNothing() {
        if (!hub.peers().hadConsumer()) {
            return "no consumer connected.";
        }
        final long placeholders = hub.counts().traffic().placeholders().get();
        return "consumers connected, and none got an image%s or an update; compare services and items of both sides."
                .formatted(
                        placeholders == 0
                                ? ""
                                : CountSentence.of(
                                        " (only %d placeholder{|s} for items that it did not hold)",
                                        placeholders));
    }

    /** Works to the end of the run; returns why it failed, empty where it did not. */
    private String work(final long startAtNs) {
        final Idle idle = context.idleStrategy(Factory.THREAD);
        final StallWatch watch =
                context.recording()
                        .stalls()
                        .watch(
                                Factory.THREAD.name(),
                                StallWatch.Part.FORWARD,
                                context.idleMode(Factory.THREAD).notWatched());
        idle.watch(watch);
        watch.begin();
        try {
            return work(startAtNs, idle, watch);
        } finally {
            watch.end();
        }
    }

    private String work(final long startAtNs, final Idle idle, final StallWatch watch) {
        final long runNs = settings.runTime().toNanos();
        while (!context.isStopped()
                && !(settings.endWithConsumers() && hub.peers().haveGone())
                && (runNs == 0 || context.clock().nanoTime() - startAtNs < runNs)) {
            watch.worked(); // reading and writing are not stalls
            hub.work(idle);
            watch.look(context.clock().nanoTime());
            if (isForsaken(startAtNs)) {
                return "No consumer has connected within %s."
                        .formatted(Durations.format(Duration.ofNanos(context.connectTimeoutNs())));
            }
        }
        return "";
    }

    /**
     * When started by hand, consumers may connect at any time; those of a trial have had their
     * time.
     */
    private boolean isForsaken(final long startAtNs) {
        return settings.endWithConsumers()
                && context.trialId() != 0
                && !hub.peers().hadConsumer()
                && context.clock().nanoTime() - startAtNs > context.connectTimeoutNs();
    }

    /** Forwarded messages count neither as sent nor as received. */
    private StepResult step(final long startAtNs) {
        return StepResult.received(
                0,
                "",
                0,
                Map.of("passedOn", hub.counts().served()),
                context.clock().nanoTime() - startAtNs,
                Map.of());
    }

    /** Missing peers, and slow ones where a rate was not held. */
    private List<String> warnings() {
        final List<String> warnings = new ArrayList<>(hub.warnings());
        if (hub.counts().served() == 0 && standbyImages() > 0) { // as where nothing fails
            warnings.add(
                    CountSentence.of(
                            "The hub was on standby for its consumers to the end: they got %d image{|s} without content,"
                                    + " and nothing else was measured of it.",
                            standbyImages()));
        }
        warnings.addAll(hub.counts().warnings());
        return warnings;
    }

    @Override
    public void close() {
        if (pump != null) {
            pump.stop();
        }
        servers.forEach(server -> server.close(TransportFactory.createError()));
        servers.clear();
        if (hub != null) {
            hub.close();
            hub = null;
        }
    }

    /**
     * Has the hub work before its trial begins, so that providers and consumers can connect while
     * they get ready. One thread at a time works: it must have stopped before another begins.
     */
    private static final class HubPump {
        private final Hub hub;
        private final Idle idle;
        private volatile boolean stopped;
        private volatile Throwable failure;
        private Thread thread;

        HubPump(final Hub hub, final Idle idle) {
            this.hub = hub;
            this.idle = idle;
        }

        void start() {
            stopped = false;
            thread = Thread.ofPlatform().daemon().name("hub-preparing").start(this::run);
        }

        private void run() {
            try {
                while (!stopped) {
                    hub.work(idle);
                }
            } catch (final RuntimeException
                    | Error e) { // errors as well: otherwise they would not be reported
                failure = e;
            }
        }

        /** Stops the work; idempotent. */
        void stop() {
            if (thread == null) {
                return;
            }
            stopped = true;
            hub.loop().wake();
            try {
                thread.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            thread = null;
            final Throwable thrown = failure;
            failure = null; // once: closing after that reports nothing new
            if (thrown instanceof final Error error) {
                throw error;
            }
            if (thrown != null) {
                throw (RuntimeException) thrown;
            }
        }
    }

    /** Makes hubs. */
    public static final class Factory extends RoleFactory.Declared<HubSettings> {
        static final HotThread THREAD = new HotThread("hub");

        private static final long UNTIL_STOPPED_NS = TimeUnit.DAYS.toNanos(1);

        /** The consumers report how long it takes. */
        private static final long WITH_OTHERS_NS = TimeUnit.SECONDS.toNanos(1);

        /** Found by name. */
        public Factory() {
            super(
                    "market-hub",
                    "Takes market-data providers in, caches last images and serves consumers.",
                    HubSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final HubSettings settings, final int index, final int count) {
            return List.of(THREAD.waiting(settings.idle()));
        }

        @Override
        public long expectedDurationNs(final HubSettings settings) {
            if (settings.runTime().isZero()) {
                return settings.endWithConsumers() ? WITH_OTHERS_NS : UNTIL_STOPPED_NS;
            }
            return settings.runTime().toNanos();
        }

        @Override
        public Role create(final HubSettings settings, final RoleContext context) {
            return new MarketHub(settings, context);
        }
    }

    /**
     * The hub's own service: items with the image of the message file, changed only by posts.
     * Posting can thus be measured without any provider. Single-threaded.
     */
    private static final class OwnSource extends UnsolicitedSource {
        private final HubService service;

        OwnSource(final HubService service) {
            super("the hub itself");
            this.service = service;
            services().put(service.id(), service);
        }

        /** Fills the cache with the images of all items. */
        void fill(
                final Iterable<Item> list,
                final MessageFile file,
                final FieldDictionary dictionary,
                final ImageCodec images) {
            final MessageEncoder encoder = new MessageEncoder(dictionary, TimeUnit.MICROSECONDS);
            final HubScratch scratch = new HubScratch();
            int stream = 0;
            for (final Item each : list) {
                final HubItem item = service.item(each.domainType(), each.name());
                final RefreshMsg refresh =
                        refresh(item, file.messages(each.domainType()).refresh(), encoder, scratch);
                item.describe(refresh);
                item.image(images.image(refresh, Codec.majorVersion(), Codec.minorVersion()));
                if (item.image() == null) {
                    throw new IllegalStateException(
                            "the image of %s cannot be cached: %s"
                                    .formatted(item, images.failure()));
                }
                item.dataState(DataStates.OK);
                item.from(this, ++stream);
                items().put(stream, item);
                service.domains().add((long) each.domainType());
            }
        }

        private static RefreshMsg refresh(
                final HubItem item,
                final MessageTemplate template,
                final MessageEncoder encoder,
                final HubScratch scratch) {
            final ImageHeader header =
                    new ImageHeader().of(item.codecName(), item.service().id()).as(true, true);
            encoder.refresh(
                    scratch.begin(template.maxBytes(item.codecName().length())),
                    template,
                    1,
                    new Tracking().plain(0),
                    header);
            final Msg decoded = CodecFactory.createMsg();
            final DecodeIterator iterator = CodecFactory.createDecodeIterator();
            iterator.setBufferAndRWFVersion(
                    scratch.encoded(), Codec.majorVersion(), Codec.minorVersion());
            if (decoded.decode(iterator) < CodecReturnCodes.SUCCESS) {
                throw new IllegalStateException("an image of our own cannot be decoded");
            }
            return (RefreshMsg) decoded;
        }
    }
}

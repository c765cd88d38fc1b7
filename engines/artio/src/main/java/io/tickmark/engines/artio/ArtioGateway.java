package io.tickmark.engines.artio;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.fix.FixFields;
import io.tickmark.workloads.fix.gateway.EngineLimits;
import io.tickmark.workloads.fix.gateway.EngineLimits.Supported;
import io.tickmark.workloads.fix.gateway.GatewayCounts;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewayEngines;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import io.tickmark.workloads.fix.gateway.GatewaySettings.FanOutRule;
import io.tickmark.workloads.fix.message.StampTags;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixVersion;
import io.tickmark.workloads.fix.session.MessageComposer;
import io.tickmark.workloads.fix.session.MsgTypes;
import io.tickmark.workloads.fix.session.Tags;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.artio.engine.EngineConfiguration;
import uk.co.real_logic.artio.engine.FixEngine;
import uk.co.real_logic.artio.library.FixLibrary;
import uk.co.real_logic.artio.library.LibraryConfiguration;
import uk.co.real_logic.artio.library.OnMessageInfo;
import uk.co.real_logic.artio.library.SessionHandler;
import uk.co.real_logic.artio.messages.DisconnectReason;
import uk.co.real_logic.artio.messages.InitialAcceptedSessionOwner;
import uk.co.real_logic.artio.session.Session;
import uk.co.real_logic.artio.validation.SessionPersistenceStrategy;

/**
 * A gateway on Artio: its engine, one library, and an embedded media driver. Artio binds one port,
 * so producers are distinguished from consumers by their names. Nothing is logged to disk, so
 * nothing can be resent.
 */
final class ArtioGateway implements GatewayEngine {
    private static final int ANY_PORT = 0;

    /** The one that was not requested. */
    private static final int USUAL_CONSUMERS_PORT = 3001;

    private static final String CHANNEL = "aeron:ipc";
    private static final int POLL_LIMIT = 20;
    private static final long JOIN_MS = 10_000;

    private final FanOutLibrary fanOut;
    private final int port;
    private final Path folder;
    private final MediaDriver driver;
    private final FixEngine engine;
    private final FixLibrary library;
    private final Thread thread;
    private volatile boolean isStopping;
    private volatile boolean isLoggingOut;
    private volatile String failure = "";

    ArtioGateway(final GatewaySettings settings) {
        check(settings);
        fanOut =
                new FanOutLibrary(
                        settings.session().producerPrefix(),
                        settings.session().gatewayId(),
                        settings.fanOut());
        port = port(settings);
        folder = makeFolder();
        driver =
                MediaDriver.launchEmbedded(
                        new MediaDriver.Context()
                                .aeronDirectoryName(folder.resolve("aeron").toString())
                                .threadingMode(ThreadingMode.SHARED)
                                .sharedIdleStrategy(idle())
                                .dirDeleteOnShutdown(true));
        engine = FixEngine.launch(engine(settings));
        library = FixLibrary.connect(library());
        thread = Thread.ofPlatform().daemon().name("fix-artio-library").start(this::poll);
    }

    /** Artio always disconnects slow consumers, and one thread serves its library. */
    private static void check(final GatewaySettings settings) {
        EngineLimits.check(
                settings,
                ArtioEngines.NAME,
                Map.of(
                        "validate", Supported.only("checks no dictionary", "fields"),
                        "slow",
                                Supported.only(
                                        "disconnects slow consumers; give disconnect, or leave it out",
                                        "drop",
                                        "disconnect"),
                        "slowBytes", Supported.ANY,
                        "store", Supported.only("keeps no messages here", "memory", "none"),
                        "workers", Supported.only("has one here", 0, 1),
                        "consumersPort",
                                Supported.only(
                                        "has one port; give the same for producers, or leave it out",
                                        ANY_PORT,
                                        USUAL_CONSUMERS_PORT,
                                        settings.producersPort())));
    }

    private static int port(final GatewaySettings settings) {
        try (ServerSocket socket =
                new ServerSocket(
                        settings.producersPort(), 1, InetAddress.getByName(settings.bind()))) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw UserError.environment(
                    "--producers-port %d: cannot listen on %s (%s); give another port, or 0 for any."
                            .formatted(settings.producersPort(), settings.bind(), e.getMessage()),
                    e);
        }
    }

    private static Path makeFolder() {
        try {
            return Files.createTempDirectory("tickmark-artio-");
        } catch (final IOException e) {
            throw UserError.environment(
                    "The gateway's folder cannot be made in %s (%s); make room there, and let this user write."
                            .formatted(System.getProperty("java.io.tmpdir"), IoReason.of(e)),
                    e);
        }
    }

    /** Cores are shared with the clients here: nothing spins for long. */
    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 5, 1_000, 50_000);
    }

    private EngineConfiguration engine(final GatewaySettings settings) {
        final EngineConfiguration configuration = new EngineConfiguration();
        configuration
                .bindTo(settings.bind(), port)
                .libraryAeronChannel(CHANNEL)
                .logFileDir(folder.resolve("log").toString())
                .logInboundMessages(false)
                .logOutboundMessages(false)
                .printStartupWarnings(false)
                .initialAcceptedSessionOwner(InitialAcceptedSessionOwner.SOLE_LIBRARY)
                .sessionPersistenceStrategy(SessionPersistenceStrategy.alwaysTransient())
                .senderMaxBytesInBuffer(settings.slow().slowBytes())
                .framerIdleStrategy(idle())
                .errorHandlerFactory(errors -> fanOut::failed)
                .monitoringFile(folder.resolve("engine-counters").toString());
        configuration.aeronContext().aeronDirectoryName(driver.aeronDirectoryName());
        return configuration;
    }

    private LibraryConfiguration library() {
        final LibraryConfiguration configuration = new LibraryConfiguration();
        configuration
                .libraryAeronChannels(List.of(CHANNEL))
                .sessionAcquireHandler((session, info) -> fanOut.acquire(session))
                .libraryIdleStrategy(idle())
                .errorHandlerFactory(errors -> fanOut::failed)
                .monitoringFile(folder.resolve("library-counters").toString());
        configuration.aeronContext().aeronDirectoryName(driver.aeronDirectoryName());
        return configuration;
    }

    private void poll() {
        final IdleStrategy idle = idle();
        boolean hasLoggedOut = false;
        try {
            while (!isStopping) {
                idle.idle(library.poll(POLL_LIMIT));
                if (isLoggingOut && !hasLoggedOut) {
                    hasLoggedOut = true;
                    fanOut.logOut();
                }
            }
        } catch (final RuntimeException | Error e) {
            failure = "Artio's library gave up: " + e;
        }
    }

    @Override
    public int producersPort() {
        return port;
    }

    @Override
    public int consumersPort() {
        return port;
    }

    @Override
    public int producers() {
        return fanOut.producers();
    }

    @Override
    public int producersEver() {
        return fanOut.producersEver();
    }

    @Override
    public int consumers() {
        return fanOut.consumers();
    }

    @Override
    public Map<String, Long> counts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(GatewayCounts.IN, fanOut.received());
        counts.put(GatewayCounts.UNMARKED, fanOut.unmarked());
        counts.put(GatewayCounts.OUT, fanOut.sent());
        counts.put(GatewayCounts.DROPPED, fanOut.dropped());
        counts.put(GatewayCounts.CUT_OFF, fanOut.cutOff());
        counts.put(GatewayCounts.NOT_TAKEN, fanOut.notTaken());
        counts.put(GatewayCounts.ENGINE_ERRORS, fanOut.errors());
        counts.put("refusedByEngine", fanOut.refused());
        return counts;
    }

    @Override
    public void logOut() {
        isLoggingOut = true;
    }

    @Override
    public String failure() {
        return failure.isEmpty() ? fanOut.failure() : failure;
    }

    @Override
    public void close() {
        isStopping = true;
        try {
            thread.join(JOIN_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        CloseHelper.quietCloseAll(library, engine, driver);
        IoUtil.delete(folder.toFile(), true);
    }

    /**
     * What the gateway does with messages on Artio: each consumer's message is written in full,
     * with its header, and passed to Artio unchanged. Used by one library's thread; counts are read
     * by any thread.
     */
    private static final class FanOutLibrary implements SessionHandler {
        private static final long PATIENCE_NS = 5_000_000_000L;

        private final String producerPrefix;
        private final String gatewayId;
        private final FanOutRule rule;
        private final List<Consumer> consumers = new ArrayList<>();
        private final FixFields fields = new FixFields();
        private final BodyBytes body = new BodyBytes(1024);
        private final SystemEpochClock clock = SystemEpochClock.INSTANCE;
        private final List<Session> producers = new ArrayList<>();
        private final AtomicInteger producersNow = new AtomicInteger();
        private final AtomicInteger producersEver = new AtomicInteger();
        private final AtomicInteger consumersNow = new AtomicInteger();
        private final LongAdder received = new LongAdder();
        private final LongAdder unmarked = new LongAdder();
        private final LongAdder sent = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final LongAdder dropped = new LongAdder();
        private final LongAdder cutOff = new LongAdder();
        private final LongAdder notTaken = new LongAdder();
        private final LongAdder errors = new LongAdder();
        private byte[] type = {'W'};
        private volatile String failure = "";

        private record Consumer(Session session, MessageComposer composer, UnsafeBuffer view) {}

        FanOutLibrary(final String producerPrefix, final String gatewayId, final FanOutRule rule) {
            this.producerPrefix = producerPrefix;
            this.gatewayId = gatewayId;
            this.rule = rule;
        }

        private boolean isProducer(final Session session) {
            return session.compositeKey().remoteCompId().startsWith(producerPrefix);
        }

        SessionHandler acquire(final Session session) {
            if (isProducer(session)) {
                producers.add(session);
                producersNow.set(producers.size());
                producersEver.incrementAndGet();
            } else {
                consumers.add(
                        new Consumer(
                                session,
                                new MessageComposer(
                                        FixVersion.FIX_4_4,
                                        gatewayId,
                                        session.compositeKey().remoteCompId()),
                                new UnsafeBuffer(0, 0)));
                consumersNow.set(consumers.size());
            }
            return this;
        }

        @Override
        public Action onMessage(
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int libraryId,
                final Session session,
                final int sequenceIndex,
                final long messageType,
                final long timestampInNs,
                final long position,
                final OnMessageInfo info) {
            if (isOfApplication(messageType)) {
                if (isProducer(session)) {
                    onProduced(buffer, offset, offset + length, messageType);
                } else {
                    notTaken.increment();
                }
            }
            return Action.CONTINUE;
        }

        /**
         * Artio also passes on messages of the session. Types of one character are that character.
         */
        private static boolean isOfApplication(final long messageType) {
            return messageType > Byte.MAX_VALUE || !MsgTypes.isAdmin((char) messageType);
        }

        private void onProduced(
                final DirectBuffer buffer, final int begin, final int end, final long messageType) {
            received.increment();
            boolean fansOut = rule == FanOutRule.ALL;
            int at = 0;
            fields.wrap(buffer, begin, end);
            int fieldBegin = begin;
            while (fields.next() && fields.tag() != Tags.NO_MD_ENTRIES) {
                if (fields.tag() == Tags.MSG_TYPE) {
                    keepType(buffer, fields.valueBegin(), fields.valueLength());
                }
                if (at == 0 && !Tags.isOfHeader(fields.tag())) {
                    at = fieldBegin;
                }
                if (fields.tag() == StampTags.FAN_OUT) {
                    fansOut |= buffer.getByte(fields.valueBegin()) == 'Y';
                    break;
                }
                fieldBegin = fields.position();
            }
            if (!fansOut || at == 0) {
                unmarked.increment();
                return;
            }
            final int trailer = "10=000|".length();
            body.clear().put(buffer, at, end - trailer - at);
            for (int i = 0; i < consumers.size(); i++) {
                send(consumers.get(i), messageType);
            }
        }

        private void keepType(final DirectBuffer buffer, final int at, final int length) {
            if (type.length != length) {
                type = new byte[length];
            }
            buffer.getBytes(at, type);
        }

        /**
         * Waits while Artio signals back-pressure; disconnected consumers are skipped. Artio does
         * not always recover from that by itself: then the gateway reports it, and stops.
         */
        private void send(final Consumer consumer, final long messageType) {
            if (!consumer.session().isActive()) {
                dropped.increment();
                return;
            }
            final int number = consumer.session().lastSentMsgSeqNum() + 1;
            final int length = consumer.composer().compose(type, number, clock.time(), body);
            consumer.view().wrap(consumer.composer().bytes(), 0, length);
            final long sinceNs = org.agrona.concurrent.SystemNanoClock.INSTANCE.nanoTime();
            while (consumer.session().trySend(consumer.view(), 0, length, number, messageType)
                    < 0) {
                refused.increment();
                Thread.yield();
                if (!consumer.session().isActive() || !failure.isEmpty()) {
                    dropped.increment();
                    return;
                }
                if (org.agrona.concurrent.SystemNanoClock.INSTANCE.nanoTime() - sinceNs
                        > PATIENCE_NS) {
                    failure =
                            "Artio accepted no message for a consumer for 5 s: it stalls under this load; give the producers "
                                    + "a --rate that it can hold.";
                    dropped.increment();
                    return;
                }
            }
            sent.increment();
        }

        @Override
        public void onTimeout(final int libraryId, final Session session) {
            gone(session);
        }

        @Override
        public void onSlowStatus(
                final int libraryId, final Session session, final boolean hasBecomeSlow) {
            // Artio closes it, and tells its reason
        }

        @Override
        public Action onDisconnect(
                final int libraryId, final Session session, final DisconnectReason reason) {
            if (reason == DisconnectReason.SLOW_CONSUMER) {
                cutOff.increment();
            }
            gone(session);
            return Action.CONTINUE;
        }

        private void gone(final Session session) {
            if (consumers.removeIf(consumer -> consumer.session() == session)) {
                consumersNow.set(consumers.size());
            } else if (producers.remove(session)) {
                producersNow.set(producers.size());
            }
        }

        @Override
        public void onSessionStart(final Session session) {
            // counted when acquired
        }

        /** On the library's thread. */
        void logOut() {
            consumers.forEach(consumer -> consumer.session().startLogout());
            producers.forEach(Session::startLogout);
        }

        /** Why it cannot continue, empty while it can. */
        String failure() {
            return failure;
        }

        int producers() {
            return producersNow.get();
        }

        int producersEver() {
            return producersEver.get();
        }

        int consumers() {
            return consumersNow.get();
        }

        long received() {
            return received.sum();
        }

        long unmarked() {
            return unmarked.sum();
        }

        long sent() {
            return sent.sum();
        }

        /** Copies that were not sent to a consumer. */
        long dropped() {
            return dropped.sum();
        }

        /** Messages of consumers, which are ignored. */
        long notTaken() {
            return notTaken.sum();
        }

        /**
         * Artio has caught something, such as an exception of a handler, and continues without the
         * message.
         */
        void failed(final Throwable cause) {
            errors.increment();
        }

        long errors() {
            return errors.sum();
        }

        /** Consumers that Artio disconnected because they were slow. */
        long cutOff() {
            return cutOff.sum();
        }

        /** How often Artio signalled back-pressure. */
        long refused() {
            return refused.sum();
        }
    }

    /** Creates gateways on Artio. */
    public static final class ArtioEngines implements GatewayEngines {
        static final String NAME = "artio";

        /** For the service loader. */
        public ArtioEngines() {}

        @Override
        public String name() {
            return NAME;
        }

        /** All of them park a little longer each time there is nothing to do. */
        @Override
        public List<HotThread> hotThreads(final GatewaySettings settings) {
            return Stream.of("artio-framer", "artio-library", "artio-driver")
                    .map(name -> new HotThread(name).waiting(IdleMode.PARK))
                    .toList();
        }

        @Override
        public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
            return new ArtioGateway(settings);
        }
    }
}

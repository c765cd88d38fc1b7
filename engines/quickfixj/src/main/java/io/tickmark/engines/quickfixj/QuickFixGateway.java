package io.tickmark.engines.quickfixj;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.EngineLimits;
import io.tickmark.workloads.fix.gateway.EngineLimits.Supported;
import io.tickmark.workloads.fix.gateway.GatewayCounts;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewayEngines;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import io.tickmark.workloads.fix.gateway.GatewaySettings.FanOutRule;
import io.tickmark.workloads.fix.gateway.GatewaySettings.SlowPolicy;
import io.tickmark.workloads.fix.gateway.GatewaySettings.StoreKind;
import io.tickmark.workloads.fix.gateway.StoreFolder;
import io.tickmark.workloads.fix.message.StampTags;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import quickfix.Application;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.FieldNotFound;
import quickfix.FileStoreFactory;
import quickfix.Log;
import quickfix.LogFactory;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.MessageStoreFactory;
import quickfix.RuntimeError;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketAcceptor;
import quickfix.ThreadedSocketAcceptor;
import quickfix.UnsupportedMessageType;
import quickfix.field.MsgType;
import quickfix.mina.SessionConnector;
import quickfix.mina.acceptor.AbstractSocketAcceptor;
import quickfix.mina.acceptor.DynamicAcceptorSessionProvider;
import quickfix.mina.acceptor.DynamicAcceptorSessionProvider.TemplateMapping;

/**
 * A gateway on QuickFIX/J: one thread for all sessions with one worker, a thread for each session
 * with more. Its store in memory would keep every message for ever, so messages are kept in files
 * only.
 */
final class QuickFixGateway implements GatewayEngine {
    private static final String ANY = "*";
    private static final String YES = "Y";
    private static final String NO = "N";

    /** A message of market data, about: limits are in messages here. */
    private static final int BYTES_PER_MESSAGE = 600;

    private final GatewaySettings settings;
    private final FanOutApplication application;
    private final AbstractSocketAcceptor acceptor;
    private final Optional<StoreFolder> folder;
    private final int producersPort;
    private final int consumersPort;

    QuickFixGateway(final GatewaySettings settings) {
        this.settings = settings;
        check(settings);
        producersPort = port(settings.producersPort(), "--producers-port");
        consumersPort =
                settings.consumersPort() == settings.producersPort()
                                && settings.producersPort() != 0
                        ? producersPort
                        : port(settings.consumersPort(), "--consumers-port");
        application =
                new FanOutApplication(
                        producersPort == consumersPort ? settings.session().producerPrefix() : "",
                        settings.fanOut());
        folder =
                settings.store().store() == StoreKind.FILE
                        ? Optional.of(StoreFolder.take(Path.of(settings.store().storeDir())))
                        : Optional.empty();
        try {
            acceptor = acceptor();
            acceptor.start();
        } catch (final ConfigError | RuntimeError e) {
            folder.ifPresent(StoreFolder::close);
            throw UserError.environment(
                    "QuickFIX/J could not start the gateway (%s); check the ports."
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private static void check(final GatewaySettings settings) {
        final Map<String, Supported> supported =
                new HashMap<>(
                        Map.of(
                                "validate", Supported.ANY,
                                "workers", Supported.ANY,
                                "slow",
                                        Supported.only(
                                                "cannot conflate", "drop", "disconnect", "block"),
                                "store", Supported.ANY,
                                "storeDir", Supported.ANY));
        if (settings.slow().slow() == SlowPolicy.DISCONNECT) {
            supported.put("slowBytes", Supported.ANY);
        }
        EngineLimits.check(settings, QuickFixEngines.NAME, supported);
    }

    /**
     * A port that is free now; QuickFIX/J does not accept 0, and reports a port in use only in its
     * log.
     */
    private int port(final int wanted, final String option) {
        try (ServerSocket socket =
                new ServerSocket(wanted, 1, InetAddress.getByName(settings.bind()))) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s %d: cannot listen on %s (%s); give another port, or 0 for any."
                            .formatted(option, wanted, settings.bind(), e.getMessage()),
                    e);
        }
    }

    private AbstractSocketAcceptor acceptor() throws ConfigError {
        final SessionSettings all = new SessionSettings();
        final LogFactory logs = id -> new SilentLog(application::failed);
        final SessionID producers = template(all, "TEMPLATE_P", producersPort);
        final SessionID consumers =
                consumersPort == producersPort
                        ? producers
                        : template(all, "TEMPLATE_C", consumersPort);
        final MessageStoreFactory stores =
                settings.store().store() == StoreKind.FILE
                        ? new FileStoreFactory(all)
                        : new MemoryStoreFactory();
        final DefaultMessageFactory messages = new DefaultMessageFactory();
        final AbstractSocketAcceptor made =
                settings.workerThreads() > 1
                        ? new ThreadedSocketAcceptor(application, stores, all, logs, messages)
                        : new SocketAcceptor(application, stores, all, logs, messages);
        for (final SessionID id : List.of(producers, consumers)) {
            final int port = id.equals(producers) ? producersPort : consumersPort;
            made.setSessionProvider(
                    new InetSocketAddress(settings.bind(), port),
                    new DynamicAcceptorSessionProvider(
                            all,
                            List.of(new TemplateMapping(new SessionID(ANY, ANY, ANY), id)),
                            application,
                            stores,
                            logs,
                            messages) {
                        @Override
                        public Session getSession(
                                final SessionID sought, final SessionConnector connector) {
                            application.cameTo(sought, port == producersPort);
                            return super.getSession(sought, connector);
                        }
                    });
        }
        return made;
    }

    private SessionID template(final SessionSettings all, final String name, final int port) {
        final SessionID id =
                new SessionID(
                        settings.session().version().beginString(),
                        settings.session().gatewayId(),
                        name);
        final Map<String, String> values =
                Map.ofEntries(
                        Map.entry("ConnectionType", "acceptor"),
                        Map.entry("AcceptorTemplate", YES),
                        Map.entry("SocketAcceptAddress", settings.bind()),
                        Map.entry("SocketAcceptPort", Integer.toString(port)),
                        Map.entry("SocketTcpNoDelay", YES),
                        Map.entry("NonStopSession", YES),
                        Map.entry("DataDictionary", "FIX44.xml"),
                        Map.entry("UseDataDictionary", YES),
                        Map.entry("ValidateUserDefinedFields", NO),
                        Map.entry(
                                "PersistMessages",
                                settings.store().store() == StoreKind.FILE ? YES : NO),
                        Map.entry("FileStorePath", settings.store().storeDir()));
        values.forEach((key, value) -> all.setString(id, key, value));
        if (settings.slow().slow() == SlowPolicy.BLOCK) {
            all.setString(id, "SocketSynchronousWrites", YES);
        } else if (settings.slow().slow() == SlowPolicy.DISCONNECT) {
            all.setString(
                    id,
                    "MaxScheduledWriteRequests",
                    Integer.toString(settings.slow().slowBytes() / BYTES_PER_MESSAGE));
        }
        return id;
    }

    @Override
    public int producersPort() {
        return producersPort;
    }

    @Override
    public int consumersPort() {
        return consumersPort;
    }

    @Override
    public int producers() {
        return application.producers();
    }

    @Override
    public int producersEver() {
        return application.producersEver();
    }

    @Override
    public int consumers() {
        return application.consumers();
    }

    @Override
    public Map<String, Long> counts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(GatewayCounts.IN, application.received());
        counts.put(GatewayCounts.UNMARKED, application.unmarked());
        counts.put(GatewayCounts.OUT, application.sent());
        counts.put(GatewayCounts.DROPPED, application.dropped());
        counts.put(GatewayCounts.REJECTS_SENT, application.rejected());
        counts.put(GatewayCounts.ENGINE_ERRORS, application.errors());
        return counts;
    }

    @Override
    public void logOut() {
        for (final SessionID id : acceptor.getSessions()) {
            final Session session = Session.lookupSession(id);
            if (session != null) {
                session.logout();
            }
        }
    }

    @Override
    public String failure() {
        return "";
    }

    @Override
    public void close() {
        acceptor.stop(true);
        folder.ifPresent(StoreFolder::close);
    }

    /**
     * What the gateway does with messages on QuickFIX/J: the message of a producer is sent to one
     * consumer's session after the other, which writes its own header into it each time.
     */
    private static final class FanOutApplication implements Application {
        private final String producerPrefix;
        private final FanOutRule rule;
        private final CopyOnWriteArrayList<Session> consumers = new CopyOnWriteArrayList<>();
        private final Set<SessionID> ofProducersPort = ConcurrentHashMap.newKeySet();
        private final Set<SessionID> producers = ConcurrentHashMap.newKeySet();
        private final AtomicInteger producersEver = new AtomicInteger();
        private final LongAdder received = new LongAdder();
        private final LongAdder unmarked = new LongAdder();
        private final LongAdder sent = new LongAdder();
        private final LongAdder dropped = new LongAdder();
        private final LongAdder rejected = new LongAdder();
        private final LongAdder errors = new LongAdder();

        /** {@code producerPrefix} is empty where producers have a separate port. */
        FanOutApplication(final String producerPrefix, final FanOutRule rule) {
            this.producerPrefix = producerPrefix;
            this.rule = rule;
        }

        /** A client tries to log on, before any other event. */
        void cameTo(final SessionID id, final boolean isProducersPort) {
            if (isProducersPort) {
                ofProducersPort.add(id);
            } else {
                ofProducersPort.remove(id);
            }
        }

        private boolean isProducer(final SessionID id) {
            return producerPrefix.isEmpty()
                    ? ofProducersPort.contains(id)
                    : id.getTargetCompID().startsWith(producerPrefix);
        }

        @Override
        public void onCreate(final SessionID id) {
            // counted when logged on
        }

        @Override
        public void onLogon(final SessionID id) {
            if (isProducer(id)) {
                producers.add(id);
                producersEver.incrementAndGet();
            } else {
                consumers.add(Session.lookupSession(id));
            }
        }

        @Override
        public void onLogout(final SessionID id) {
            if (!producers.remove(id)) { // also called for refused clients
                consumers.remove(Session.lookupSession(id));
            }
        }

        @Override
        public void toAdmin(final Message message, final SessionID id) {
            countRejects(message);
        }

        private void countRejects(final Message message) {
            try {
                final String type = message.getHeader().getString(MsgType.FIELD);
                if (MsgType.REJECT.equals(type) || MsgType.BUSINESS_MESSAGE_REJECT.equals(type)) {
                    rejected.increment();
                }
            } catch (final FieldNotFound e) {
                errors.increment(); // the library's own messages have a type
            }
        }

        /** The library has swallowed something, and reports it only in its log. */
        void failed(final String text) {
            errors.increment();
        }

        @Override
        public void fromAdmin(final Message message, final SessionID id) {
            // the session does what is necessary
        }

        @Override
        public void toApp(final Message message, final SessionID id) {
            countRejects(message);
        }

        @Override
        public void fromApp(final Message message, final SessionID id)
                throws FieldNotFound, UnsupportedMessageType {
            if (!isProducer(id)) {
                throw new UnsupportedMessageType();
            }
            received.increment();
            final boolean isToFanOut =
                    rule == FanOutRule.ALL
                            || message.isSetField(StampTags.FAN_OUT)
                                    && "Y".equals(message.getString(StampTags.FAN_OUT));
            if (!isToFanOut) {
                unmarked.increment();
                return;
            }
            final String type = message.getHeader().getString(MsgType.FIELD);
            message.getHeader().clear();
            message.getHeader().setString(MsgType.FIELD, type);
            for (final Session consumer : consumers) {
                if (consumer.send(message)) {
                    sent.increment();
                } else {
                    dropped.increment();
                }
            }
        }

        int producers() {
            return producers.size();
        }

        int producersEver() {
            return producersEver.get();
        }

        int consumers() {
            return consumers.size();
        }

        long received() {
            return received.sum();
        }

        long unmarked() {
            return unmarked.sum();
        }

        long dropped() {
            return dropped.sum();
        }

        long rejected() {
            return rejected.sum();
        }

        long errors() {
            return errors.sum();
        }

        long sent() {
            return sent.sum();
        }
    }

    /** Writes nothing: a log of every message would be measured with the gateway. */
    static final class SilentLog implements Log {
        private final Consumer<String> onError;

        SilentLog() {
            this(text -> {});
        }

        /**
         * {@code onError} receives what the library only logs, such as exceptions that it swallows.
         */
        SilentLog(final Consumer<String> onError) {
            this.onError = onError;
        }

        @Override
        public void clear() {
            // nothing to do
        }

        @Override
        public void onIncoming(final String message) {
            // not kept
        }

        @Override
        public void onOutgoing(final String message) {
            // not kept
        }

        @Override
        public void onEvent(final String text) {
            // not kept
        }

        @Override
        public void onErrorEvent(final String text) {
            onError.accept(text);
        }
    }

    /** Creates gateways on QuickFIX/J. */
    public static final class QuickFixEngines implements GatewayEngines {
        static final String NAME = "quickfixj";

        /** For the service loader. */
        public QuickFixEngines() {}

        @Override
        public String name() {
            return NAME;
        }

        /** MINA's threads for sockets wait in a selector, those of the sessions for a queue. */
        @Override
        public List<HotThread> hotThreads(final GatewaySettings settings) {
            return List.of(
                    new HotThread("quickfixj-sockets").waiting(IdleMode.BLOCK),
                    new HotThread("quickfixj-sessions").waiting(IdleMode.BLOCK));
        }

        @Override
        public GatewayEngine start(final GatewaySettings settings, final RoleContext context) {
            return new QuickFixGateway(settings);
        }
    }
}

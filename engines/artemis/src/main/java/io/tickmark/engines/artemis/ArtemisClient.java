package io.tickmark.engines.artemis;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.LastingConnection;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;

/**
 * A connection to the server of a channel, with its own threads, which end with it. The library
 * does not restore it when it breaks, as it would make its callers wait meanwhile: see {@link
 * #lasting}. Any thread.
 */
final class ArtemisClient implements AutoCloseable {
    /** One for the socket, and one for messages that arrive; others are rarely needed. */
    private static final int SOCKET_THREADS = 1;

    private static final int MOST_OTHER_THREADS = 4;
    private static final int TIMEOUT_MS = 10_000;

    /** A server does not answer who may not manage it. */
    private static final int MANAGEMENT_TIMEOUT_MS = 2_000;

    /** Headers and properties of a message, generously. */
    static final int MESSAGE_OVERHEAD_BYTES = 64 << 10;

    /** Acknowledgements of sends need a window for confirmations, whatever its size. */
    private static final int CONFIRMATION_WINDOW_BYTES = 1 << 20;

    private final BrokerChannel<ArtemisParameters> channel;
    private final ServerLocator locator;
    private final String password;
    private final ClientSessionFactory factory;
    private final String version;
    private final Consumer<String> whenBroken;
    private volatile boolean isBroken;

    /**
     * Connects.
     *
     * @throws UserError of kind environment that says what to do
     */
    ArtemisClient(final BrokerChannel<ArtemisParameters> channel) {
        this(channel, reason -> {});
    }

    private ArtemisClient(
            final BrokerChannel<ArtemisParameters> channel, final Consumer<String> whenBroken) {
        this.channel = channel;
        this.whenBroken = whenBroken;
        final ArtemisParameters parameters = channel.parameters();
        // before anything is open that would have to be closed again
        password = parameters.credentials().password(channel);
        locator =
                ActiveMQClient.createServerLocatorWithoutHA(
                                new TransportConfiguration(
                                        NettyConnectorFactory.class.getName(),
                                        Map.of(
                                                TransportConstants.HOST_PROP_NAME,
                                                channel.address().address().getHostAddress(),
                                                TransportConstants.PORT_PROP_NAME,
                                                channel.address().port(),
                                                TransportConstants.USE_EPOLL_PROP_NAME,
                                                false,
                                                TransportConstants.USE_GLOBAL_WORKER_POOL_PROP_NAME,
                                                false,
                                                TransportConstants.REMOTING_THREADS_PROPNAME,
                                                SOCKET_THREADS)))
                        .setUseGlobalPools(false)
                        .setThreadPoolMaxSize(MOST_OTHER_THREADS)
                        .setScheduledThreadPoolMaxSize(1)
                        .setInitialConnectAttempts(1)
                        .setReconnectAttempts(0)
                        .setCallTimeout(TIMEOUT_MS)
                        .setBlockOnDurableSend(false)
                        .setBlockOnNonDurableSend(false)
                        .setBlockOnAcknowledge(false)
                        .setProducerWindowSize(-1) // without: a sender would wait for credits
                        .setConfirmationWindowSize(CONFIRMATION_WINDOW_BYTES)
                        .setConsumerWindowSize(parameters.consumerWindowBytes())
                        .setMinLargeMessageSize(
                                parameters.broker().maxPayloadBytes() + MESSAGE_OVERHEAD_BYTES);
        try {
            factory = locator.createSessionFactory();
        } catch (final Exception e) { // the library declares no narrower one
            locator.close();
            throw refused(e);
        }
        try {
            version = askVersion();
        } catch (final ActiveMQException e) {
            close();
            throw refused(e);
        }
    }

    /**
     * A connection that is made again when it breaks.
     *
     * @throws UserError of kind environment that says what to do
     */
    static LastingConnection<ArtemisClient> lasting(
            final BrokerChannel<ArtemisParameters> channel) {
        return new LastingConnection<>(
                "artemis-reconnect",
                broken -> new ArtemisClient(channel, broken),
                ArtemisClient::close);
    }

    /**
     * A session that is started.
     *
     * @param preAcknowledges whether the server takes what it has sent as acknowledged
     */
    ClientSession session(final boolean preAcknowledges) {
        final String user = channel.parameters().credentials().user();
        try {
            final ClientSession session =
                    factory.createSession(
                            user.isEmpty() ? null : user,
                            user.isEmpty() ? null : password,
                            false,
                            true,
                            true,
                            preAcknowledges,
                            0);
            session.addFailureListener(new Listener());
            return session.start();
        } catch (final ActiveMQException e) {
            close();
            throw refused(e);
        }
    }

    /** On the client's threads. */
    private final class Listener implements SessionFailureListener {
        @Override
        public void connectionFailed(final ActiveMQException e, final boolean failedOver) {
            isBroken = true;
            whenBroken.accept(said(e));
        }

        @Override
        public void connectionFailed(
                final ActiveMQException e, final boolean failedOver, final String scaleDownTarget) {
            connectionFailed(e, failedOver);
        }

        @Override
        public void beforeReconnect(final ActiveMQException e) {
            connectionFailed(e, false);
        }
    }

    /** Creates the queue of a subscriber, which is deleted with its connection. */
    static void createTemporary(
            final ClientSession session, final String name, final String address)
            throws ActiveMQException {
        session.createQueue(
                QueueConfiguration.of(name)
                        .setAddress(address)
                        .setRoutingType(RoutingType.MULTICAST)
                        .setDurable(false)
                        .setTemporary(true));
    }

    /** The server may not let everybody ask. */
    private String askVersion() throws ActiveMQException {
        try (ClientSession session = session(true)) {
            return "Artemis " + attribute(session, "version");
        } catch (final IllegalStateException e) {
            return "Artemis, which does not report its version";
        }
    }

    /**
     * An attribute of the server, from its management (Artemis, "Management", "Using Management Via
     * Core Client").
     *
     * @throws IllegalStateException where it does not tell
     */
    static Object attribute(final ClientSession session, final String name)
            throws ActiveMQException {
        final ClientMessage question = session.createMessage(false);
        ManagementHelper.putAttribute(question, "broker", name);
        final ClientMessage answer =
                ask(session, "activemq.management", question, MANAGEMENT_TIMEOUT_MS);
        try {
            if (answer != null && ManagementHelper.hasOperationSucceeded(answer)) {
                return ManagementHelper.getResult(answer);
            }
        } catch (final Exception e) { // the library declares no narrower one
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("the server does not report its " + name);
    }

    /** Sends a question to an address and waits for the answer; null where none comes in time. */
    static ClientMessage ask(
            final ClientSession session,
            final String address,
            final ClientMessage question,
            final int timeoutMs)
            throws ActiveMQException {
        try {
            final ClientRequestor requestor = new ClientRequestor(session, address);
            try {
                return requestor.request(question, timeoutMs);
            } finally {
                requestor.close();
            }
        } catch (final ActiveMQException e) {
            throw e;
        } catch (final Exception e) { // as above
            throw new IllegalStateException(e);
        }
    }

    /**
     * A server delivers a message in pieces that is larger than its journal's buffer.
     *
     * @throws ActiveMQException if the connection ended before all pieces were here: the message is
     *     then unknown, not damaged
     */
    static byte[] body(final ClientMessage message) throws ActiveMQException {
        if (message.isLargeMessage()) {
            final ByteArrayOutputStream whole = new ByteArrayOutputStream();
            message.saveToOutputStream(whole);
            return whole.toByteArray();
        }
        final ActiveMQBuffer body = message.getReadOnlyBodyBuffer();
        final byte[] payload = new byte[body.readableBytes()];
        body.readBytes(payload);
        return payload;
    }

    /** The error for a refusal of the server after which the caller cannot continue. */
    UserError refused(final Exception e) {
        final ActiveMQExceptionType type =
                e instanceof final ActiveMQException known
                        ? known.getType()
                        : ActiveMQExceptionType.GENERIC_EXCEPTION;
        final String user = channel.parameters().credentials().user();
        return switch (type) {
            case NOT_CONNECTED, CONNECTION_TIMEDOUT, DISCONNECTED ->
                    channel.unanswered("Artemis server", said(e), e);
            case SECURITY_EXCEPTION ->
                    channel.failed(
                            ("the server refuses %s (%s); give ?user= and ?passwordFile= of a user who may create, send and"
                                            + " consume")
                                    .formatted(
                                            user.isEmpty()
                                                    ? "clients without a user"
                                                    : "the user '" + user + "'",
                                            said(e)),
                            e);
            default -> channel.failed("Artemis refuses: " + said(e), e);
        };
    }

    /** The reason in an exception of the client, without its number and full stop. */
    static String said(final Exception e) {
        return String.valueOf(e.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .strip()
                .replaceFirst("^AMQ\\d+: ", "")
                .replaceFirst("\\.$", "");
    }

    /** Whether the connection is what failed. */
    static boolean isBroken(final Exception e) {
        return e instanceof final ActiveMQException known
                && switch (known.getType()) {
                    case NOT_CONNECTED,
                            DISCONNECTED,
                            UNBLOCKED,
                            OBJECT_CLOSED,
                            CONNECTION_TIMEDOUT ->
                            true;
                    default -> false;
                };
    }

    boolean isOpen() {
        return !isBroken && !factory.isClosed();
    }

    /** What both ends of a channel report about it. */
    Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("server", version);
        facts.put("serverStartedHere", channel.startsServers());
        facts.put("consumerWindowBytes", channel.parameters().consumerWindowBytes());
        return facts;
    }

    @Override
    public void close() {
        BoundedClose.of(() -> {
            factory.close();
            locator.close();
        });
    }
}

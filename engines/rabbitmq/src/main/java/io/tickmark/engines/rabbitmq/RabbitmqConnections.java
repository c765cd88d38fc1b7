package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.SecretFile;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.LastingConnection;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Connections to the server of a channel, and the meaning of its refusals. Any thread. */
final class RabbitmqConnections {
    private static final int TIMEOUT_MS = 10_000;

    /** A server on a busy machine, or with a slow disk, may need longer to declare a queue. */
    private static final int ANSWER_TIMEOUT_MS = 30_000;

    /** Closing is given up before, and then ends by itself. */
    private static final int CLOSE_TIMEOUT_MS = 10_000;

    private RabbitmqConnections() {}

    /**
     * Connects. A connection that breaks is not restored, see {@link #lasting}.
     *
     * @throws UserError of kind environment that says what to do
     */
    static Connection connect(final BrokerChannel<RabbitmqParameters> channel) {
        final RabbitmqParameters parameters = channel.parameters();
        final ConnectionFactory factory = new ConnectionFactory();
        factory.useBlockingIo();
        factory.setHost(channel.address().address().getHostAddress());
        factory.setPort(channel.address().port());
        factory.setUsername(parameters.credentials().user());
        factory.setPassword(password(channel));
        factory.setVirtualHost(parameters.virtualHost());
        factory.setConnectionTimeout(TIMEOUT_MS);
        factory.setHandshakeTimeout(TIMEOUT_MS);
        factory.setChannelRpcTimeout(ANSWER_TIMEOUT_MS);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setThreadFactory(Thread.ofPlatform().daemon().name("rabbitmq-", 0).factory());
        try {
            return factory.newConnection("tickmark");
        } catch (final PossibleAuthenticationFailureException e) {
            throw channel.failed(
                    "the server refuses the user '%s' (%s); give the right one with ?user= and ?passwordFile="
                            .formatted(parameters.credentials().user(), said(e)),
                    e);
        } catch (final IOException | TimeoutException e) {
            throw code(e) == AMQP.NOT_ALLOWED
                    ? channel.failed(
                            "the server refuses (%s); give another with ?virtualHost=, or see rabbitmqctl set_permissions"
                                    .formatted(said(e)),
                            e)
                    : channel.unanswered("RabbitMQ server", said(e), e);
        }
    }

    private static String password(final BrokerChannel<RabbitmqParameters> channel) {
        final String file = channel.parameters().credentials().passwordFile();
        if (file.isEmpty() || channel.startsServers()) {
            return ConnectionFactory.DEFAULT_PASS;
        }
        return SecretFile.read(channel.uri(), "passwordFile", file);
    }

    /**
     * A connection that is made again when it breaks. The client's own recovery tries to connect
     * for ever, but opens each channel and queue only once: where a server that has just started
     * does not answer in time, they are gone.
     *
     * @param alarms is told those of its server; an alarm ends with the connection
     * @throws UserError of kind environment that says what to do
     */
    static LastingConnection<Connection> lasting(
            final BrokerChannel<RabbitmqParameters> channel, final ServerAlarms alarms) {
        return new LastingConnection<>(
                "rabbitmq-reconnect",
                broken -> {
                    final Connection made = connect(channel);
                    made.addShutdownListener(cause -> {
                        alarms.handleUnblocked();
                        if (!cause.isInitiatedByApplication()) {
                            broken.accept(said(cause));
                        }
                    });
                    made.addBlockedListener(alarms);
                    return made;
                },
                RabbitmqConnections::end);
    }

    /**
     * Reports that the server closes a channel alone, with its reason; not that its connection
     * ends, which others report. On the client's thread, at once where it is closed already.
     */
    static void whenClosedByServer(final Channel by, final Consumer<String> reason) {
        by.addShutdownListener(cause -> {
            if (!cause.isInitiatedByApplication() && !cause.isHardError()) {
                reason.accept(said(cause));
            }
        });
    }

    /** What both ends of a channel report about it. */
    static Map<String, Object> facts(
            final BrokerChannel<RabbitmqParameters> channel,
            final LastingConnection<Connection> connection) {
        final Map<String, Object> facts = facts(channel, connection.get());
        facts.put("reconnects", connection.reconnects());
        return facts;
    }

    /**
     * Closes a connection and everything that depends on it; ignores one that is already closed.
     * The client's time-out begins once the good-bye is written, and where a thread is stuck in
     * writing, as the server reads nothing, the good-bye waits for that thread.
     */
    static void end(final Connection connection) {
        BoundedClose.of(() -> connection.abort(CLOSE_TIMEOUT_MS));
    }

    /** The server's message, or that of the system, without a full stop. */
    static String said(final Throwable e) {
        Throwable cause = e;
        while (reason(cause) == null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        final String text =
                switch (reason(cause)) {
                    case AMQP.Channel.Close close -> close.getReplyText();
                    case AMQP.Connection.Close close -> close.getReplyText();
                    case null, default -> cause.getMessage();
                };
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        if (cause instanceof EOFException) {
            return "the server hung up";
        }
        return String.valueOf(text == null ? cause.getClass().getSimpleName() : text)
                .strip()
                .replaceAll("\\s+", " ")
                .replaceFirst("\\.$", "");
    }

    /** The reply code of the server (AMQP 0-9-1, 1.2 "Constants"); 0 where there is none. */
    static int code(final Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            switch (reason(cause)) {
                case AMQP.Channel.Close close -> {
                    return close.getReplyCode();
                }
                case AMQP.Connection.Close close -> {
                    return close.getReplyCode();
                }
                case null, default -> {}
            }
        }
        return 0;
    }

    private static Method reason(final Throwable e) {
        return e instanceof ShutdownSignalException signal ? signal.getReason() : null;
    }

    /** The error for a refusal of the server after which the caller cannot continue. */
    static UserError refused(
            final BrokerChannel<RabbitmqParameters> channel, final String what, final Exception e) {
        return channel.failed("%s: %s".formatted(what, said(e)), e);
    }

    /** What both ends of a channel report about it. */
    static Map<String, Object> facts(
            final BrokerChannel<RabbitmqParameters> channel, final Connection connection) {
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("server", "RabbitMQ " + connection.getServerProperties().get("version"));
        facts.put("serverStartedHere", channel.startsServers());
        return facts;
    }
}

package io.tickmark.engines.rabbitmq;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.ServerProgram;
import io.tickmark.transport.broker.ServerSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a server of our own is started, whatever protocol it speaks. All its files and ports are its
 * own: see "File and Directory Locations" and "Networking" in the documentation of RabbitMQ.
 */
final class RabbitmqServer {
    /** The script that Debian's rabbitmq-server starts as a separate user. */
    static final ServerProgram PROGRAM =
            new ServerProgram(
                    "/usr/lib/rabbitmq/bin/rabbitmq-server",
                    "TICKMARK_RABBITMQ_SERVER",
                    "rabbitmq-server");

    static final Duration START_PATIENCE = Duration.ofSeconds(180);

    /** The node's name is fixed, as its data is bound to it; others find it by its own mapper. */
    static final String NODE = "tickmark@localhost";

    /**
     * A year. With deletion=kept a subscriber acknowledges nothing, and by default the server would
     * close its channel after half an hour and deliver the whole queue again.
     */
    private static final long CONSUMER_TIMEOUT_MS = 31_622_400_000L;

    /**
     * Replaces the shell with the server, so that a signal reaches it, and stops its port mapper
     * (epmd), which would outlive it, once the server is gone.
     */
    private static final String WITH_PORT_MAPPER =
            """
            (
                epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" &
                mapper=$!
                tail --pid="$$" -s 0.1 -f /dev/null
                kill "$mapper"
            ) &
            exec "$0"
            """;

    /**
     * The default of RabbitMQ: with less room on its disk it blocks all publishers ("Free Disk
     * Space Alarms" in its documentation).
     */
    static final long LEAST_FREE_BYTES = 50_000_000;

    private RabbitmqServer() {}

    /**
     * The server of a member.
     *
     * @param configuration its rabbitmq.conf, without the users who may come from this host
     * @param plugins an Erlang list of plugins that are on
     */
    static ServerSpec spec(
            final BrokerChannel<?> channel,
            final ServerSpec.Member member,
            final String configuration,
            final String plugins) {
        final Path program = PROGRAM.required(channel);
        final Path folder = member.folder().toAbsolutePath();
        return new ServerSpec(
                List.of(
                        "env",
                        "HOME=" + folder,
                        "ERL_EPMD_ADDRESS=127.0.0.1",
                        "ERL_EPMD_PORT=" + mapperPort(channel),
                        "RABBITMQ_NODENAME=" + NODE,
                        "RABBITMQ_DIST_PORT=" + member.peerPort(),
                        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}",
                        "RABBITMQ_CONF_ENV_FILE=/dev/null",
                        "RABBITMQ_CONFIG_FILE=" + folder.resolve("rabbitmq.conf"),
                        "RABBITMQ_ENABLED_PLUGINS_FILE=" + folder.resolve("enabled_plugins"),
                        "RABBITMQ_MNESIA_BASE=" + folder.resolve("data"),
                        "RABBITMQ_LOG_BASE=" + folder.resolve("log"),
                        "RABBITMQ_LOGS=-",
                        "RABBITMQ_PID_FILE=" + folder.resolve("pid"),
                        "RUNNING_UNDER_SYSTEMD=true", // no shell between a signal and the server
                        "sh",
                        "-c",
                        WITH_PORT_MAPPER,
                        program.toString()),
                Map.of(
                        "rabbitmq.conf",
                        "loopback_users = none\nconsumer_timeout = %d\ndisk_free_limit.absolute = %d\n"
                                        .formatted(CONSUMER_TIMEOUT_MS, LEAST_FREE_BYTES)
                                + configuration,
                        "enabled_plugins",
                        plugins + ".\n"),
                "Server startup complete",
                "BOOT FAILED",
                List.of("[critical]", "resource limit alarm set"),
                START_PATIENCE);
    }

    private static int mapperPort(final BrokerChannel<?> channel) {
        try {
            return FreePort.tcp(InetAddress.getLoopbackAddress());
        } catch (final IOException e) {
            throw channel.failed("no port is available on 127.0.0.1; free some", e);
        }
    }
}

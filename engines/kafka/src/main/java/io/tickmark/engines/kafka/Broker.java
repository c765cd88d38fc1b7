package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;

/**
 * One broker of ours, which is its controller too (KRaft): a JVM of its own with this process's
 * class path. It keeps its ports when it is started again.
 */
final class Broker implements AutoCloseable {
    static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final String DATA = "data";

    /** Any id does, as long as all members have it. */
    private static final String CLUSTER = "dGlja21hcmstc3RvcmU";

    private final KafkaChannel channel;
    private final int number;
    private final HostPort address;
    private final int controllerPort;
    private final Path folder;
    private volatile ServerProcess process;

    private Broker(
            final KafkaChannel channel,
            final int number,
            final HostPort address,
            final int controllerPort,
            final Path folder) {
        this.channel = channel;
        this.number = number;
        this.address = address;
        this.controllerPort = controllerPort;
        this.folder = folder;
    }

    /**
     * All of a cluster, not started; the first takes the port of the channel where it names one.
     */
    static List<Broker> of(final KafkaChannel channel, final int count, final Path directory) {
        final HostPort wanted = channel.address();
        final List<Integer> ports = freePorts(channel, wanted.address(), 2 * count);
        final List<Broker> brokers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int port = i == 0 && wanted.port() != 0 ? wanted.port() : ports.get(2 * i);
            brokers.add(
                    new Broker(
                            channel,
                            i + 1,
                            wanted.withPort(port),
                            ports.get(2 * i + 1),
                            directory.resolve("member-" + (i + 1))));
        }
        return brokers;
    }

    private static List<Integer> freePorts(
            final KafkaChannel channel, final InetAddress host, final int count) {
        final List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, host));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (final IOException e) {
            throw channel.failed(
                    "no port can be had on %s; give an address of this machine"
                            .formatted(host.getHostAddress()),
                    e);
        } finally {
            CloseHelper.closeAll(held);
        }
    }

    /** Starts its process; {@link #awaitReady} waits for it. */
    void start(final List<Broker> all) {
        if (isAlive()) {
            return;
        }
        final Path properties = folder.resolve("server.properties");
        try {
            Files.createDirectories(folder);
            Files.writeString(properties, properties(all));
        } catch (final IOException e) {
            throw channel.failed(properties + " cannot be written: " + e.getMessage(), e);
        }
        process =
                ServerProcess.start(
                        ServerProcess.java(
                                List.of(
                                        "-Xmx" + channel.parameters().brokerHeapMib() + "m",
                                        "-XX:+UseG1GC",
                                        "-Djava.awt.headless=true"),
                                KafkaBroker.class,
                                List.of(properties.toString(), CLUSTER)),
                        Map.of(),
                        log());
    }

    private Path log() {
        return folder.resolve("broker.log");
    }

    private String properties(final List<Broker> all) {
        final int copies = all.size();
        final int maxBytes = channel.parameters().maxPayloadBytes() + Topics.BATCH_OVERHEAD_BYTES;
        return """
        process.roles=broker,controller
        node.id=%d
        controller.quorum.voters=%s
        listeners=PLAINTEXT://%s,CONTROLLER://%s:%d
        advertised.listeners=PLAINTEXT://%s
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
        log.dirs=%s
        auto.create.topics.enable=false
        offsets.topic.replication.factor=%d
        share.coordinator.state.topic.replication.factor=%d
        transaction.state.log.replication.factor=%d
        message.max.bytes=%d
        replica.fetch.max.bytes=%d
        socket.request.max.bytes=%d
        log.retention.ms=-1
        connections.max.idle.ms=86400000
        broker.session.timeout.ms=3000
        broker.heartbeat.interval.ms=500
        controlled.shutdown.max.retries=1
        """
                .formatted(
                        number,
                        all.stream().map(Broker::voter).collect(Collectors.joining(",")),
                        address.authority(),
                        address.host(),
                        controllerPort,
                        address.authority(),
                        data().toAbsolutePath(),
                        copies,
                        copies,
                        copies,
                        maxBytes,
                        maxBytes,
                        Math.max(maxBytes * 2, 100 << 20));
    }

    private String voter() {
        return "%d@%s:%d".formatted(number, address.host(), controllerPort);
    }

    void awaitReady() {
        process.awaitReady(KafkaBroker.READY, KafkaBroker.FAILED, START_PATIENCE)
                .ifPresent(why -> {
                    throw notReady(why);
                });
    }

    private UserError notReady(final String why) {
        return process.lastWords(50).contains("Address already in use")
                ? channel.failed(
                        "port %d is in use; choose another, or 0 for any free one"
                                .formatted(address.port()),
                        null)
                : channel.failed("the broker does not start: " + why, null);
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    boolean hasEndedByItself() {
        return process != null && process.hasEndedByItself();
    }

    HostPort address() {
        return address;
    }

    /** Where its log segments are. */
    Path data() {
        return folder.resolve(DATA);
    }

    void kill() {
        if (process != null) {
            process.kill();
        }
    }

    /** Ends it in good order. */
    @Override
    public void close() {
        if (process != null) {
            process.stop(STOP_PATIENCE);
        }
    }
}

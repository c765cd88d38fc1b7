package io.tickmark.engines.pulsar;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a server of our own is started: Pulsar's standalone server, which is a broker and a bookie in
 * one process with their metadata in RocksDB, from the jars of the user's installation and with a
 * configuration of ours, so that a result does not depend on theirs.
 */
final class PulsarServer {
    /** Names the folder of an installation, as Pulsar's own scripts have it. */
    static final String HOME = "PULSAR_HOME";

    static final Duration START_PATIENCE = Duration.ofSeconds(180);

    private static final String CONFIGURATION = "standalone.conf";
    private static final String LOGGING = "log4j2.properties";
    private static final int MESSAGE_OVERHEAD_BYTES = 64 << 10;

    /** Of Pulsar; smaller ones are left as they are. */
    private static final int DEFAULT_MESSAGE_BYTES = 5 << 20;

    /** What its own script opens to it, and what Java 25 would warn of. */
    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseG1GC",
                    "-Djava.awt.headless=true",
                    "-Dio.netty.tryReflectionSetAccessible=true",
                    "-Dpulsar.allocator.exit_on_oom=true",
                    "--sun-misc-unsafe-memory-access=allow",
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
                    "--add-opens=java.management/sun.management=ALL-UNNAMED",
                    "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

    private PulsarServer() {}

    private static Optional<Path> jars() {
        return Optional.ofNullable(System.getenv(HOME))
                .filter(home -> !home.isBlank())
                .map(home -> Path.of(home, "lib"))
                .filter(PulsarServer::hasServer);
    }

    /**
     * An archive of Pulsar has group names before those of its jars, Maven's repository has not.
     */
    static boolean hasServer(final Path jars) {
        try (DirectoryStream<Path> servers =
                Files.newDirectoryStream(jars, "*pulsar-broker-[0-9]*.jar")) {
            return servers.iterator().hasNext();
        } catch (final IOException e) {
            return false; // no folder, or nobody may look into it
        }
    }

    /** Why no server can be started here, a clause; empty where one is installed. */
    static Optional<String> absence() {
        return jars().isPresent()
                ? Optional.empty()
                : Optional.of(
                        ("the server is not installed (%s names no folder with Pulsar's jars in lib), so only one that is already"
                                        + " running can be used; unpack apache-pulsar-4.0.7-bin.tar.gz from"
                                        + " https://pulsar.apache.org/download and let %s name its folder")
                                .formatted(HOME, HOME));
    }

    /** The server of a member. */
    static ServerSpec spec(
            final BrokerChannel<PulsarParameters> channel, final ServerSpec.Member member) {
        final Path jars =
                jars().orElseThrow(
                                () -> channel.failed(absence().orElse("there is no server"), null));
        final Path folder = member.folder().toAbsolutePath();
        final List<String> flags = new ArrayList<>(FLAGS);
        final int heapMib = channel.parameters().serverHeapMib();
        flags.add("-Xmx%dm".formatted(heapMib));
        flags.add("-XX:MaxDirectMemorySize=%dm".formatted(heapMib));
        flags.add("-Dlog4j2.configurationFile=" + folder.resolve(LOGGING));
        return new ServerSpec(
                ServerProcess.java(
                        flags,
                        jars + "/*",
                        "org.apache.pulsar.PulsarStandaloneStarter",
                        List.of(
                                "--config",
                                folder.resolve(CONFIGURATION).toString(),
                                "--metadata-dir",
                                folder.resolve("metadata").toString(),
                                "--bookkeeper-dir",
                                folder.resolve("bookkeeper").toString(),
                                "--zookeeper-dir", // it looks whether an old one is there
                                folder.resolve("zookeeper").toString(),
                                "--no-functions-worker",
                                "--no-stream-storage")),
                Map.of(CONFIGURATION, configuration(channel, member), LOGGING, logging()),
                "--- setup completed ---",
                "Failed to start pulsar service.",
                List.of(
                        "OutOfDirectMemoryError",
                        "All ledger directories are non writable",
                        "No space left on device"),
                START_PATIENCE);
    }

    /**
     * The defaults of Pulsar's standalone.conf with these exceptions: ports, folders and addresses
     * of its own, no more services than messages need, no quota and no watch over the disk, and an
     * entry that cannot be read is tried again after 0.1 to 1 s instead of 15 to 60.
     */
    private static String configuration(
            final BrokerChannel<PulsarParameters> channel, final ServerSpec.Member member) {
        final int messageBytes =
                Math.max(
                        DEFAULT_MESSAGE_BYTES,
                        channel.parameters().broker().maxPayloadBytes() + MESSAGE_OVERHEAD_BYTES);
        return """
        clusterName=standalone
        brokerServicePort=%d
        webServicePort=%d
        bindAddress=%s
        advertisedAddress=%s
        maxMessageSize=%d
        nettyMaxFrameSizeBytes=%d
        journalSyncData=%s
        journalMaxGroupWaitMSec=1
        ledgerStorageClass=org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage
        dbStorage_rocksDB_writeBufferSizeMB=4
        dbStorage_rocksDB_sstSizeInMB=4
        dbStorage_rocksDB_blockSize=4096
        dbStorage_rocksDB_bloomFilterBitsPerKey=10
        dbStorage_rocksDB_numLevels=-1
        dbStorage_rocksDB_numFilesInLevel0=4
        dbStorage_rocksDB_maxSizeInLevel1MB=256
        managedLedgerDefaultEnsembleSize=1
        managedLedgerDefaultWriteQuorum=1
        managedLedgerDefaultAckQuorum=1
        loadManagerClassName=org.apache.pulsar.broker.loadbalance.NoopLoadManager
        loadBalancerEnabled=false
        systemTopicEnabled=false
        topicLevelPoliciesEnabled=false
        webSocketServiceEnabled=false
        backlogQuotaCheckEnabled=false
        diskUsageThreshold=0.999
        diskUsageWarnThreshold=0.999
        allowLoopback=true
        dispatcherReadFailureBackoffInitialTimeInMs=100
        dispatcherReadFailureBackoffMaxTimeInMs=1000
        """
                .formatted(
                        member.address().port(),
                        member.peerPort(),
                        member.address().address().getHostAddress(),
                        member.address().address().getHostAddress(),
                        messageBytes,
                        messageBytes + MESSAGE_OVERHEAD_BYTES,
                        channel.parameters().sync());
    }

    /**
     * Warnings, and the line that says that it is ready, which it writes for those who debug it.
     */
    private static String logging() {
        return """
        status=error
        appender.out.type=Console
        appender.out.name=out
        appender.out.layout.type=PatternLayout
        appender.out.layout.pattern=%d %p %c{1} %m %rEx{1}%n
        rootLogger.level=warn
        rootLogger.appenderRef.out.ref=out
        logger.start.name=org.apache.pulsar.PulsarStandalone
        logger.start.level=debug
        """;
    }
}

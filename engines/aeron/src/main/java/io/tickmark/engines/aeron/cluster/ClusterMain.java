package io.tickmark.engines.aeron.cluster;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tickmark.engines.aeron.DriverDirectory;
import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.engines.aeron.archive.ArchiveMain;
import java.io.File;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/** One member of a cluster, in a process of its own: driver, archive, consensus and service. */
public final class ClusterMain implements AutoCloseable {
    private static final String ANY_PORT = "aeron:udp?endpoint=127.0.0.1:0";
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MOST_DRAINS = 50;
    private static final long ELECTION_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A client that nobody hears of is given up later than a leader. */
    private static final int SESSION_FACTOR = 6;

    private final ClusterMemberOptions options;
    private final String aeronDir = DriverDirectory.unique().getPath();
    private final ThreadFactory threads;
    private final Supplier<IdleStrategy> idle;
    private MediaDriver driver;
    private Archive archive;
    private ConsensusModule consensus;
    private ClusteredServiceContainer container;

    private ClusterMain(final ClusterMemberOptions options) {
        this.options = options;
        threads = MemberProcess.pinnedTo(options.core());
        idle = () -> DriverIdle.valueOf(options.idle()).strategy();
    }

    /**
     * Runs the member.
     *
     * @param arguments as {@link ClusterMemberOptions} writes them
     */
    public static void main(final String[] arguments) {
        MemberProcess.run(new ClusterMain(ClusterMemberOptions.read(arguments))::launch);
    }

    private ClusterMain launch() {
        driver = MediaDriver.launch(driverContext());
        archive =
                MemberProcess.patiently(
                        () -> Archive.launch(archiveContext()),
                        reason ->
                                ArchiveMain.verify(
                                        ClusterFiles.archive(options.directory()).toFile(),
                                        options.crc(),
                                        reason));
        consensus =
                MemberProcess.patiently(
                        () -> ConsensusModule.launch(consensusContext()), ClusterMain::fail);
        container =
                MemberProcess.patiently(
                        () -> ClusteredServiceContainer.launch(serviceContext()),
                        ClusterMain::fail);
        return this;
    }

    private static void fail(final RuntimeException reason) {
        throw reason;
    }

    private MediaDriver.Context driverContext() {
        return new MediaDriver.Context()
                .aeronDirectoryName(aeronDir)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle.get())
                .sharedThreadFactory(threads)
                .mtuLength(options.mtuBytes())
                .ipcMtuLength(options.mtuBytes())
                .clientLivenessTimeoutNs(options.livenessNs())
                .imageLivenessTimeoutNs(options.livenessNs())
                .publicationConnectionTimeoutNs(options.livenessNs())
                .publicationUnblockTimeoutNs(2 * options.livenessNs())
                .errorHandler(handler("driver"));
    }

    private Archive.Context archiveContext() {
        final Archive.Context context =
                new Archive.Context()
                        .aeronDirectoryName(aeronDir)
                        .archiveDir(ClusterFiles.archive(options.directory()).toFile())
                        .archiveId(options.member())
                        .controlChannel("aeron:udp?endpoint=" + options.archiveEndpoint())
                        .archiveClientContext(
                                new AeronArchive.Context().controlResponseChannel(ANY_PORT))
                        .replicationChannel(ANY_PORT)
                        .recordingEventsEnabled(false)
                        .threadingMode(ArchiveThreadingMode.SHARED)
                        .fileSyncLevel(options.sync())
                        .catalogFileSyncLevel(options.sync())
                        .segmentFileLength(options.segmentBytes())
                        .lowStorageSpaceThreshold(options.segmentBytes())
                        .idleStrategySupplier(idle)
                        .threadFactory(threads)
                        .errorHandler(handler("archive"));
        if (options.crc()) {
            context.recordChecksum(Checksums.crc32c());
        }
        return context;
    }

    private ConsensusModule.Context consensusContext() {
        return new ConsensusModule.Context()
                .aeronDirectoryName(aeronDir)
                .clusterDir(clusterDir())
                .clusterMemberId(options.member() - 1)
                .clusterMembers(options.endpoints())
                .ingressChannel("aeron:udp?term-length=" + options.termBytes())
                .logChannel("aeron:udp?term-length=" + options.termBytes())
                .replicationChannel(ANY_PORT)
                .fileSyncLevel(options.sync())
                .sessionTimeoutNs(SESSION_FACTOR * options.livenessNs())
                .leaderHeartbeatTimeoutNs(options.livenessNs())
                .startupCanvassTimeoutNs(2 * options.livenessNs())
                .electionTimeoutNs(ELECTION_NS)
                .idleStrategySupplier(idle)
                .threadFactory(threads)
                .terminationHook(ClusterMain::end)
                .errorHandler(handler("consensus"));
    }

    private ClusteredServiceContainer.Context serviceContext() {
        return new ClusteredServiceContainer.Context()
                .aeronDirectoryName(aeronDir)
                .clusterDir(clusterDir())
                .clusteredService(new StoreService())
                .idleStrategySupplier(idle)
                .threadFactory(threads)
                .terminationHook(ClusterMain::end)
                .errorHandler(handler("service"));
    }

    private File clusterDir() {
        return ClusterFiles.cluster(options.directory()).toFile();
    }

    private static ErrorHandler handler(final String part) {
        return error -> System.err.println(part + ": " + ErrorNotes.sentence(error));
    }

    /** A member whose consensus or service has given up is none. */
    private static void end() {
        System.err.println("it gave up");
        Runtime.getRuntime().halt(1);
    }

    /** What clients had sent is recorded first: waits until nothing moves. */
    private void drain() {
        final CountersReader counters = archive.context().aeron().countersReader();
        long before = -1;
        long now = recordedBytes(counters);
        for (int i = 0; i < MOST_DRAINS && now != before; i++) {
            LockSupport.parkNanos(DRAIN_NS);
            before = now;
            now = recordedBytes(counters);
        }
    }

    private static long recordedBytes(final CountersReader counters) {
        final long[] sum = {0};
        counters.forEach((counterId, typeId, key, label) -> {
            if (typeId == RecordingPos.RECORDING_POSITION_TYPE_ID) {
                sum[0] += counters.getCounterValue(counterId);
            }
        });
        return sum[0];
    }

    @Override
    public void close() {
        drain();
        CloseHelper.quietCloseAll(container, consensus, archive, driver);
    }
}

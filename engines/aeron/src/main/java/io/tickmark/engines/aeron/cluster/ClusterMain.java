package io.tickmark.engines.aeron.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import io.tickmark.engines.aeron.DriverDirectory;
import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.engines.aeron.archive.ArchiveMain;
import io.tickmark.transport.Topic;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/** One member of a cluster, in a separate process: driver, archive, consensus and service. */
public final class ClusterMain implements AutoCloseable {
    private static final String ANY_PORT = "aeron:udp?endpoint=127.0.0.1:0";
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MOST_DRAINS = 50;
    private static final long ELECTION_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A silent client is given up later than a leader. */
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

    /** A member whose consensus or service has given up must not continue. */
    private static void end() {
        System.err.println("it gave up");
        Runtime.getRuntime().halt(1);
    }

    /** Messages of clients are recorded first: waits until positions stop moving. */
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

    /**
     * What each member does with the log that all have agreed on: counts the messages of each
     * topic, drops those that arrive twice or after a gap, reports the topic's last ordinal to the
     * sender, and passes messages to subscribers. Only the leader's answers are sent. The cluster's
     * thread.
     */
    private static final class StoreService implements ClusteredService {
        /** A client that cannot receive an answer learns it from the next one, or requests it. */
        private static final int ATTEMPTS = 3;

        private final long[] last = new long[Topic.MAX_TOPICS + 1];
        private final List<List<ClientSession>> subscribers = new ArrayList<>();
        private final UnsafeBuffer answer = new UnsafeBuffer(new byte[ClusterFrames.LENGTH]);

        StoreService() {
            Arrays.fill(last, -1);
            for (int topic = 0; topic < last.length; topic++) {
                subscribers.add(new ArrayList<>());
            }
        }

        @Override
        public void onStart(final Cluster cluster, final Image snapshotImage) {
            if (snapshotImage != null) {
                throw new IllegalStateException("a store has no snapshots: its log is kept whole");
            }
        }

        @Override
        public void onSessionOpen(final ClientSession session, final long timestamp) {
            // its first message shows what it is
        }

        @Override
        public void onSessionClose(
                final ClientSession session, final long timestamp, final CloseReason closeReason) {
            for (final List<ClientSession> ofTopic : subscribers) {
                ofTopic.removeIf(other -> other.id() == session.id());
            }
        }

        @Override
        public void onSessionMessage(
                final ClientSession session,
                final long timestamp,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final Header header) {
            if (length < ClusterFrames.LENGTH) {
                return;
            }
            final int topic = ClusterFrames.topic(buffer, offset);
            if (topic < 1 || topic > Topic.MAX_TOPICS) {
                return;
            }
            switch (ClusterFrames.kind(buffer, offset)) {
                case ClusterFrames.MESSAGE -> {
                    if (ClusterFrames.ordinal(buffer, offset) == last[topic] + 1) {
                        last[topic]++;
                        final List<ClientSession> ofTopic = subscribers.get(topic);
                        for (int i = 0; i < ofTopic.size(); i++) {
                            offer(ofTopic.get(i), buffer, offset, length);
                        }
                    }
                }
                case ClusterFrames.SUBSCRIBE -> {
                    if (!subscribers.get(topic).contains(session)) {
                        subscribers.get(topic).add(session);
                    }
                }
                default -> {} // it requests it
            }
            ClusterFrames.put(answer, ClusterFrames.LAST, topic, last[topic]);
            offer(session, answer, 0, ClusterFrames.LENGTH);
        }

        private static void offer(
                final ClientSession session,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            for (int i = 0; i < ATTEMPTS; i++) {
                if (session.offer(buffer, offset, length) >= 0) {
                    return;
                }
            }
        }

        @Override
        public void onTimerEvent(final long correlationId, final long timestamp) {
            // none is set
        }

        @Override
        public void onTakeSnapshot(final ExclusivePublication snapshotPublication) {
            throw new IllegalStateException("a store takes no snapshots: its log is kept whole");
        }

        @Override
        public void onRoleChange(final Cluster.Role newRole) {
            // followers' answers are not sent
        }

        @Override
        public void onTerminate(final Cluster cluster) {
            // there are no resources
        }
    }
}

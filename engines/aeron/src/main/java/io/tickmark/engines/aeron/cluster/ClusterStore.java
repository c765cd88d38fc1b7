package io.tickmark.engines.aeron.cluster;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tickmark.engines.aeron.DriverDirectory;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.FreePorts;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * A cluster's members as processes of their own, and a driver here for its clients: a member that
 * dies takes no client with it. The control thread calls; a thread of its own looks for members
 * that died by themselves.
 */
final class ClusterStore implements StoreServer {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Messages are taken once somebody leads; electing one takes seconds on a busy machine. */
    private static final long LEADER_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int PORTS_OF_MEMBER = 5;
    private static final String LOOPBACK = "127.0.0.1:";

    private final ChannelUri channel;
    private final ClusterParameters parameters;
    private final Path data;
    private final ErrorNotes errors = new ErrorNotes();
    private final List<ClusterMember> members = new ArrayList<>();
    private List<Integer> ports = List.of();
    private File aeronDir;
    private MediaDriver driver;
    private Aeron aeron;
    private Thread looking;
    private volatile boolean isClosing;

    ClusterStore(
            final ChannelUri channel, final ClusterParameters parameters, final Path directory) {
        this.channel = channel;
        this.parameters = parameters;
        data = directory.toAbsolutePath();
    }

    @Override
    public void start() {
        isClosing = false;
        aeronDir = DriverDirectory.unique();
        try {
            startDriver();
            ports = FreePorts.onLoopback(PORTS_OF_MEMBER * parameters.members());
            final String endpoints = endpoints();
            for (int member = 1; member <= parameters.members(); member++) {
                members.add(
                        new ClusterMember(
                                ClusterMemberOptions.of(member, endpoints, data, parameters),
                                ClusterFiles.log(data, member),
                                parameters.markFile(),
                                aeron));
            }
            members.forEach(ClusterMember::launch);
            members.forEach(ClusterMember::awaitReady);
            Files.writeString(ClusterFiles.ingress(data), ingress());
            ClusterSession.awaitLeader(endpoint(), LEADER_NS);
        } catch (final IOException e) {
            close();
            throw UserError.environment(
                    "--channel %s: %s cannot be written (%s); give another --store-directory."
                            .formatted(channel, data, e.getMessage()),
                    e);
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
        looking = Thread.ofPlatform().daemon().name("cluster-members").start(this::look);
    }

    private void startDriver() {
        final long livenessNs = parameters.livenessTimeout().toNanos();
        try {
            driver =
                    MediaDriver.launch(
                            new MediaDriver.Context()
                                    .aeronDirectoryName(aeronDir.getPath())
                                    .dirDeleteOnStart(true)
                                    .dirDeleteOnShutdown(true)
                                    .threadingMode(ThreadingMode.SHARED)
                                    .sharedIdleStrategy(new BackoffIdleStrategy())
                                    .mtuLength(parameters.mtuBytes())
                                    .clientLivenessTimeoutNs(livenessNs)
                                    .imageLivenessTimeoutNs(livenessNs)
                                    .publicationUnblockTimeoutNs(2 * livenessNs)
                                    .errorHandler(errors));
            aeron =
                    Aeron.connect(
                            new Aeron.Context()
                                    .aeronDirectoryName(aeronDir.getPath())
                                    .errorHandler(errors));
        } catch (final RuntimeException e) {
            throw UserError.environment(
                    "--channel %s: no Aeron driver can be started in %s (%s); see that it can be written and has room."
                            .formatted(channel, aeronDir, ErrorNotes.sentence(e)),
                    e);
        }
    }

    /** Addresses of all members for ingress, consensus, log, catch-up and archive. */
    private String endpoints() {
        final StringJoiner all = new StringJoiner("|");
        for (int member = 0; member < parameters.members(); member++) {
            final StringJoiner own = new StringJoiner(",").add(Integer.toString(member));
            for (int i = 0; i < PORTS_OF_MEMBER; i++) {
                own.add(LOOPBACK + ports.get(member * PORTS_OF_MEMBER + i));
            }
            all.add(own.toString());
        }
        return all.toString();
    }

    private String ingress() {
        final StringJoiner all = new StringJoiner(",");
        for (int member = 0; member < parameters.members(); member++) {
            all.add(member + "=" + LOOPBACK + ports.get(member * PORTS_OF_MEMBER));
        }
        return all.toString();
    }

    private void look() {
        while (!isClosing) {
            synchronized (this) {
                members.forEach(ClusterMember::look);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    @Override
    public ChannelUri endpoint() {
        return new ChannelUri(
                channel.scheme(),
                "",
                channel.with("aeronDir", aeronDir.getPath())
                        .with("data", data.toString())
                        .parameters(),
                true);
    }

    @Override
    public int members() {
        return parameters.members();
    }

    @Override
    public synchronized void kill(final int member) {
        members.get(member - 1).kill();
    }

    @Override
    public void restart(final int member) {
        final ClusterMember dead = members.get(member - 1);
        synchronized (this) {
            dead.kill();
        }
        dead.launch();
        dead.awaitReady();
        if (members.stream().filter(ClusterMember::isAlive).count() >= parameters.quorum()) {
            ClusterSession.awaitLeader(endpoint(), LEADER_NS);
        }
    }

    private ClusterLog log(final int member, final Topic topic, final long fromOrdinal) {
        return new ClusterLog(
                ClusterFiles.archive(ClusterFiles.member(data, member)),
                parameters.crc(),
                topic.id(),
                fromOrdinal);
    }

    @Override
    public Verification verify(final Topic topic) {
        long messages = 0;
        long torn = 0;
        long corrupted = 0;
        for (int member = 1; member <= parameters.members(); member++) {
            final ClusterLog log = log(member, topic, 0);
            long found = 0;
            while (log.advance()) {
                found++;
            }
            messages = Math.max(messages, found);
            torn += log.tornBytes();
            corrupted += log.corrupted();
        }
        return new Verification(messages, torn, corrupted);
    }

    @Override
    public List<Long> onMembers(final Topic topic) {
        final List<Long> counts = new ArrayList<>();
        for (int member = 1; member <= parameters.members(); member++) {
            final ClusterLog log = log(member, topic, 0);
            long found = 0;
            while (log.advance()) {
                found++;
            }
            counts.add(found);
        }
        return counts;
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        final List<ClusterLog> logs = new ArrayList<>();
        for (int member = 1; member <= parameters.members(); member++) {
            final ClusterLog log = log(member, topic, fromOrdinal);
            if (log.advance()) {
                logs.add(log);
            }
        }
        long count = 0;
        while (!logs.isEmpty()) {
            ClusterLog lowest = logs.getFirst();
            for (final ClusterLog log : logs) {
                lowest = log.ordinal() < lowest.ordinal() ? log : lowest;
            }
            final long ordinal = lowest.ordinal();
            handler.onMessage(lowest.buffer(), lowest.messageOffset(), lowest.messageLength());
            count++;
            logs.removeIf(log -> log.ordinal() == ordinal && !log.advance());
        }
        return count;
    }

    @Override
    public List<Cut> cuts() {
        return members.stream().flatMap(member -> member.cuts().stream()).toList();
    }

    @Override
    public List<String> troubles() {
        return errors.kept();
    }

    @Override
    public void close() {
        isClosing = true;
        if (looking != null) {
            try {
                looking.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            looking = null;
        }
        members.parallelStream().forEach(ClusterMember::close);
        members.clear();
        CloseHelper.quietCloseAll(aeron, driver);
        aeron = null;
        driver = null;
    }
}

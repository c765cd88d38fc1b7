package io.tickmark.engines.aeron.cluster;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;
import io.tickmark.engines.aeron.ChosenPorts;
import io.tickmark.engines.aeron.MemberLog;
import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.engines.aeron.MemberStore;
import io.tickmark.engines.aeron.archive.MarkFileRule;
import io.tickmark.engines.aeron.archive.MemberLife;
import io.tickmark.engines.aeron.archive.TornTails;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A cluster's members as separate processes. */
final class ClusterStore extends MemberStore {
    /**
     * Messages are accepted once there is a leader; electing one takes seconds on a busy machine.
     */
    private static final long LEADER_NS = TimeUnit.SECONDS.toNanos(90);

    private static final int PORTS_OF_MEMBER = 5;
    private static final String LOOPBACK = "127.0.0.1:";

    private final ClusterParameters parameters;
    private final List<ClusterMember> members = new ArrayList<>();
    private List<Integer> ports = List.of();

    ClusterStore(
            final ChannelUri channel, final ClusterParameters parameters, final Path directory) {
        super(channel, parameters.members(), directory);
        this.parameters = parameters;
    }

    @Override
    public void start() {
        try {
            final Aeron aeron =
                    startDriver(
                            parameters.livenessTimeout(),
                            context ->
                                    context.mtuLength(parameters.mtuBytes())
                                            .imageLivenessTimeoutNs(
                                                    parameters.livenessTimeout().toNanos()));
            ports = ChosenPorts.onLoopback(PORTS_OF_MEMBER * parameters.members());
            final String endpoints = endpoints();
            for (int member = 1; member <= parameters.members(); member++) {
                members.add(
                        new ClusterMember(
                                ClusterMemberOptions.of(member, endpoints, data(), parameters),
                                ClusterFiles.log(data(), member),
                                parameters.member().markFile(),
                                aeron));
            }
            members.forEach(ClusterMember::launch);
            members.forEach(ClusterMember::awaitReady);
            Files.writeString(ClusterFiles.ingress(data()), ingress());
            ClusterSession.awaitLeader(endpoint(), LEADER_NS);
        } catch (final IOException e) {
            close();
            throw UserError.environment(
                    "--channel %s: %s cannot be written (%s); give another --store-directory."
                            .formatted(channel(), data(), e.getMessage()),
                    e);
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
        startLooking("cluster-members");
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

    @Override
    protected void look() {
        members.forEach(ClusterMember::look);
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

    @Override
    protected MemberLog log(final int member, final Topic topic, final long fromOrdinal) {
        return new ClusterLog(
                ClusterFiles.archive(ClusterFiles.member(data(), member)),
                parameters.member().crc(),
                topic.id(),
                fromOrdinal);
    }

    @Override
    public List<Cut> cuts() {
        return members.stream().flatMap(member -> member.cuts().stream()).toList();
    }

    @Override
    public List<String> ended() {
        return members.stream().flatMap(member -> member.ended()).toList();
    }

    @Override
    public List<String> troubles() {
        return errors().kept();
    }

    @Override
    public void close() {
        stopLooking();
        members.parallelStream().forEach(ClusterMember::close);
        members.clear();
        stopDriver();
    }

    /** One member of a cluster as its store sees it. Any thread, one at a time. */
    private static final class ClusterMember {
        private static final int SERVICE = 0;

        private final ClusterMemberOptions options;
        private final Path log;
        private final MarkFileRule markFile;
        private final Counter life;
        private final List<StoreServer.Cut> cuts = new ArrayList<>();
        private final List<String> earlierEnds = new CopyOnWriteArrayList<>();
        private volatile MemberProcess process;
        private long lives;

        ClusterMember(
                final ClusterMemberOptions options,
                final Path log,
                final MarkFileRule markFile,
                final Aeron aeron) {
            this.options = options;
            this.log = log;
            this.markFile = markFile;
            life = MemberLife.allocate(aeron, options.member());
        }

        /** Starts its process; {@link #awaitReady()} waits for it. */
        void launch() {
            try {
                Files.createDirectories(ClusterFiles.cluster(options.directory()));
                final Path archive =
                        Files.createDirectories(ClusterFiles.archive(options.directory()));
                if (markFile == MarkFileRule.REMOVE) {
                    removeMarkFiles(archive);
                }
                cuts.addAll(TornTails.cut(archive, options.crc()));
            } catch (final IOException e) {
                throw UserError.environment(
                        "%s does not start: %s cannot be used."
                                .formatted(name(), options.directory()),
                        e);
            }
            ownEnd().ifPresent(earlierEnds::add);
            process = MemberProcess.launch(name(), ClusterMain.class, options.arguments(), log);
        }

        private Optional<String> ownEnd() {
            return Optional.ofNullable(process)
                    .flatMap(its -> its.ended("Cluster member " + options.member()));
        }

        /** How its processes ended by themselves. */
        Stream<String> ended() {
            return Stream.concat(earlierEnds.stream(), ownEnd().stream());
        }

        private String name() {
            return "The cluster's member %d in %s".formatted(options.member(), options.directory());
        }

        private void removeMarkFiles(final Path archive) throws IOException {
            final Path cluster = ClusterFiles.cluster(options.directory());
            Files.deleteIfExists(archive.resolve(ArchiveMarkFile.FILENAME));
            Files.deleteIfExists(cluster.resolve(ClusterMarkFile.FILENAME));
            Files.deleteIfExists(cluster.resolve(ClusterMarkFile.markFilenameForService(SERVICE)));
        }

        void awaitReady() {
            process.awaitReady();
            life.setRelease(++lives);
        }

        boolean isAlive() {
            return process != null && process.isAlive();
        }

        /** What was cut off its files at each start. */
        List<StoreServer.Cut> cuts() {
            return cuts;
        }

        /** Marks it as gone, so that clients notice before the cluster does. */
        private void gone() {
            if (!life.isClosed()) {
                life.setRelease(-lives);
            }
        }

        /** Detects a process that ended by itself. */
        void look() {
            if (process != null && !process.isAlive() && !life.isClosed() && life.get() > 0) {
                gone();
            }
        }

        void kill() {
            if (process != null) {
                process.kill();
            }
            gone();
        }

        void close() {
            gone();
            if (process != null) {
                process.close();
            }
        }
    }
}

package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Servers with JetStream, one or a cluster, as children; each has a folder {@code member-N} in the
 * store's directory. They keep their ports when they are started again, so that clients find back.
 */
final class JetStreamStore implements StoreServer {
    private static final Duration READY_PATIENCE = Duration.ofSeconds(30);
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(2);
    private static final long LOOK_NS = 20_000_000;

    private final NatsChannel channel;
    private final Path directory;
    private final AtomicReferenceArray<NatsServer> servers;
    private volatile List<StoreMember> members = List.of();

    /** What kept a read-back from taking its usual way; told with the engine's own troubles. */
    private final Set<String> detours = new LinkedHashSet<>();

    JetStreamStore(final NatsChannel channel, final Path directory) {
        this.channel = channel;
        this.directory = directory;
        servers = new AtomicReferenceArray<>(channel.members());
    }

    @Override
    public void start() {
        StoreMember.checkSync(channel);
        if (members.isEmpty()) {
            members = StoreMember.of(channel, directory);
        }
        try {
            for (int member = 1; member <= members(); member++) {
                startMember(member);
            }
            awaitReady();
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Known to {@link #kill} from its first moment on, so that one on its way up can be killed. */
    private void startMember(final int member) {
        if (!isAlive(servers.get(member - 1))) {
            members.get(member - 1).start(members, server -> servers.set(member - 1, server));
        }
    }

    private static boolean isAlive(final NatsServer server) {
        return server != null && server.isAlive();
    }

    @Override
    public int members() {
        return servers.length();
    }

    @Override
    public void restart(final int member) {
        startMember(member);
        if (running() > members() / 2) {
            awaitReady();
        }
    }

    private long running() {
        return IntStream.range(0, members()).filter(i -> isAlive(servers.get(i))).count();
    }

    /** A cluster has to choose a leader before it takes requests. */
    private void awaitReady() {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        final Connection connection = Connections.open(reached());
        try {
            while (!isReady(connection)) {
                if (running() <= members() / 2) {
                    throw channel.failed("too few of its members run; see " + directory, null);
                }
                if (SystemNanoClock.INSTANCE.nanoTime() - startNs > READY_PATIENCE.toNanos()) {
                    throw channel.failed(
                            "JetStream is not ready within %d seconds; see %s"
                                    .formatted(READY_PATIENCE.toSeconds(), directory),
                            null);
                }
                LockSupport.parkNanos(LOOK_NS);
            }
        } finally {
            Connections.close(connection);
        }
    }

    private boolean isReady(final Connection connection) {
        try {
            connection.jetStreamManagement().getAccountStatistics();
            for (final String stream : connection.jetStreamManagement().getStreamNames()) {
                connection.jetStreamManagement().getStreamInfo(stream);
            }
            return true;
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            return false; // not yet; the last case is a connection that broke
        }
    }

    @Override
    public ChannelUri endpoint() {
        return reached().uri();
    }

    private NatsChannel reached() {
        return channel.startedAt(members.stream().map(StoreMember::address).toList());
    }

    @Override
    public Verification verify(final Topic topic) {
        if (channel.parameters().storage() == Storage.MEMORY) {
            return new Verification(count(topic), 0, 0);
        }
        final List<Verification> found = files(topic).stream().map(BlockFiles::verify).toList();
        return new Verification(
                messages(topic, found),
                found.stream().mapToLong(Verification::tornBytes).sum(),
                found.stream().mapToLong(Verification::corrupted).sum());
    }

    /** Records of deleted messages stay in the files for a while, so a server is asked. */
    private long messages(final Topic topic, final List<Verification> found) {
        if (channel.parameters().deletion() == Deletion.ACKNOWLEDGED && running() > 0) {
            try {
                return count(topic);
            } catch (final UserError e) {
                detours.add("its messages could not be counted by a server: " + e.getMessage());
            }
        }
        return found.stream().mapToLong(Verification::messages).max().orElse(0);
    }

    private long count(final Topic topic) {
        final Connection connection = Connections.open(required());
        try {
            return Streams.ensure(channel, connection, topic).getStreamState().getMsgCount();
        } finally {
            Connections.close(connection);
        }
    }

    private NatsChannel required() {
        if (running() == 0) {
            throw UserError.environment(
                    "the store in " + directory + " is not running; start it first.");
        }
        return reached();
    }

    /**
     * From files, where there are any and what they hold is not deleted in memory alone: they need
     * no server that runs, nor one that answers.
     */
    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        if (channel.parameters().storage() == Storage.FILE
                && channel.parameters().deletion() == Deletion.KEPT) {
            return written(topic).read(fromOrdinal, handler);
        }
        if (running() == 0 && channel.parameters().storage() == Storage.FILE) {
            recover();
        }
        return ReadBack.read(required(), topic, fromOrdinal, handler);
    }

    /**
     * Servers on the same folders, at whatever ports are free: those of the members may have been
     * taken by somebody else meanwhile, and nobody but this reads any more.
     */
    private void recover() {
        members = StoreMember.of(channel.anywhere(), directory);
        for (int member = 1; member <= members(); member++) {
            startMember(member);
        }
        awaitReady();
    }

    /**
     * Servers of a cluster write what they have taken in a moment later. One that refuses to count,
     * because its disk is full or its cluster has no leader, is waited for as long as its files
     * grow.
     */
    private BlockFiles written(final Topic topic) {
        long taken = Long.MAX_VALUE;
        if (running() == 0) {
            taken = 0;
        } else {
            try {
                taken = count(topic);
            } catch (final UserError e) {
                detours.add(
                        "no server told how many messages it has, so the files were read as they are: "
                                + e.getMessage());
            }
        }
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        BlockFiles files = fullest(topic);
        while (files.verify().messages() < taken
                && SystemNanoClock.INSTANCE.nanoTime() - startNs < WRITE_PATIENCE.toNanos()) {
            LockSupport.parkNanos(LOOK_NS);
            files = fullest(topic);
        }
        return files;
    }

    private BlockFiles fullest(final Topic topic) {
        return files(topic).stream()
                .max(Comparator.comparingLong(each -> each.verify().messages()))
                .orElseThrow();
    }

    private List<BlockFiles> files(final Topic topic) {
        return (members.isEmpty() ? StoreMember.of(channel, directory) : members)
                .stream()
                        .map(member ->
                                new BlockFiles(member.storeDirectory(), channel.stream(topic)))
                        .toList();
    }

    @Override
    public List<String> troubles() {
        final List<String> all = new ArrayList<>();
        for (int member = 1; member <= members(); member++) {
            final NatsServer server = servers.get(member - 1);
            if (server != null) {
                all.addAll(server.errors());
                if (server.hasEndedByItself()) {
                    all.add("Member %d ended by itself.".formatted(member));
                }
            }
        }
        all.addAll(detours);
        return all.stream().distinct().toList();
    }

    @Override
    public void kill(final int member) {
        final NatsServer server = servers.get(member - 1);
        if (server != null) {
            server.kill();
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(
                IntStream.range(0, members())
                        .mapToObj(servers::get)
                        .filter(Objects::nonNull)
                        .toList());
    }
}

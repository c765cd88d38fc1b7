package io.tickmark.engines.aeron.cluster;

import io.aeron.Aeron;
import io.aeron.DirectBufferVector;
import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ControlledEgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.archive.ArchiveClients;
import io.tickmark.engines.aeron.archive.MemberLife;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/**
 * A client of a cluster, for one topic. It is lost for good once its leader is gone, because
 * messages accepted by that leader may be gone with it: its user opens another session.
 * Single-threaded; allocates nothing once it is open.
 */
final class ClusterSession implements AutoCloseable {
    /** How long opening waits for a leader by default. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * How long one try may take: a follower that has not noticed the loss of its leader yet
     * redirects a client to the dead one, where it would wait for ever.
     */
    private static final long TRY_NS = TimeUnit.SECONDS.toNanos(3);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long KEEP_ALIVE_NS = TimeUnit.SECONDS.toNanos(1);

    /** The members' lives are checked once in this many turns. */
    private static final int LOOK_MASK = 0x3f;

    /** Receives the messages of the topic. */
    interface Receiver {
        /** Handles a message or, with {@link Action#ABORT}, leaves it for the next turn. */
        Action onMessage(long ordinal, DirectBuffer buffer, int offset, int length);
    }

    private final ClusterFiles files;
    private final int topic;
    private final int kind;
    private final Aeron aeron;
    private final CountersReader counters;
    private final Receiver receiver;
    private final int[] lifeIds;
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[ClusterFrames.LENGTH]);
    private final DirectBufferVector[] vectors = {
        new DirectBufferVector(), new DirectBufferVector(), new DirectBufferVector()
    };
    private final AeronCluster cluster;
    private long leaderLife;
    private long last;
    private boolean isAnswered;
    private boolean isLost;
    private String trouble = "";
    private final ErrorNotes errors = new ErrorNotes();
    private boolean isClosed;
    private int turns;
    private long keptAliveNs;

    private ClusterSession(
            final ClusterFiles files,
            final int topic,
            final int kind,
            final Aeron aeron,
            final Receiver receiver) {
        this.files = files;
        this.topic = topic;
        this.kind = kind;
        this.aeron = aeron;
        this.receiver = receiver;
        counters = aeron.countersReader();
        lifeIds = new int[files.parameters().members()];
        for (int i = 0; i < lifeIds.length; i++) {
            lifeIds[i] = MemberLife.find(counters, i + 1);
        }
        cluster = AeronCluster.connect(context());
        leaderLife = life(cluster.leaderMemberId());
    }

    /** Opens one and learns the topic's last ordinal; {@code kind} as in {@link ClusterFrames}. */
    static ClusterSession open(
            final ChannelUri channel,
            final ClusterFiles files,
            final Topic topic,
            final int kind,
            final Receiver receiver) {
        return open(channel, files, topic, kind, receiver, PATIENCE_NS);
    }

    /** Waits until there is a leader. */
    static void awaitLeader(final ChannelUri channel, final long patienceNs) {
        open(
                        channel,
                        ClusterFiles.of(channel),
                        Topic.DEFAULT,
                        ClusterFrames.ASK,
                        (ordinal, buffer, offset, length) -> null,
                        patienceNs)
                .close();
    }

    private static ClusterSession open(
            final ChannelUri channel,
            final ClusterFiles files,
            final Topic topic,
            final int kind,
            final Receiver receiver,
            final long patienceNs) {
        final long beganNs = SystemNanoClock.INSTANCE.nanoTime();
        while (true) {
            try {
                return attempt(channel, files, topic, kind, receiver);
            } catch (final UserError e) {
                if (SystemNanoClock.INSTANCE.nanoTime() - beganNs > patienceNs - TRY_NS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private static ClusterSession attempt(
            final ChannelUri channel,
            final ClusterFiles files,
            final Topic topic,
            final int kind,
            final Receiver receiver) {
        final Aeron aeron = ArchiveClients.lease(files.aeronDir());
        final ClusterSession opened;
        try {
            opened = new ClusterSession(files, topic.id(), kind, aeron, receiver);
        } catch (final RuntimeException e) {
            ArchiveClients.release(files.aeronDir(), aeron);
            throw unreached(channel, files, ErrorNotes.sentence(e));
        }
        final long beganNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!opened.isAnswered) {
            if (opened.isLost || SystemNanoClock.INSTANCE.nanoTime() - beganNs > TRY_NS) {
                opened.close();
                throw unreached(channel, files, "it gave no reason");
            }
            opened.ask();
            for (int i = 0; i < 100 && !opened.isAnswered; i++) {
                opened.poll();
                Thread.yield();
            }
        }
        return opened;
    }

    private static UserError unreached(
            final ChannelUri channel, final ClusterFiles files, final String why) {
        return UserError.environment(
                ("--channel %s: the cluster has no leader that answers (%s); %d of its %d members must be running; restart the"
                                + " others.")
                        .formatted(
                                channel,
                                why,
                                files.parameters().quorum(),
                                files.parameters().members()));
    }

    private AeronCluster.Context context() {
        return new AeronCluster.Context()
                .aeron(aeron)
                .ownsAeronClient(false)
                .messageTimeoutNs(TRY_NS)
                .idleStrategy(new YieldingIdleStrategy())
                .ingressChannel("aeron:udp?term-length=" + files.parameters().member().termBytes())
                .ingressEndpoints(files.ingressEndpoints())
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0")
                .errorHandler(errors)
                .controlledEgressListener(new Egress());
    }

    /** Messages of the leader. */
    private final class Egress implements ControlledEgressListener {
        @Override
        public Action onMessage(
                final long clusterSessionId,
                final long timestamp,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final Header header) {
            final long ordinal = ClusterFrames.ordinal(buffer, offset);
            if (ClusterFrames.kind(buffer, offset) == ClusterFrames.MESSAGE) {
                return receiver.onMessage(
                        ordinal,
                        buffer,
                        offset + ClusterFrames.LENGTH,
                        length - ClusterFrames.LENGTH);
            }
            last = isAnswered ? Math.max(last, ordinal) : ordinal;
            isAnswered = true;
            return Action.CONTINUE;
        }

        @Override
        public void onNewLeader(
                final long clusterSessionId,
                final long leadershipTermId,
                final int leaderMemberId,
                final String ingressEndpoints) {
            isLost = true;
        }
    }

    private long life(final int member) {
        final int id = lifeIds[member];
        return id < 0 ? 0 : counters.getCounterValue(id);
    }

    /** Requests the topic's last ordinal, or its messages again. */
    void ask() {
        if (!isLost()) {
            ClusterFrames.put(frame, kind, topic, 0);
            try {
                lookAt(cluster.offer(frame, 0, ClusterFrames.LENGTH));
            } catch (final AeronException e) {
                lose(e);
            }
        }
    }

    /** Sends a message; returns a code of {@link Publication} where it is not accepted. */
    long offer(final long ordinal, final DirectBuffer buffer, final int offset, final int length) {
        ClusterFrames.put(frame, ClusterFrames.MESSAGE, topic, ordinal);
        vectors[1].reset(frame, 0, ClusterFrames.LENGTH);
        vectors[2].reset(buffer, offset, length);
        try {
            return lookAt(cluster.offer(vectors));
        } catch (final AeronException e) {
            lose(e);
            return Publication.NOT_CONNECTED;
        }
    }

    private long lookAt(final long code) {
        if (code == Publication.NOT_CONNECTED
                || code == Publication.CLOSED
                || code == Publication.MAX_POSITION_EXCEEDED) {
            isLost = true;
        }
        return code;
    }

    /** Handles what has arrived; returns how much that was. */
    int poll() {
        if ((++turns & LOOK_MASK) == 0 && !isClosed) {
            look();
        }
        if (isLost()) {
            return 0;
        }
        try {
            return cluster.controlledPollEgress();
        } catch (final AeronException e) {
            lose(e);
            return 0;
        }
    }

    /** The client throws once its cluster, or its driver, is gone. */
    private void lose(final AeronException e) {
        isLost = true;
        trouble = ErrorNotes.sentence(e);
    }

    /** The client's error when it was lost; empty where there was none. */
    String trouble() {
        return trouble.isEmpty() && isLost && !errors.kept().isEmpty()
                ? errors.kept().getFirst()
                : trouble;
    }

    private void look() {
        if (aeron.isClosed() || cluster.isClosed()) {
            isLost = true;
            return;
        }
        int alive = 0;
        for (int i = 0; i < lifeIds.length; i++) {
            alive += life(i) > 0 ? 1 : 0;
        }
        final long now = life(cluster.leaderMemberId());
        if (leaderLife <= 0) {
            leaderLife = now; // it leads before its store has seen it start
        }
        isLost |= alive < files.parameters().quorum() || now != leaderLife;
        final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
        if (!isLost && nowNs - keptAliveNs > KEEP_ALIVE_NS) {
            keptAliveNs = nowNs;
            try {
                cluster.sendKeepAlive();
            } catch (final AeronException e) {
                lose(e);
            }
        }
    }

    boolean isLost() {
        return isLost || isClosed;
    }

    /** The topic's last ordinal, as far as reported. */
    long last() {
        return last;
    }

    /** The member that leads, from 1. */
    int leader() {
        return cluster.leaderMemberId() + 1;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (!aeron.isClosed()) {
                CloseHelper.quietClose(cluster); // it notifies its leader, which may be gone
            }
            ArchiveClients.release(files.aeronDir(), aeron);
        }
    }
}

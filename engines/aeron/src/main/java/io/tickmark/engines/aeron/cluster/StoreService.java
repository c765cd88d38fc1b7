package io.tickmark.engines.aeron.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.tickmark.transport.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What each member does with the log that all have agreed on: counts the messages of each topic,
 * leaves out those that come twice or after a gap, tells the sender how far its topic has come, and
 * hands messages to those who subscribed. Only the leader's answers go out. The cluster's thread.
 */
final class StoreService implements ClusteredService {
    /** A client that cannot take an answer finds out by the next one, or asks. */
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
        // it says by its first message what it is
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
            default -> {} // asks
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
        // followers' answers stay within
    }

    @Override
    public void onTerminate(final Cluster cluster) {
        // nothing is held
    }
}

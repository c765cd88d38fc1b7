package io.tickmark.engines.aeron.cluster;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Reads a topic as the leader forwards it, only committed messages; the leader does not wait, so
 * messages that this end could not receive in time are read from a member's log on disk.
 * Single-threaded; allocates nothing while live.
 */
final class ClusterSubscription implements DurableSubscription {
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ChannelUri channel;
    private final ClusterFiles files;
    private final int topic;
    private final ClusterSession session;
    private MessageHandler handler = (buffer, offset, length) -> {};
    private ClusterLog log;
    private int member;
    private long next;
    private long ordinal = -1;
    private long committed = -1;
    private long fromDisk;
    private int limit;
    private int handed;
    private long quietSinceNs;

    private ClusterSubscription(
            final ChannelUri channel,
            final ClusterFiles files,
            final Topic topic,
            final long fromOrdinal) {
        this.channel = channel;
        this.files = files;
        this.topic = topic.id();
        next = fromOrdinal;
        session =
                ClusterSession.open(
                        channel, files, topic, ClusterFrames.SUBSCRIBE, this::onMessage);
        member = session.leader();
        committed = session.last();
    }

    static ClusterSubscription open(
            final ChannelUri channel,
            final ClusterFiles files,
            final Topic topic,
            final long fromOrdinal) {
        return new ClusterSubscription(channel, files, topic, fromOrdinal);
    }

    @Override
    public int poll(final MessageHandler newHandler, final int most) {
        handler = newHandler;
        limit = most;
        handed = 0;
        if (committed >= next) {
            readMissed();
        }
        if (handed < limit) {
            session.poll();
            committed = Math.max(committed, session.last());
        }
        if (handed > 0) {
            quietSinceNs = 0;
        } else {
            askWhenQuiet();
        }
        return handed;
    }

    /**
     * Without this, the last messages that the leader could not forward would be missing until it
     * forwards another.
     */
    private void askWhenQuiet() {
        final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
        if (quietSinceNs == 0) {
            quietSinceNs = nowNs;
        } else if (nowNs - quietSinceNs > ASK_NS) {
            quietSinceNs = nowNs;
            session.ask();
        }
    }

    private Action onMessage(
            final long found, final DirectBuffer buffer, final int offset, final int length) {
        if (handed >= limit) {
            return Action.ABORT;
        }
        if (found > next) {
            committed = Math.max(committed, found - 1);
            return Action.ABORT;
        }
        if (found == next) {
            hand(buffer, offset, length);
        }
        return Action.CONTINUE;
    }

    private void hand(final DirectBuffer buffer, final int offset, final int length) {
        ordinal = next++;
        handed++;
        handler.onMessage(buffer, offset, length);
    }

    private void readMissed() {
        if (log == null) {
            log =
                    new ClusterLog(
                            files.archive(member), files.parameters().member().crc(), topic, next);
        }
        while (handed < limit && next <= committed) {
            if (!log.advance()) {
                if (handed == 0) {
                    member = member % files.parameters().members() + 1;
                    log = null; // another may have it
                }
                return;
            }
            if (log.ordinal() >= next) {
                next = log.ordinal();
                fromDisk++;
                hand(log.buffer(), log.messageOffset(), log.messageLength());
            }
        }
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        // messages are kept
    }

    @Override
    public boolean isConnected() {
        return !session.isLost();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>();
        facts.put("reads", "what the leader hands on, and what was missed from disk");
        facts.put("readFromDisk", fromDisk);
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("readFromDisk");
    }

    @Override
    public void close() {
        session.close();
    }
}

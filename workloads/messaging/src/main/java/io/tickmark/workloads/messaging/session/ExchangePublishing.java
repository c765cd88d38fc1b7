package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.workloads.messaging.EngineFacts;
import java.util.List;
import java.util.Map;

/** Publishes directly to subscribers, which say hello and acknowledge ends on a return path. */
public final class ExchangePublishing implements PublishingEnd {
    /** An engine that accepts nothing for this long is given up. */
    public static final long STALL_NS = 10_000_000_000L;

    private final List<Exchange> exchanges;
    private final int subscribers;
    private final PublisherSession session;

    /**
     * Over exchanges that are open.
     *
     * @param exchanges BIND sides, one for each topic or one for all
     * @param topics what is published
     * @param subscribers how many to wait for
     * @param context of the role
     */
    public ExchangePublishing(
            final List<Exchange> exchanges,
            final List<Topic> topics,
            final int subscribers,
            final RoleContext context) {
        this.exchanges = List.copyOf(exchanges);
        this.subscribers = subscribers;
        session = new PublisherSession(exchanges, topics, subscribers, context);
    }

    @Override
    public List<Publication> publications() {
        return exchanges.stream().map(Exchange::publication).toList();
    }

    @Override
    public ChannelUri channel() {
        return exchanges.getFirst().channel();
    }

    @Override
    public int trialId() {
        return session.trialId();
    }

    @Override
    public void countIn() {
        session.countIn(channel());
    }

    @Override
    public List<String> end(final int step, final long[] sentBySource, final boolean last) {
        return session.end(step, sentBySource, last)
                ? List.of()
                : List.of("Not every subscriber acknowledged the end.");
    }

    /** The end is sent nevertheless: some of several receivers may still be connected. */
    @Override
    public String giveUp(final long refusal) {
        return meaning(refusal) + "." + Exchanges.firstNote(exchanges);
    }

    private String meaning(final long refusal) {
        if (refusal != Publication.NOT_CONNECTED) {
            return "the engine, or a receiver, accepts no more messages";
        }
        return publications().stream().anyMatch(each -> each.subscriberCount() == 0)
                ? "its receivers are gone"
                : "it is not connected";
    }

    @Override
    public void ended(final long refusal) {
        throw UserError.environment(
                (refusal == Publication.TOO_LONG
                                ? FailedWait.at(channel())
                                        + "the engine accepts no messages of this length; send shorter ones."
                                : "The engine closed the publication while streaming.")
                        + Exchanges.firstNote(exchanges));
    }

    @Override
    public void linger(final long lingerNs) {
        session.linger(lingerNs);
    }

    @Override
    public long stallNs() {
        return STALL_NS;
    }

    @Override
    public Map<String, Long> takeCounts() {
        return Map.of(
                Counts.COUNTED_IN,
                (long) subscribers,
                Counts.LOST_AT_SUBSCRIBERS,
                session.lostAtSubscribers(),
                Counts.NOT_CONFIRMED,
                session.notConfirmed());
    }

    @Override
    public Map<String, Object> facts() {
        return EngineFacts.of(exchanges);
    }

    @Override
    public List<String> notes() {
        return Exchanges.notes(exchanges);
    }

    @Override
    public void close() {
        Exchanges.close(exchanges);
    }
}

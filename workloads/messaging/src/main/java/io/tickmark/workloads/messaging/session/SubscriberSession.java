package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.control.Control;
import io.tickmark.transport.control.TopicNames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * A subscriber's side of the agreement: says hello until welcomed, learns the publisher's topics,
 * acknowledges ends. Single-threaded.
 */
public final class SubscriberSession implements TopicAgreement {
    private static final long HELLO_EVERY_NS = 10_000_000;
    private static final int POLL_LIMIT = 64;

    private final List<Exchange> exchanges;
    private final Function<Topic, Exchange> opener;
    private final int cookie;
    private final RoleContext context;
    private final Control control;
    private final long nonce;
    private final TopicNames published = new TopicNames();
    private final TopicMatch match;
    private final BitSet welcomed = new BitSet();

    /** Nothing is measured while it waits for the publisher. */
    private final Idle idle;

    private Runnable whenMatched = () -> {};
    private boolean publisherOnThisHost;
    private boolean echoes;
    private int refusal;
    private int current;

    /**
     * A session over one exchange that carries all topics, or over one for each topic.
     *
     * @param exchanges CONNECT sides, in the order of the topics
     * @param topics that are subscribed to
     * @param opener opens the exchange of a topic whose number at the publisher differs from the
     *     one here; null where a topic is not addressed by its number
     * @param cookie of this subscriber, from 1
     * @param context of the role
     */
    public SubscriberSession(
            final List<Exchange> exchanges,
            final List<Topic> topics,
            final Function<Topic, Exchange> opener,
            final int cookie,
            final RoleContext context) {
        this.exchanges = new ArrayList<>(exchanges);
        this.opener = opener;
        this.cookie = cookie;
        this.context = context;
        idle = IdleStrategies.of(IdleMode.ADAPTIVE, context.clock());
        match = new TopicMatch(topics);
        control = new Control(context.trialId());
        nonce =
                context.clock().nanoTime()
                        ^ ProcessHandle.current().pid() << 40
                        ^ (long) cookie << 56;
    }

    /** Announces in its hello that it sends pings back; to be called before {@link #introduce}. */
    public void echoes() {
        echoes = true;
    }

    /**
     * What to do once the topics of both sides are known and the exchanges are those of the topics
     * that both have; to be called before {@link #introduce}.
     *
     * @param action that reads {@link #exchanges()} again
     */
    public void whenMatched(final Runnable action) {
        whenMatched = action;
    }

    /**
     * The open exchanges.
     *
     * @return one for all topics, or one for each; after {@link #introduce} only those of topics
     *     that the publisher has
     */
    public List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    /**
     * Messages for the user about the topics.
     *
     * @return a sentence where the publisher's differ; otherwise none
     */
    public List<String> notes() {
        return match.notes();
    }

    /**
     * Says hello until welcomed for each topic that both sides have.
     *
     * @param handler the role's own, which passes every message with HELLO, WELCOME or END to
     *     {@link #onControl}; data that arrives before the welcome is thus not lost
     * @param channel shown in errors
     * @throws UserError if no publisher answers in time, it has none of the topics, or the cookie
     *     is refused
     */
    public void introduce(final MessageHandler handler, final ChannelUri channel) {
        final long deadlineNs = context.clock().nanoTime() + context.connectTimeoutNs();
        long helloNs = context.clock().nanoTime();
        while (!match.isKnown() || welcomed.cardinality() < exchanges.size()) {
            final long nowNs = context.clock().nanoTime();
            if (nowNs - deadlineNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        FailedWait.at(channel)
                                + "no publisher answered"
                                + FailedWait.ended(
                                        context, "start it, or check the address.", exchanges));
            }
            if (nowNs - helloNs >= 0) {
                helloNs = nowNs + HELLO_EVERY_NS;
                sayHello();
            }
            final int known = published.next();
            final int work = pollAll(handler);
            checkRefusal(channel);
            checkEcho(channel);
            if (published.isComplete() && !match.isKnown()) {
                match(channel);
            }
            if (published.next() > known) {
                helloNs = nowNs; // answered: the next can be sent without waiting
            }
            if (work > 0) {
                idle.reset();
            } else {
                idle.await(Exchanges.waker(exchanges), helloNs - nowNs);
            }
        }
        if (refusal == Control.COUNTED_IN_LATE) {
            context.log(
                    "--cookie "
                            + cookie
                            + ": a subscriber with a higher cookie connected before; the order does not matter.");
        }
    }

    /** Keeps the exchanges of topics that both sides have, with their numbers at the publisher. */
    private void match(final ChannelUri channel) {
        match.with(published.names(), channel);
        notes().forEach(context::log);
        if (exchanges.size() == match.asked().size() && match.differs()) {
            keepShared();
        }
        welcomed.clear();
        whenMatched.run();
    }

    private void keepShared() {
        final Exchange[] kept = new Exchange[match.shared().size()];
        for (int i = 0; i < match.asked().size(); i++) {
            final Topic asked = match.asked().get(i);
            final int at = match.indexOf(asked.name());
            if (at >= 0 && (opener == null || match.shared().get(at).equals(asked))) {
                kept[at] = exchanges.get(i);
            } else {
                exchanges.get(i).close();
            }
        }
        exchanges.clear();
        for (int at = 0; at < kept.length; at++) {
            exchanges.add(kept[at] == null ? opener.apply(match.shared().get(at)) : kept[at]);
        }
    }

    private void sayHello() {
        final int ways = match.isKnown() ? exchanges.size() : 0;
        for (int i = welcomed.nextClearBit(0);
                i < exchanges.size();
                i = welcomed.nextClearBit(i + 1)) {
            control.hello(
                    exchanges.get(i).publication(), cookie, nonce, echoes, published.next(), ways);
        }
    }

    private void checkRefusal(final ChannelUri channel) {
        if (refusal == Control.COOKIE_TAKEN) {
            throw UserError.usage(
                    "--cookie "
                            + cookie
                            + ": another subscriber of "
                            + channel
                            + " has this cookie; give each its own, from 1.");
        }
        if (refusal == Control.COOKIE_TOO_HIGH) {
            throw UserError.usage(
                    "--cookie "
                            + cookie
                            + ": the publisher at "
                            + channel
                            + " expects fewer subscribers; start it with --subscribers "
                            + cookie
                            + " or more.");
        }
    }

    private void checkEcho(final ChannelUri channel) {
        if (refusal == Control.ECHO_TAKEN) {
            throw UserError.usage(
                    "--cookie "
                            + cookie
                            + ": another subscriber of "
                            + channel
                            + " sends pings back already, and exactly one may; give all but the"
                            + " one with the highest cookie --no-echo.");
        }
    }

    private int pollAll(final MessageHandler handler) {
        int work = 0;
        for (current = 0; current < exchanges.size(); current++) {
            work += exchanges.get(current).publication().doWork();
            work += exchanges.get(current).subscription().poll(handler, POLL_LIMIT);
        }
        return work;
    }

    @Override
    public void onControl(
            final DirectBuffer buffer, final int offset, final int length, final int flags) {
        if (length < Stamp.FULL_LENGTH
                || flags != Stamp.WELCOME
                || Stamp.source(buffer, offset) != cookie
                || Stamp.intendedNs(buffer, offset) != nonce) {
            return;
        }
        refusal = Stamp.sequence(buffer, offset);
        if (match.isKnown()
                && (refusal == Control.COUNTED_IN || refusal == Control.COUNTED_IN_LATE)) {
            // After the introduction a repeated welcome has no effect.
            welcomed.set(Math.min(current, exchanges.size() - 1));
        }
        published.take(buffer, offset, length);
        publisherOnThisHost = Stamp.sentNs(buffer, offset) == HostId.VALUE;
        control.trialId(Stamp.trialId(buffer, offset));
    }

    @Override
    public void acknowledgeEnd(final int step, final int source, final long lost) {
        final Exchange exchange = exchanges.get(match.way(source, exchanges.size()));
        control.endReply(exchange.publication(), step, source, cookie, lost);
    }

    @Override
    public int topics() {
        return match.topics();
    }

    @Override
    public boolean isWanted(final int source) {
        return match.isWanted(source);
    }

    @Override
    public int trialId() {
        return control.trialId();
    }

    @Override
    public boolean isPublisherOnThisHost() {
        return publisherOnThisHost;
    }
}

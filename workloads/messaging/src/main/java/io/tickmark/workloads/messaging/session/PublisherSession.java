package io.tickmark.workloads.messaging.session;

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
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;

/**
 * The publisher's side of the agreement: accepts its subscribers, and announces the end of each
 * step to them. Single-threaded.
 */
public final class PublisherSession {
    private static final long ANNOUNCE_EVERY_NS = 10_000_000;
    private static final long END_EVERY_NS = 5_000_000;

    /**
     * The longest time between two announcements of an end that is not acknowledged yet, which a
     * subscriber waits for before it leaves.
     */
    public static final long END_AGAIN_NS = 40_000_000;

    /**
     * How long a subscriber that keeps up may take to acknowledge an end; after that it is
     * announced less often.
     */
    private static final long ANSWER_NS = 1_000_000_000;

    /**
     * The same of one that has fallen behind: what the engine keeps for it comes before the end,
     * and would be lost if the publisher left.
     */
    private static final long CATCH_UP_NS = 10_000_000_000L;

    /**
     * A subscriber whose welcome was lost repeats its hello within 10 ms; it is welcomed before the
     * publisher proceeds to wait for the start.
     */
    private static final long WELCOME_AGAIN_NS = 50_000_000;

    private static final int POLL_LIMIT = 64;

    private final List<Exchange> exchanges;
    private final List<Topic> topics;
    private final RoleContext context;
    private final Control control;
    private final Long[] nonces;
    private final BitSet greeted = new BitSet();

    /** By cookie: the number of hellos that the subscriber announced. */
    private final int[] ways;

    private final BitSet acknowledged = new BitSet();
    private final BitSet late = new BitSet();
    private final MessageHandler handler = this::onMessage;

    /** Nothing is measured while it waits for others, so it leaves them the core. */
    private final Idle idle;

    private final StringBuilder countingIn = new StringBuilder();
    private int current;
    private long lostAtSubscribers;
    private int endedStep = -1;
    private int endedTopics;
    private int counted;
    private int echoer;
    private int highest;

    /** A subscriber did not catch up in time: ends but the last are not waited for as long. */
    private boolean hasGivenUp;

    /**
     * A session over one exchange, or over one for each topic.
     *
     * @param exchanges BIND sides; a subscriber is accepted once it said hello on the exchanges of
     *     all its topics
     * @param topics what is published, in the order of the exchanges
     * @param subscribers how many to wait for
     * @param context of the role
     */
    public PublisherSession(
            final List<Exchange> exchanges,
            final List<Topic> topics,
            final int subscribers,
            final RoleContext context) {
        this.exchanges = List.copyOf(exchanges);
        this.topics = List.copyOf(topics);
        this.context = context;
        idle = IdleStrategies.of(IdleMode.ADAPTIVE, context.clock());
        nonces = new Long[subscribers + 1];
        ways = new int[subscribers + 1];
        control = Control.ofTrial(context);
    }

    /**
     * Identity of the trial, for the stamps.
     *
     * @return never 0
     */
    public int trialId() {
        return control.trialId();
    }

    /**
     * Waits until every subscriber is accepted.
     *
     * @param channel shown to the user, who has to pass it to the subscribers
     * @throws UserError if not all of them connect in time
     */
    public void countIn(final ChannelUri channel) {
        final int expected = nonces.length - 1;
        final long deadlineNs = context.clock().nanoTime() + context.connectTimeoutNs();
        long announceNs = context.clock().nanoTime();
        context.log("Publishing on " + channel);
        countingIn
                .append("Waiting for ")
                .append(expected)
                .append(expected == 1 ? " receiver..." : " receivers...");
        context.log(countingIn.toString());
        while (counted < expected) {
            final long nowNs = context.clock().nanoTime();
            if (nowNs - deadlineNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        "--subscribers "
                                + expected
                                + ": "
                                + counted
                                + " of "
                                + expected
                                + " subscribers connected to "
                                + channel
                                + FailedWait.ended(
                                        context,
                                        "start the others, or check their --channel.",
                                        exchanges));
            }
            if (nowNs - announceNs >= 0) {
                announceNs = nowNs + ANNOUNCE_EVERY_NS;
                for (final Exchange exchange : exchanges) {
                    control.announce(exchange.publication());
                }
            }
            attend(announceNs - nowNs);
        }
        requireReceivers();
        linger(WELCOME_AGAIN_NS);
    }

    /**
     * A message without a receiver would not be accepted either by an engine with an exchange for
     * each topic.
     */
    private void requireReceivers() {
        final String without =
                IntStream.range(0, exchanges.size())
                        .filter(exchange ->
                                exchanges.size() > 1
                                        && IntStream.range(1, nonces.length)
                                                .noneMatch(cookie -> isGreeted(cookie, exchange)))
                        .mapToObj(exchange -> topics.get(exchange).name())
                        .collect(Collectors.joining(", "));
        if (!without.isEmpty()) {
            throw UserError.usage(
                    "--topics: no subscriber asks for %s; leave it out here, or name it there."
                            .formatted(without));
        }
    }

    /**
     * Checks that a subscriber sends pings back; for tests that need one.
     *
     * @throws UserError if none of the subscribers does
     */
    public void requireEcho() {
        final int expected = nonces.length - 1;
        if (echoer == 0) {
            throw UserError.usage(
                    "--subscribers "
                            + expected
                            + ": none of them sends pings back; start the one with cookie "
                            + expected
                            + " without --no-echo.");
        }
        context.log("The subscriber with cookie " + echoer + " echoes.");
        if (!late.isEmpty()) {
            context.log(
                    "Subscribers did not connect in the order of their cookies; the order does not matter.");
        }
    }

    /**
     * Handles what has arrived; where nothing has, waits until a message arrives or work is due.
     */
    private void attend(final long untilDueNs) {
        if (pollAll() > 0) {
            idle.reset();
        } else {
            idle.await(Exchanges.waker(exchanges), untilDueNs);
        }
    }

    private int pollAll() {
        int work = 0;
        for (current = 0; current < exchanges.size(); current++) {
            work += exchanges.get(current).publication().doWork();
            work += exchanges.get(current).subscription().poll(handler, POLL_LIMIT);
        }
        current = 0;
        return work;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (Stamp.isStamped(buffer, offset, length)) {
            onControl(buffer, offset, length, Stamp.flags(buffer, offset));
        }
    }

    /**
     * Handles a message that is not data: a (repeated) hello, an acknowledged end. The role's own
     * handler calls this for every message that carries {@link Stamp#HELLO} or {@link Stamp#END}.
     *
     * @param buffer that holds the message
     * @param offset of the message
     * @param length of the message
     * @param flags of its stamp
     */
    public void onControl(
            final DirectBuffer buffer, final int offset, final int length, final int flags) {
        if (length < Stamp.FULL_LENGTH) {
            return;
        }
        final int cookie = Stamp.source(buffer, offset);
        if (flags == (Stamp.HELLO | Stamp.REPLY)) {
            onHello(
                    cookie,
                    Stamp.intendedNs(buffer, offset),
                    Stamp.trialId(buffer, offset),
                    Stamp.step(buffer, offset) != 0,
                    Control.fromTopic(buffer, offset, length),
                    Control.ways(buffer, offset, length, exchanges.size()));
        } else if (flags == (Stamp.END | Stamp.REPLY)
                && Stamp.trialId(buffer, offset) == control.trialId()
                && Stamp.step(buffer, offset) == (endedStep & 0xff)) {
            onEndReply(Stamp.sequence(buffer, offset), cookie, Stamp.intendedNs(buffer, offset));
        }
    }

    private void onEndReply(final int topic, final int cookie, final long lost) {
        if (topic >= 1 && topic <= endedTopics && cookie >= 1 && cookie < nonces.length) {
            final int each = topic * nonces.length + cookie;
            if (!acknowledged.get(each)) {
                acknowledged.set(each);
                lostAtSubscribers += Math.max(0, lost);
            }
        }
    }

    /**
     * What subscribers missed of the step that ended last, as they reported when they acknowledged
     * its end.
     *
     * @return messages, summed over topics and subscribers
     */
    public long lostAtSubscribers() {
        return lostAtSubscribers;
    }

    /**
     * Subscribers that did not acknowledge the step that ended last: what they missed of it is not
     * known.
     *
     * @return how many, 0 before an end was announced
     */
    public long notConfirmed() {
        return IntStream.range(1, nonces.length)
                .filter(cookie -> acknowledgedBy(cookie) < endsFor(cookie))
                .count();
    }

    private long acknowledgedBy(final int cookie) {
        return IntStream.rangeClosed(1, endedTopics)
                .filter(topic -> acknowledged.get(topic * nonces.length + cookie))
                .count();
    }

    /**
     * One exchange for all topics sends all ends to each subscriber, separate exchanges only those
     * of its topics.
     */
    private int endsFor(final int cookie) {
        return exchanges.size() == 1 ? endedTopics : ways[cookie];
    }

    private void onHello(
            final int cookie,
            final long nonce,
            final int trialId,
            final boolean echoes,
            final int fromTopic,
            final int saidWays) {
        if (trialId != 0 && trialId != control.trialId()) {
            return;
        }
        int code = Control.COUNTED_IN;
        if (cookie < 1 || cookie >= nonces.length) {
            code = Control.COOKIE_TOO_HIGH;
        } else if (nonces[cookie] != null && nonces[cookie] != nonce) {
            code = Control.COOKIE_TAKEN;
        } else if (echoes && echoer != 0 && echoer != cookie) {
            code = Control.ECHO_TAKEN;
        } else {
            late.set(cookie, nonces[cookie] == null ? cookie < highest : late.get(cookie));
            nonces[cookie] = nonce;
            echoer = echoes ? cookie : echoer;
            code = late.get(cookie) ? Control.COUNTED_IN_LATE : Control.COUNTED_IN;
        }
        final boolean taken =
                control.welcome(
                        exchanges.get(current).publication(),
                        cookie,
                        nonce,
                        code,
                        topics,
                        fromTopic);
        // If it were accepted before the engine took the welcome, its next hello might not be
        // answered.
        if (taken && (code == Control.COUNTED_IN || code == Control.COUNTED_IN_LATE)) {
            greet(cookie, saidWays);
        }
    }

    private boolean isGreeted(final int cookie, final int exchange) {
        return greeted.get(cookie * exchanges.size() + exchange);
    }

    /**
     * A subscriber is accepted once its hello arrived on all of its exchanges, as each has its own
     * path. One that does not know yet which those are is only answered.
     */
    private void greet(final int cookie, final int saidWays) {
        if (saidWays < 1 || saidWays > exchanges.size() || isGreeted(cookie, current)) {
            return;
        }
        ways[cookie] = saidWays;
        final int first = cookie * exchanges.size();
        greeted.set(first + current);
        if (greeted.get(first, first + exchanges.size()).cardinality() == saidWays) {
            counted++;
            highest = Math.max(highest, cookie);
            context.log(countingIn.append('[').append(counted).append("]...").toString());
        }
    }

    /**
     * Announces the end of a step to the subscribers and waits for their acknowledgement: ten
     * seconds at most; one where no subscriber is connected any more, the trial was stopped, or the
     * end before was not acknowledged either, unless this is the last: what has not arrived by then
     * is lost. Not on the hot path.
     *
     * @param step that ended
     * @param sentBySource messages sent in it by topic id; index 0 is not used
     * @param last whether the test ends with it
     * @return true if every subscriber acknowledged every topic
     */
    public boolean end(final int step, final long[] sentBySource, final boolean last) {
        endedStep = step;
        endedTopics = sentBySource.length - 1;
        acknowledged.clear();
        lostAtSubscribers = 0;
        final int expected = IntStream.range(1, nonces.length).map(this::endsFor).sum();
        final long beganNs = context.clock().nanoTime();
        long sendNs = beganNs;
        while (acknowledged.cardinality() < expected) {
            final long nowNs = context.clock().nanoTime();
            final boolean isLate = nowNs - beganNs > ANSWER_NS;
            final boolean isHopeless = hasGivenUp && !last || context.isStopped();
            if (isLate && (isHopeless || !mayCatchUp(nowNs - beganNs))) {
                hasGivenUp = true;
                return false;
            }
            if (nowNs - sendNs >= 0) {
                sendNs = nowNs + (isLate ? END_AGAIN_NS : END_EVERY_NS);
                sendEnds(step, sentBySource, last);
            }
            attend(sendNs - nowNs);
        }
        hasGivenUp = false;
        return true;
    }

    /** Whether somebody is still connected, as far as the engine knows, and has time left. */
    private boolean mayCatchUp(final long waitedNs) {
        return waitedNs <= CATCH_UP_NS
                && exchanges.stream()
                        .anyMatch(exchange -> exchange.publication().subscriberCount() != 0);
    }

    private void sendEnds(final int step, final long[] sentBySource, final boolean last) {
        for (int source = 1; source < sentBySource.length; source++) {
            final Exchange exchange = exchanges.get(Math.min(source, exchanges.size()) - 1);
            control.end(exchange.publication(), step, source, sentBySource[source], last);
        }
    }

    /**
     * Keeps the engine going for a while after the last message.
     *
     * @param lingerNs how long
     */
    public void linger(final long lingerNs) {
        final long deadlineNs = context.clock().nanoTime() + lingerNs;
        long nowNs = context.clock().nanoTime();
        while (nowNs - deadlineNs < 0 && !context.isStopped()) {
            attend(deadlineNs - nowNs);
            nowNs = context.clock().nanoTime();
        }
    }
}

package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.control.Control;
import java.util.BitSet;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * A subscriber's side of the agreement: says hello until welcomed, acknowledges ends. One thread.
 */
public final class SubscriberSession implements Agreement {
    private static final long HELLO_EVERY_NS = 10_000_000;
    private static final int POLL_LIMIT = 64;

    private final List<Exchange> exchanges;
    private final int cookie;
    private final RoleContext context;
    private final Control control;
    private final long nonce;
    private final BitSet welcomed = new BitSet();
    private boolean publisherOnThisHost;
    private boolean echoes;
    private int refusal;
    private int current;

    /**
     * A session over one exchange, or over one for each topic.
     *
     * @param exchanges CONNECT sides
     * @param cookie of this subscriber, from 1
     * @param context of the role
     */
    public SubscriberSession(
            final List<Exchange> exchanges, final int cookie, final RoleContext context) {
        this.exchanges = List.copyOf(exchanges);
        this.cookie = cookie;
        this.context = context;
        control = new Control(context.trialId());
        nonce =
                context.clock().nanoTime()
                        ^ ProcessHandle.current().pid() << 40
                        ^ (long) cookie << 56;
    }

    /** Says in its hello that it sends pings back; to be called before {@link #introduce}. */
    public void echoes() {
        echoes = true;
    }

    /**
     * Says hello until welcomed.
     *
     * @param handler the role's own, which hands over to {@link #onControl} whatever carries HELLO,
     *     WELCOME or END; data that comes before the welcome is thus not lost
     * @param channel shown in errors
     * @throws UserError if no publisher answers in time, or the cookie is refused
     */
    public void introduce(final MessageHandler handler, final ChannelUri channel) {
        final long deadlineNs = context.clock().nanoTime() + context.connectTimeoutNs();
        long helloNs = context.clock().nanoTime();
        while (welcomed.cardinality() < exchanges.size()) {
            final long nowNs = context.clock().nanoTime();
            if (nowNs - deadlineNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        Patience.at(channel)
                                + "no publisher answered"
                                + Patience.ended(
                                        context, "start it, or check the address.", exchanges));
            }
            if (nowNs - helloNs >= 0) {
                helloNs = nowNs + HELLO_EVERY_NS;
                sayHello();
            }
            pollAll(handler);
            checkRefusal(channel);
            checkEcho(channel);
            Thread.onSpinWait();
        }
        if (refusal == Control.COUNTED_IN_LATE) {
            context.tell(
                    "--cookie "
                            + cookie
                            + ": a subscriber with a higher cookie came before; here the order does not matter.");
        }
    }

    private void sayHello() {
        for (int i = welcomed.nextClearBit(0);
                i < exchanges.size();
                i = welcomed.nextClearBit(i + 1)) {
            control.hello(exchanges.get(i).publication(), cookie, nonce, echoes);
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
                            + " one with the highest cookie --no-echo (-noecho).");
        }
    }

    private void pollAll(final MessageHandler handler) {
        for (current = 0; current < exchanges.size(); current++) {
            exchanges.get(current).publication().doWork();
            exchanges.get(current).subscription().poll(handler, POLL_LIMIT);
        }
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
        if (refusal == Control.COUNTED_IN || refusal == Control.COUNTED_IN_LATE) {
            // Past the introduction a welcome that was repeated changes nothing.
            welcomed.set(Math.min(current, exchanges.size() - 1));
        }
        publisherOnThisHost = Stamp.sentNs(buffer, offset) == HostId.VALUE;
        control.trialId(Stamp.trialId(buffer, offset));
    }

    @Override
    public void acknowledgeEnd(final int step, final int source, final long lost) {
        final Exchange exchange = exchanges.get(Math.min(source, exchanges.size()) - 1);
        control.endReply(exchange.publication(), step, source, cookie, lost);
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

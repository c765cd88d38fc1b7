package io.tickmark.engines.artio;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.tickmark.wire.fix.FixFields;
import io.tickmark.workloads.fix.gateway.FanOutRule;
import io.tickmark.workloads.fix.message.LoadTags;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixVersion;
import io.tickmark.workloads.fix.session.MessageComposer;
import io.tickmark.workloads.fix.session.MsgTypes;
import io.tickmark.workloads.fix.session.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.artio.library.OnMessageInfo;
import uk.co.real_logic.artio.library.SessionHandler;
import uk.co.real_logic.artio.messages.DisconnectReason;
import uk.co.real_logic.artio.session.Session;

/**
 * What the gateway does with messages on Artio: each consumer's message is written in full, with
 * its header, and handed to Artio as it is. One library's thread; counts are read by any.
 */
final class FanOutLibrary implements SessionHandler {
    private static final long PATIENCE_NS = 5_000_000_000L;

    private final String producerPrefix;
    private final String gatewayId;
    private final FanOutRule rule;
    private final List<Consumer> consumers = new ArrayList<>();
    private final FixFields fields = new FixFields();
    private final BodyBytes body = new BodyBytes(1024);
    private final SystemEpochClock clock = SystemEpochClock.INSTANCE;
    private final List<Session> producers = new ArrayList<>();
    private final AtomicInteger producersNow = new AtomicInteger();
    private final AtomicInteger producersEver = new AtomicInteger();
    private final AtomicInteger consumersNow = new AtomicInteger();
    private final LongAdder received = new LongAdder();
    private final LongAdder unmarked = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private byte[] type = {'W'};
    private volatile String failure = "";

    private record Consumer(Session session, MessageComposer composer, UnsafeBuffer view) {}

    FanOutLibrary(final String producerPrefix, final String gatewayId, final FanOutRule rule) {
        this.producerPrefix = producerPrefix;
        this.gatewayId = gatewayId;
        this.rule = rule;
    }

    private boolean isProducer(final Session session) {
        return session.compositeKey().remoteCompId().startsWith(producerPrefix);
    }

    SessionHandler acquire(final Session session) {
        if (isProducer(session)) {
            producers.add(session);
            producersNow.set(producers.size());
            producersEver.incrementAndGet();
        } else {
            consumers.add(
                    new Consumer(
                            session,
                            new MessageComposer(
                                    FixVersion.FIX_4_4,
                                    gatewayId,
                                    session.compositeKey().remoteCompId()),
                            new UnsafeBuffer(0, 0)));
            consumersNow.set(consumers.size());
        }
        return this;
    }

    @Override
    public Action onMessage(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int libraryId,
            final Session session,
            final int sequenceIndex,
            final long messageType,
            final long timestampInNs,
            final long position,
            final OnMessageInfo info) {
        if (isOfApplication(messageType) && isProducer(session)) {
            onProduced(buffer, offset, offset + length, messageType);
        }
        return Action.CONTINUE;
    }

    /** Artio hands on messages of the session, too. Types of one character are that character. */
    private static boolean isOfApplication(final long messageType) {
        return messageType > Byte.MAX_VALUE || !MsgTypes.isAdmin((char) messageType);
    }

    private void onProduced(
            final DirectBuffer buffer, final int begin, final int end, final long messageType) {
        received.increment();
        boolean fansOut = rule == FanOutRule.ALL;
        int at = 0;
        fields.wrap(buffer, begin, end);
        int fieldBegin = begin;
        while (fields.next() && fields.tag() != Tags.NO_MD_ENTRIES) {
            if (fields.tag() == Tags.MSG_TYPE) {
                keepType(buffer, fields.valueBegin(), fields.valueLength());
            }
            if (at == 0 && !Tags.isOfHeader(fields.tag())) {
                at = fieldBegin;
            }
            if (fields.tag() == LoadTags.FAN_OUT) {
                fansOut |= buffer.getByte(fields.valueBegin()) == 'Y';
                break;
            }
            fieldBegin = fields.position();
        }
        if (!fansOut || at == 0) {
            unmarked.increment();
            return;
        }
        final int trailer = "10=000|".length();
        body.clear().put(buffer, at, end - trailer - at);
        for (int i = 0; i < consumers.size(); i++) {
            send(consumers.get(i), messageType);
        }
    }

    private void keepType(final DirectBuffer buffer, final int at, final int length) {
        if (type.length != length) {
            type = new byte[length];
        }
        buffer.getBytes(at, type);
    }

    /**
     * Waits while Artio pushes back; who has gone is left out. Artio does not always come out of
     * that by itself: then the gateway says so, and is done.
     */
    private void send(final Consumer consumer, final long messageType) {
        if (!consumer.session().isActive()) {
            dropped.increment();
            return;
        }
        final int number = consumer.session().lastSentMsgSeqNum() + 1;
        final int length = consumer.composer().compose(type, number, clock.time(), body);
        consumer.view().wrap(consumer.composer().bytes(), 0, length);
        final long sinceNs = org.agrona.concurrent.SystemNanoClock.INSTANCE.nanoTime();
        while (consumer.session().trySend(consumer.view(), 0, length, number, messageType) < 0) {
            refused.increment();
            Thread.yield();
            if (!consumer.session().isActive() || !failure.isEmpty()) {
                dropped.increment();
                return;
            }
            if (org.agrona.concurrent.SystemNanoClock.INSTANCE.nanoTime() - sinceNs > PATIENCE_NS) {
                failure =
                        "Artio took no message for a consumer for 5 s: it stands still under this load;"
                                + " give the producers a --rate that it holds.";
                dropped.increment();
                return;
            }
        }
        sent.increment();
    }

    @Override
    public void onTimeout(final int libraryId, final Session session) {
        gone(session);
    }

    @Override
    public void onSlowStatus(
            final int libraryId, final Session session, final boolean hasBecomeSlow) {
        // Artio looks after it
    }

    @Override
    public Action onDisconnect(
            final int libraryId, final Session session, final DisconnectReason reason) {
        gone(session);
        return Action.CONTINUE;
    }

    private void gone(final Session session) {
        if (consumers.removeIf(consumer -> consumer.session() == session)) {
            consumersNow.set(consumers.size());
        } else if (producers.remove(session)) {
            producersNow.set(producers.size());
        }
    }

    @Override
    public void onSessionStart(final Session session) {
        // counted when acquired
    }

    /** On the library's thread. */
    void logOut() {
        consumers.forEach(consumer -> consumer.session().startLogout());
        producers.forEach(Session::startLogout);
    }

    /** Why it cannot go on, empty while it can. */
    String failure() {
        return failure;
    }

    int producers() {
        return producersNow.get();
    }

    int producersEver() {
        return producersEver.get();
    }

    int consumers() {
        return consumersNow.get();
    }

    long received() {
        return received.sum();
    }

    long unmarked() {
        return unmarked.sum();
    }

    long sent() {
        return sent.sum();
    }

    /** Copies that a consumer did not get. */
    long dropped() {
        return dropped.sum();
    }

    /** How often Artio pushed back. */
    long refused() {
        return refused.sum();
    }
}

package io.tickmark.engines.quickfixj;

import io.tickmark.workloads.fix.gateway.FanOutRule;
import io.tickmark.workloads.fix.message.LoadTags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import quickfix.Application;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.UnsupportedMessageType;
import quickfix.field.MsgType;

/**
 * What the gateway does with messages on QuickFIX/J: the message of a producer is sent to one
 * consumer's session after the other, which writes its own header into it each time.
 */
final class FanOutApplication implements Application {
    private final String producerPrefix;
    private final FanOutRule rule;
    private final CopyOnWriteArrayList<Session> consumers = new CopyOnWriteArrayList<>();
    private final Set<SessionID> ofProducersPort = ConcurrentHashMap.newKeySet();
    private final Set<SessionID> producers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger producersEver = new AtomicInteger();
    private final LongAdder received = new LongAdder();
    private final LongAdder unmarked = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder errors = new LongAdder();

    /** {@code producerPrefix} is empty where producers have a port of their own. */
    FanOutApplication(final String producerPrefix, final FanOutRule rule) {
        this.producerPrefix = producerPrefix;
        this.rule = rule;
    }

    /** Somebody wants to log on, before anything else is heard of it. */
    void cameTo(final SessionID id, final boolean isProducersPort) {
        if (isProducersPort) {
            ofProducersPort.add(id);
        } else {
            ofProducersPort.remove(id);
        }
    }

    private boolean isProducer(final SessionID id) {
        return producerPrefix.isEmpty()
                ? ofProducersPort.contains(id)
                : id.getTargetCompID().startsWith(producerPrefix);
    }

    @Override
    public void onCreate(final SessionID id) {
        // counted when logged on
    }

    @Override
    public void onLogon(final SessionID id) {
        if (isProducer(id)) {
            producers.add(id);
            producersEver.incrementAndGet();
        } else {
            consumers.add(Session.lookupSession(id));
        }
    }

    @Override
    public void onLogout(final SessionID id) {
        if (!producers.remove(id)) { // told also of who was refused
            consumers.remove(Session.lookupSession(id));
        }
    }

    @Override
    public void toAdmin(final Message message, final SessionID id) {
        countRejects(message);
    }

    private void countRejects(final Message message) {
        try {
            final String type = message.getHeader().getString(MsgType.FIELD);
            if (MsgType.REJECT.equals(type) || MsgType.BUSINESS_MESSAGE_REJECT.equals(type)) {
                rejected.increment();
            }
        } catch (final FieldNotFound e) {
            errors.increment(); // the library's own messages have a type
        }
    }

    /** The library has swallowed something, and says so in its log alone. */
    void failed(final String text) {
        errors.increment();
    }

    @Override
    public void fromAdmin(final Message message, final SessionID id) {
        // the session does what is to be done
    }

    @Override
    public void toApp(final Message message, final SessionID id) {
        countRejects(message);
    }

    @Override
    public void fromApp(final Message message, final SessionID id)
            throws FieldNotFound, UnsupportedMessageType {
        if (!isProducer(id)) {
            throw new UnsupportedMessageType();
        }
        received.increment();
        final boolean isToFanOut =
                rule == FanOutRule.ALL
                        || message.isSetField(LoadTags.FAN_OUT)
                                && "Y".equals(message.getString(LoadTags.FAN_OUT));
        if (!isToFanOut) {
            unmarked.increment();
            return;
        }
        final String type = message.getHeader().getString(MsgType.FIELD);
        message.getHeader().clear();
        message.getHeader().setString(MsgType.FIELD, type);
        for (final Session consumer : consumers) {
            if (consumer.send(message)) {
                sent.increment();
            } else {
                dropped.increment();
            }
        }
    }

    int producers() {
        return producers.size();
    }

    int producersEver() {
        return producersEver.get();
    }

    int consumers() {
        return consumers.size();
    }

    long received() {
        return received.sum();
    }

    long unmarked() {
        return unmarked.sum();
    }

    long dropped() {
        return dropped.sum();
    }

    long rejected() {
        return rejected.sum();
    }

    long errors() {
        return errors.sum();
    }

    long sent() {
        return sent.sum();
    }
}

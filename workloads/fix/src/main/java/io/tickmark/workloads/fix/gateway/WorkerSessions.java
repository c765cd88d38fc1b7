package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.message.LoadTags;
import io.tickmark.workloads.fix.session.Admission;
import io.tickmark.workloads.fix.session.BodyScan;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.LogonRequest;
import io.tickmark.workloads.fix.session.MessageStore;
import io.tickmark.workloads.fix.session.OutBuffer;
import io.tickmark.workloads.fix.session.SessionClock;
import io.tickmark.workloads.fix.session.SessionHandler;
import io.tickmark.workloads.fix.session.Tags;
import java.util.List;

/** What the sessions of one worker do with their messages. Its thread only. */
final class WorkerSessions implements SessionHandler {
    private static final int FAN_OUT = 0;
    private static final int SYMBOL = 1;
    private static final int REQUEST = 2;

    private final Shared shared;
    private final int number;
    private final FanOut fanOut;
    private final Worker worker;
    private final AwaySessions away;
    private final OutBuffer scratch;
    private final BodyScan scan = new BodyScan(LoadTags.FAN_OUT, Tags.SYMBOL, Tags.MD_REQ_ID);
    private final FanOutMessage message = new FanOutMessage();
    private SessionClock clock;
    private long received;
    private long unmarked;
    private long rejected;
    private Traffic ended = Traffic.NONE;
    private int producersGone;
    private int consumersGone;

    /** What a session is to the gateway. */
    private static final class Peer implements Shared.Waiting {
        private final boolean isProducersPort;
        private boolean isProducer;
        private boolean isAdmitted;

        /** Among the producers: an admitted Logon may still be refused. */
        private boolean isCounted;

        private Consumer consumer;
        private Connection connection;
        private MessageStore store;

        /** The worker that the connection is to go to. */
        private int home;

        private boolean wasActive;
        private volatile boolean isCrowdedOut;

        @Override
        public void crowdOut() {
            isCrowdedOut = true;
        }

        Peer(final boolean isProducersPort) {
            this.isProducersPort = isProducersPort;
        }
    }

    WorkerSessions(
            final Shared shared,
            final int number,
            final FanOut fanOut,
            final Worker worker,
            final AwaySessions away,
            final OutBuffer scratch) {
        this.away = away;
        this.scratch = scratch;
        this.shared = shared;
        this.number = number;
        this.fanOut = fanOut;
        this.worker = worker;
    }

    Connection open(final Worker.Arrival arrival, final SessionClock of) {
        clock = of;
        final Peer peer = new Peer(arrival.isProducersPort());
        final FixSession session = new FixSession(shared.config(), null, scan, this, of);
        session.attach(peer);
        peer.connection = new Connection(arrival.link(), session);
        shared.waits(peer);
        return peer.connection;
    }

    @Override
    public Admission admit(final FixSession session, final LogonRequest request) {
        if (!shared.isKnown(request)) {
            return Admission.refused("Username or password is wrong");
        }
        final Peer peer = (Peer) session.attachment();
        final int home = shared.stores().home(request.sender(), number);
        if (home != number) {
            peer.home = home;
            return Admission.elsewhere();
        }
        fanOut.deliver(); // what came before is kept for who was away
        away.settle(request.sender());
        final MessageStore store;
        try {
            store = shared.stores().lend(request.sender(), number, clock.nowMs());
        } catch (final UserError e) { // one session's files are no reason to end all others
            shared.neverLoggedOn(request.sender() + ", " + e.getMessage());
            return Admission.refused("The store of this session cannot be used");
        }
        if (store == null) {
            return Admission.refused(""); // logged on already: cut without a word (test case 1S.c)
        }
        peer.isAdmitted = true;
        peer.isProducer = shared.isProducer(peer.isProducersPort, request.sender());
        peer.store = store;
        return Admission.granted(store);
    }

    @Override
    public void onActive(final FixSession session) {
        final Peer peer = (Peer) session.attachment();
        peer.wasActive = true;
        shared.waitsNoMore(peer);
        away.remove(session.target());
        peer.store.keptFor(
                !peer.isProducer && shared.settings().subscriptions() == Subscriptions.ALL);
        if (peer.isProducer) {
            peer.isCounted = true;
            shared.producerCame();
            return;
        }
        peer.consumer =
                new Consumer(
                        peer.connection,
                        shared.slow().of(session.target()),
                        worker::flushEarly,
                        scratch);
        if (shared.settings().subscriptions() == Subscriptions.ALL) {
            peer.consumer.subscriptions().all();
        }
        fanOut.deliver(); // what came before is not for it
        fanOut.add(peer.consumer);
        shared.consumerCame();
    }

    @Override
    public Answer onMessage(final FixSession session, final InboundMessage inbound) {
        final Peer peer = (Peer) session.attachment();
        if (peer.isProducer) {
            onProduced(inbound);
            return Answer.TAKEN;
        }
        final boolean isRequest =
                inbound.typeChar() == 'V'
                        && shared.settings().subscriptions() == Subscriptions.SYMBOL;
        if (!isRequest) {
            return Answer.UNSUPPORTED;
        }
        if (session.state() != FixSession.State.ACTIVE) {
            return Answer.UNAVAILABLE; // the gateway is ending, it asked to log out
        }
        fanOut.deliver(); // a snapshot holds it already
        fanOut.requests().onRequest(peer.consumer, inbound);
        return Answer.TAKEN;
    }

    private void onProduced(final InboundMessage inbound) {
        received++;
        final int mark = scan.begin(FAN_OUT);
        final boolean isToFanOut =
                shared.settings().fanOut() == FanOutRule.ALL
                        || mark >= 0 && inbound.bytes()[mark] == 'Y';
        if (!isToFanOut) {
            unmarked++;
            return;
        }
        final int begin = inbound.fieldsBegin();
        final int request = scan.begin(REQUEST);
        message.set(
                inbound.bytes(),
                begin,
                inbound.fieldsEnd() - begin,
                relative(scan.begin(SYMBOL), begin),
                scan.length(SYMBOL),
                relative(request, begin + "262=".length()),
                scan.length(REQUEST) + "262=".length() + 1);
        message.type(inbound.bytes(), inbound.typeBegin(), inbound.typeLength());
        fanOut.publish(message);
        shared.bringToOthers(number, message);
    }

    private static int relative(final int at, final int begin) {
        return at < 0 ? -1 : at - begin;
    }

    @Override
    public void onRejectSent(
            final FixSession session, final InboundMessage inbound, final String reason) {
        rejected++;
        shared.rejected(session.target(), inbound, reason);
    }

    @Override
    public void onEnd(final FixSession session, final String reason) {
        final Peer peer = (Peer) session.attachment();
        if (peer.consumer != null) {
            fanOut.remove();
        }
        if (peer.wasActive) {
            shared.ended(session.target(), reason);
        } else {
            shared.waitsNoMore(peer);
            shared.neverLoggedOn(
                    session.target().isEmpty() ? reason : session.target() + ", " + reason);
        }
    }

    /** Others have come since, and there is no room for all of them. */
    boolean isCrowdedOut(final Connection connection) {
        return ((Peer) connection.session().attachment()).isCrowdedOut;
    }

    /** Where a connection is to go whose session has moved. */
    Worker.Arrival moving(final Connection connection) {
        shared.waitsNoMore((Peer) connection.session().attachment());
        return new Worker.Arrival(
                connection.link(),
                ((Peer) connection.session().attachment()).isProducersPort,
                connection.handOver());
    }

    /** The worker that a connection is to go to whose session has moved. */
    int home(final Connection connection) {
        return ((Peer) connection.session().attachment()).home;
    }

    /** A connection is gone: its counts stay, its name is free. To be told with tellGone(). */
    void closed(final Connection connection) {
        final FixSession session = connection.session();
        final Peer peer = (Peer) session.attachment();
        ended = ended.plus(of(session, peer.consumer));
        if (peer.isAdmitted) {
            shared.stores().giveBack(session.target());
        }
        if (peer.consumer != null) {
            consumersGone++;
        } else if (peer.isCounted) {
            producersGone++;
        }
    }

    /** Tells who is gone, once the counts that hold what they got are published. */
    void tellGone() {
        for (; consumersGone > 0; consumersGone--) {
            shared.consumerWent();
        }
        for (; producersGone > 0; producersGone--) {
            shared.producerWent();
        }
    }

    private static Traffic of(final FixSession session, final Consumer consumer) {
        final boolean isConsumer = consumer != null;
        return new Traffic(
                0,
                0,
                isConsumer ? session.sent() : 0,
                isConsumer ? consumer.dropped() : 0,
                isConsumer ? consumer.conflated() : 0,
                isConsumer && consumer.isCut() ? 1 : 0,
                session.garbled(),
                session.incoming().missed(),
                0,
                isConsumer ? consumer.kept() : 0,
                isConsumer ? consumer.forgotten() : 0);
    }

    /** Counts of the sessions that are gone and of those with a connection, ended or not. */
    Traffic traffic(final List<Connection> connections) {
        Traffic sum =
                ended.plus(
                        new Traffic(
                                received,
                                unmarked,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                rejected,
                                away.keptMessages(),
                                away.forgotten()));
        for (final Connection connection : connections) {
            final FixSession session = connection.session();
            sum = sum.plus(of(session, ((Peer) session.attachment()).consumer));
        }
        return sum;
    }
}

package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.Tags;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** One thread's part of the consumers. */
final class ConsumerLoop implements AutoCloseable {
    private static final int LIMIT_BYTES = 1 << 20;
    private static final long WAIT_MS = 20;
    private static final long ANSWERS_NS = 2_000_000_000;
    private static final long QUIET_NS = 80_000_000;

    /** A spinning thread looks at what is no message once in so many passes. */
    private static final int LOOK_EVERY = 4095;

    private final ConsumersSettings settings;
    private final LoopGroup group;
    private final RoleContext context;
    private final ClientSessions sessions;
    private final Received received;
    private final int first;
    private final int count;
    private final IdleMode idle;
    private final AtomicInteger reading;
    private boolean isStalled;
    private int looks;

    /**
     * Serves sessions {@code first} to {@code first + count - 1}, numbered from 1; {@code reading}
     * counts the loops of the role that have sessions that read, and are not over.
     */
    ConsumerLoop(
            final ConsumersSettings settings,
            final LoopGroup group,
            final Received received,
            final int first,
            final int count,
            final IdleMode idle,
            final AtomicInteger reading) {
        this.settings = settings;
        this.group = group;
        context = group.context();
        this.received = received;
        this.first = first;
        this.count = count;
        this.idle = idle;
        this.reading = reading;
        received.stalled(stalledHere());
        if (counted() > 0) {
            reading.incrementAndGet();
        }
        sessions =
                new ClientSessions(
                        context,
                        LinkFactory.client(settings.client().session()),
                        settings.client().session().maxMessageBytes());
    }

    void connect(final InetSocketAddress address) {
        final SessionNumbers numbers = SessionNumbers.of(context);
        for (int i = 0; i < count; i++) {
            final SessionConfig config =
                    settings.client()
                            .session()
                            .initiator(
                                    settings.consumerPrefix() + numbers.of(first + i),
                                    settings.client().heartbeat(),
                                    LIMIT_BYTES);
            sessions.open(address, config, received).attach(i);
        }
        sessions.awaitLogons(ClientSessions.text(address));
        if (!settings.symbols().isEmpty()) {
            received.awaitAnswers(settings.symbols().size());
            for (int i = 0; i < count; i++) {
                subscribe(sessions.connection(i).session());
            }
            awaitAnswers();
        }
    }

    /**
     * A snapshot of each symbol says that updates will follow; who sends none is not waited for
     * long.
     */
    private void awaitAnswers() {
        final long untilNs = context.clock().nanoTime() + ANSWERS_NS;
        for (int i = 0; i < count; i++) {
            sessions.connection(i).flush(sessions.io(), sessions.clock().nowNs());
        }
        while (received.isAwaitingAnswers() && context.clock().nanoTime() - untilNs < 0) {
            sessions.pass(WAIT_MS);
        }
        received.awaitAnswers(0);
    }

    private void subscribe(final FixSession session) {
        final BodyBytes body = new BodyBytes(128);
        body.field(Tags.MD_REQ_ID, "1").field(Tags.SUBSCRIPTION_REQUEST_TYPE, 1).field(264, 0);
        body.field(Tags.MD_UPDATE_TYPE, settings.incremental() ? 1 : 0);
        body.field(Tags.NO_MD_ENTRY_TYPES, 2)
                .field(Tags.MD_ENTRY_TYPE, 0)
                .field(Tags.MD_ENTRY_TYPE, 1);
        body.field(Tags.NO_RELATED_SYM, settings.symbols().size());
        settings.symbols().forEach(symbol -> body.field(Tags.SYMBOL, symbol));
        session.send("V", body);
    }

    /**
     * Serves until the gateway has logged out all who read, nothing comes any more, or a stop. A
     * loop whose sessions all stop reading hears of no end: it is over when the others are.
     */
    void run() {
        try {
            serve();
        } finally {
            if (counted() > 0) {
                reading.decrementAndGet();
            }
        }
        sessions.logOut(stalledHere());
    }

    private void serve() {
        final long idleNs = settings.idleTimeout().toNanos();
        final long startNs = context.clock().nanoTime();
        boolean isOver = false;
        while (!isOver && !group.isOver()) {
            sessions.pass(idle == IdleMode.SPIN || idle == IdleMode.YIELD ? 0 : WAIT_MS);
            if (idle == IdleMode.YIELD) {
                Thread.yield();
            }
            if (idle != IdleMode.SPIN || (looks++ & LOOK_EVERY) == 0) {
                isOver = isOver(startNs, idleNs);
            }
        }
    }

    private boolean isOver(final long startNs, final long idleNs) {
        final long nowNs = context.clock().nanoTime();
        received.onQuiet(nowNs, QUIET_NS);
        if (!isStalled && received.isMeasuring()) {
            isStalled = true;
            for (int i = 0; i < count && first + i <= settings.stalled(); i++) {
                sessions.stall(i);
            }
        }
        if (counted() == 0) {
            return reading.get() == 0;
        }
        final long heardNs = Math.max(startNs, received.lastNs());
        return settings.exitAtEnd() && sessions.open(stalledHere()) == 0
                || idleNs > 0 && nowNs - heardNs > idleNs;
    }

    int stalledHere() {
        return Math.clamp(settings.stalled() - first + 1L, 0, count);
    }

    /** Sessions whose messages count. */
    int counted() {
        return count - stalledHere();
    }

    Received received() {
        return received;
    }

    long garbled() {
        long garbled = 0;
        for (int i = 0; i < sessions.size(); i++) {
            garbled += sessions.connection(i).session().garbled();
        }
        return garbled;
    }

    long missed() {
        long missed = 0;
        for (int i = 0; i < sessions.size(); i++) {
            missed += sessions.connection(i).session().incoming().missed();
        }
        return missed;
    }

    /** Numbers under which nothing came to the sessions that count. */
    long missing() {
        long missing = 0;
        for (int i = stalledHere(); i < sessions.size(); i++) {
            missing += sessions.connection(i).session().incoming().missing();
        }
        return missing;
    }

    @Override
    public void close() {
        sessions.close();
    }
}

package io.tickmark.workloads.feed.client;

import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.feed.serve.ChannelSettings;
import io.tickmark.workloads.feed.session.SessionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;

/** Many clients on one thread, each with its own connection and session. */
public final class ClientGroup implements AutoCloseable {
    /**
     * Each client acknowledges received messages at least once in this many turns: acknowledging
     * for all clients at once would delay reading, and acknowledging each message would wake the
     * server each time.
     */
    private static final int TURNS = 20;

    private static final long TURN_NS = 10_000_000;
    private static final long SELECT_MS = 10;

    private final NanoClock clock;
    private final Tally tally;
    private final List<Client> clients = new ArrayList<>();
    private final Selector selector;
    private final ReadBuffer shared;
    private final Consumer<SelectionKey> onReady = this::onReady;
    private StallWatch watch = StallWatch.off();
    private boolean isAsleep;
    private long nextTurnNs;
    private int last;

    /**
     * An empty group.
     *
     * @param clock monotonic
     * @param recording takes response and service times, and counts what is received
     */
    public ClientGroup(final NanoClock clock, final Recording recording) {
        this.clock = clock;
        tally = new Tally(recording);
        shared = new ReadBuffer(clock);
        try {
            selector = Selector.open();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Connects one more client.
     *
     * @param server to connect to
     * @param channel that it connects through
     * @param wanted of the session
     * @throws UserError if the server cannot be reached
     */
    public void connect(
            final ServerAddress server,
            final ChannelSettings channel,
            final SessionSettings wanted) {
        final ClientPlan plan =
                new ClientPlan(server, "/feed/" + channel.name() + "?" + query(wanted), wanted);
        try {
            clients.add(Client.connect(plan, channel, tally, selector));
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s: client %d cannot connect (%s); is the server running, and are there enough file handles (ulimit -n)?"
                            .formatted(server, clients.size() + 1, IoReason.of(e)),
                    e);
        }
    }

    private static String query(final SessionSettings wanted) {
        return Settings.toMap(wanted).entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("&"));
    }

    /**
     * Waits until every client is welcomed.
     *
     * @param timeoutNs how long
     * @return false if the time ran out, or a client was refused
     */
    public boolean awaitOpen(final long timeoutNs) {
        return await(timeoutNs, client -> client.session().isOpen()) && !isAnyOver();
    }

    /**
     * Whether the server's times are valid here; known once a client is welcomed. Where they are
     * not, there are no latencies, and messages that arrive in the measured time count as measured.
     *
     * @return false where the server is on another host, with a clock of its own
     */
    public boolean isOnServersClock() {
        return tally.isOnServersClock();
    }

    /**
     * How many clients have a session now.
     *
     * @return the count
     */
    public int open() {
        return (int) clients.stream().filter(client -> client.session().isOpen()).count();
    }

    /**
     * Measures messages that are due between two times; receives until the second, or until it is
     * stopped: what is due later is then not measured.
     *
     * @param fromNs on the clock
     * @param toNs on the clock
     * @param isStopped polled now and then
     * @return ns from the first time on; 0 where it was stopped before
     */
    public long measure(final long fromNs, final long toNs, final BooleanSupplier isStopped) {
        tally.measure(fromNs, toNs);
        while (clock.nanoTime() - toNs < 0 && !isStopped.getAsBoolean()) {
            turn();
        }
        final long endNs = toNs - Math.max(0, toNs - clock.nanoTime());
        tally.measure(fromNs, endNs);
        return Math.max(0, endNs - fromNs);
    }

    /**
     * Keeps the times of measured messages, and notes stalls of the thread; to be called by it.
     *
     * @param log for the messages
     * @param newWatch of the calling thread, which the caller begins and ends
     */
    public void keep(final MessageLog log, final StallWatch newWatch) {
        tally.keep(log);
        watch = newWatch;
    }

    /**
     * Requests the end of every session, and receives until all have it.
     *
     * @param timeoutNs how long
     * @return false if the time ran out
     */
    public boolean finish(final long timeoutNs) {
        clients.forEach(Client::finish);
        return await(timeoutNs, client -> client.session().isOver());
    }

    private boolean await(final long timeoutNs, final Predicate<Client> isDone) {
        final long endNs = clock.nanoTime() + timeoutNs;
        while (!clients.stream()
                .allMatch(client -> isDone.test(client) || client.session().isOver())) {
            if (clock.nanoTime() - endNs > 0) {
                return false;
            }
            turn();
        }
        return true;
    }

    private void turn() {
        watch.sleeps();
        isAsleep = true;
        try {
            selector.select(onReady, SELECT_MS);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        awake();
        final long nowNs = clock.nanoTime();
        watch.look(nowNs);
        if (nowNs - nextTurnNs >= 0) {
            nextTurnNs = nowNs + TURN_NS;
            for (int i = 0; i < Math.ceilDiv(clients.size(), TURNS); i++) {
                last = (last + 1) % clients.size();
                clients.get(last).onTurn(nowNs);
            }
        }
    }

    /** The select call has slept, and reads now. */
    private void awake() {
        if (isAsleep) {
            isAsleep = false;
            watch.waited(StallWatch.NOT_TIMED);
            watch.worked(); // reading and acknowledging are not stalls
        }
    }

    private void onReady(final SelectionKey key) {
        awake();
        ((Readable) key.attachment()).onReadable(shared);
    }

    /**
     * Whether a session ended by itself.
     *
     * @return true where one is over
     */
    public boolean isAnyOver() {
        return clients.stream().anyMatch(client -> client.session().isOver());
    }

    /**
     * What all clients received so far.
     *
     * @return a copy, which no longer changes
     */
    public ClientCounts counts() {
        final ClientCounts now = ClientCounts.COLUMNS.sum(List.of(tally.counts()));
        clients.forEach(client -> client.session().addTo(now));
        now.clients().set(clients.size());
        now.received().set(tally.received());
        now.expected().set(now.received().get() + now.lost().get());
        return now;
    }

    /**
     * Why sessions ended without a request.
     *
     * @return each reason once
     */
    public List<String> unexpectedEndings() {
        return clients.stream()
                .map(client -> client.session().endReason())
                .filter(reason -> !reason.isEmpty() && !reason.contains("asked for"))
                .distinct()
                .toList();
    }

    /**
     * For how long the source of the server's feed was silent when the sessions ended.
     *
     * @return ms; 0 where the source is not gone
     */
    public long sourceSilentMs() {
        return clients.stream()
                .mapToLong(client -> client.session().sourceSilentMs())
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
        try {
            selector.close();
        } catch (final IOException _) {
            // it is closing anyway
        }
    }

    /**
     * What each client does.
     *
     * @param server to connect to
     * @param path of the channel, with its query
     * @param session what it asks for: it acknowledges within that window
     */
    record ClientPlan(ServerAddress server, String path, SessionSettings session) {
        private static final int PARTS = 4;

        /** Frames after which it acknowledges. */
        int framesPerAcknowledgement() {
            return Math.max(1, session.windowFrames() / PARTS);
        }

        /** Bytes after which it acknowledges. */
        int bytesPerAcknowledgement() {
            return Math.max(1, session.windowBytes() / PARTS);
        }
    }
}

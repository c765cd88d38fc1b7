package io.tickmark.bench.engines;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * One side of a loop on an engine's own client, as a program. The sending side starts the server as
 * our engine does, or binds where there is none, says where it is, sends round trips and then a
 * stream; the receiving side echoes the former and counts the latter. Each ends with a line of
 * figures.
 */
public final class BareEngine {
    /** Begins the line that says where the server is. */
    public static final String SERVER = "tool=bare_engine_server ";

    private static final String OUT = "bare.out";
    private static final String BACK = "bare.back";
    static final int MOST_UNDER_WAY = 4096;

    private static final long END_EVERY_MS = 20;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    /** What a message is for: its first eight bytes; the next are its number. */
    private static final long HELLO = 0;

    private static final long PING = 1;
    private static final long WARM_UP = 2;
    private static final long COUNTED = 3;
    private static final long END = 4;

    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final Semaphore room = new Semaphore(MOST_UNDER_WAY);
    private final int payloadBytes;
    private final AtomicLong lastBack = new AtomicLong(-1);
    private final AtomicLong hellos = new AtomicLong();

    private BareEngine(final int payloadBytes) {
        this.payloadBytes = payloadBytes;
    }

    /**
     * Engines that have a bare loop.
     *
     * @return their schemes
     */
    public static List<String> schemes() {
        return Stream.concat(BareClient.schemes().stream(), BareDirect.schemes().stream()).toList();
    }

    /**
     * Runs one side.
     *
     * @param args {@code send SCHEME BYTES SAMPLES WARM_UP_S SECONDS CORE} or {@code receive SCHEME
     *     BYTES AT CORE}
     * @throws Exception any failure
     */
    public static void main(final String... args) throws Exception {
        try {
            run(args);
        } catch (final UserError e) {
            System.err.println(e.getMessage()); // what the contest shows as the reason
            System.exit(1);
        }
        System.exit(0); // some clients have threads that do not end
    }

    private static void run(final String... args) throws Exception {
        final String scheme = args[1];
        final BareEngine side = new BareEngine(Integer.parseInt(args[2]));
        if (!args[0].equals("send")) {
            try (BareClient client = BareClient.of(scheme, args[3])) {
                side.receive(client, Integer.parseInt(args[4]));
            }
        } else if (BareDirect.schemes().contains(scheme)) {
            try (BareDirect client = BareDirect.bound(scheme)) {
                side.send(client, client.at(), args);
            }
        } else {
            try (Exchange server =
                    new Transports()
                            .all()
                            .get(scheme)
                            .exchange(
                                    ChannelUri.parse(scheme + ":"),
                                    Topic.DEFAULT,
                                    ExchangeSide.BIND,
                                    0)) {
                final String at = HostPort.of(server.channel()).authority();
                try (BareClient client = BareClient.of(scheme, at)) {
                    side.send(client, at, args);
                }
            }
        }
    }

    private byte[] message(final long purpose, final long number) {
        return ByteBuffer.allocate(payloadBytes).putLong(purpose).putLong(number).array();
    }

    private void send(
            final BareClient client, final String topic, final long purpose, final long number)
            throws Exception {
        room.acquire();
        client.send(topic, message(purpose, number), room::release);
    }

    private void send(final BareClient client, final String at, final String... args)
            throws Exception {
        client.subscribe(
                BACK,
                payload -> {
                    final ByteBuffer back = ByteBuffer.wrap(payload);
                    if (back.getLong() == HELLO) {
                        hellos.incrementAndGet();
                    } else {
                        lastBack.set(back.getLong());
                    }
                });
        System.out.printf(SERVER + "at=%s%n", at);
        System.out.flush();
        final long startNs = clock.nanoTime();
        while (hellos.get() == 0) {
            Thread.sleep(1);
            if (clock.nanoTime() - startNs > 2 * PATIENCE_NS) {
                throw new IllegalStateException("no receiver came");
            }
        }
        pin(Integer.parseInt(args[6]));
        final long warmUpNs = TimeUnit.SECONDS.toNanos(Integer.parseInt(args[4]));
        final long[] roundTripsNs = new long[Integer.parseInt(args[3])];
        long number = 0;
        final long warmNs = clock.nanoTime();
        while (clock.nanoTime() - warmNs < warmUpNs) {
            roundTripNs(client, number++);
        }
        for (int i = 0; i < roundTripsNs.length; i++) {
            roundTripsNs[i] = roundTripNs(client, number++);
        }
        Arrays.sort(roundTripsNs);
        final long sent =
                stream(client, WARM_UP, warmUpNs)
                        + stream(
                                client,
                                COUNTED,
                                TimeUnit.SECONDS.toNanos(Integer.parseInt(args[5])));
        final long endNs = clock.nanoTime();
        while (lastBack.get() != Long.MAX_VALUE && clock.nanoTime() - endNs < PATIENCE_NS) {
            // Again: a server that drops what a slow receiver has not read drops it, too.
            send(client, OUT, END, 0);
            Thread.sleep(END_EVERY_MS);
        }
        System.out.printf(
                "tool=bare_engine sent=%d p50_ns=%d%n",
                sent, roundTripsNs[roundTripsNs.length / 2]);
    }

    private long roundTripNs(final BareClient client, final long number) throws Exception {
        final long startNs = clock.nanoTime();
        send(client, OUT, PING, number);
        while (lastBack.get() != number) {
            Thread.onSpinWait();
            if (clock.nanoTime() - startNs > PATIENCE_NS) {
                throw new IllegalStateException("no echo of message " + number);
            }
        }
        return clock.nanoTime() - startNs;
    }

    private long stream(final BareClient client, final long purpose, final long durationNs)
            throws Exception {
        final long startNs = clock.nanoTime();
        long sent = 0;
        while (clock.nanoTime() - startNs < durationNs) {
            send(client, OUT, purpose, sent++);
        }
        return sent;
    }

    /**
     * Counts on the client's thread, from which it also echoes. That is the one to pin, as ours
     * pins the one that receives; some clients take one of several.
     */
    private void receive(final BareClient client, final int core) throws Exception {
        final long[] count = {0, 0, 0}; // messages, time of the first and of the last
        final ThreadLocal<Boolean> isPinned = ThreadLocal.withInitial(() -> false);
        client.subscribe(
                OUT,
                payload -> {
                    if (!isPinned.get()) {
                        isPinned.set(true);
                        pin(core);
                    }
                    final long purpose = ByteBuffer.wrap(payload).getLong();
                    if (purpose == PING) {
                        echo(client, payload);
                    } else if (purpose == COUNTED) {
                        count[2] = clock.nanoTime();
                        if (count[0]++ == 0) {
                            count[1] = count[2];
                        }
                    } else if (purpose == END) {
                        hellos.set(1);
                    }
                });
        send(client, BACK, HELLO, 0);
        while (hellos.get() == 0) {
            Thread.sleep(1);
        }
        send(client, BACK, END, Long.MAX_VALUE);
        Thread.sleep(100); // until it has left the client
        System.out.printf(
                "tool=bare_engine received=%d msg_per_s=%.0f%n",
                count[0], count[2] > count[1] ? (count[0] - 1) * 1e9 / (count[2] - count[1]) : 0);
    }

    private static void echo(final BareClient client, final byte[] payload) {
        try {
            client.send(BACK, payload, () -> {});
        } catch (final Exception e) { // a client's call
            throw new IllegalStateException(e);
        }
    }

    private static void pin(final int core) {
        if (core >= 0) {
            Affinity.pin(core).ifPresent(System.err::println);
        }
    }
}

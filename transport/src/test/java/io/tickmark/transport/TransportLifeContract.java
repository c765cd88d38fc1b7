package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.management.ThreadMXBean;
import io.tickmark.kernel.stamp.Stamp;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;

/** The part of the contract about sides that start, stop, crash and run for long. */
public abstract class TransportLifeContract extends TransportInputContract {
    private static final int ROUND_TRIPS = 5000;

    /** Reason to assert nothing about allocations: a broker on a busy machine may be slow. */
    private static final int FEW_ROUND_TRIPS = 50;

    private static final int SMALLEST_OBJECT_BYTES = 16;
    private static final int THREADED_MESSAGES = 2000;
    private static final int DYING_COOKIE = 7;

    /** Measured at the connecting side where it can be alone. */
    private static final int ONLY_COOKIE = 1;

    /** For subclasses. */
    protected TransportLifeContract() {}

    @Test
    void shouldNoticeThatTheConnectingSideHasLeft() {
        final Exchange bound = bind(channel());
        final Ends binder = ends(bound, BINDER);
        final Exchange leaver = connect(bound, 1);
        meet(binder, ends(leaver, 1));
        assertThat(binder.publication().subscriberCount()).isIn(1, Publication.UNKNOWN_COUNT);

        leaver.close();

        if (transport().traits(bound.channel()).detectsDisconnect()) {
            until(
                    "BIND notices that CONNECT has left",
                    () -> {
                        binder.pump();
                        return binder.outbox().offer(binder.publication(), 0, LENGTH)
                                == Publication.NOT_CONNECTED;
                    });
        } else {
            assertThat(binder.outbox().offer(binder.publication(), 0, LENGTH))
                    .isNotEqualTo(Publication.CLOSED);
        }
    }

    @Test
    void shouldNoticeThatTheBindingSideHasLeft() {
        final Exchange bound = bind(channel());
        final Ends binder = ends(bound, BINDER);
        final Ends connector = ends(connect(bound, 1), 1);
        meet(binder, connector);

        bound.close();

        if (transport().traits(bound.channel()).detectsDisconnect()) {
            until(
                    "CONNECT notices that BIND has left",
                    () -> {
                        connector.pump();
                        return !connector.subscription().isConnected();
                    });
        } else {
            connector.pump();
        }
        assertThat(connector.inbox().damaged()).isZero();
    }

    @Test
    void shouldLetALateConnectorJoinAndOneWithAKnownCookieComeBack() {
        final Exchange bound = bind(channel());
        final Ends binder = ends(bound, BINDER);
        final Exchange first = connect(bound, 1);
        meet(binder, ends(first, 1));
        final int next = sendSome(binder, ends(first, 1), 0);
        first.close();

        final Ends again = ends(connect(bound, 1), 1);
        binder.inbox().forget();
        meet(binder, again);
        sendSome(binder, again, next); // messages still in transit to a broker may reach it, too

        assertThat(again.inbox().outOfOrder()).isZero();
        assertThat(again.inbox().damaged()).isZero();
    }

    @Test
    void shouldMeetABindingSideThatWasRestarted() {
        final Exchange bound = bind(channel());
        final Ends connector = ends(connect(bound, 1), 1);
        meet(ends(bound, BINDER), connector);
        bound.close();

        final Exchange restarted = bind(bound.channel());
        final Ends binder = ends(restarted, BINDER);
        final Ends met = followsRestart() ? connector : ends(connect(restarted, 2), 2);
        assertThatCode(() -> meet(binder, met))
                .as(
                        "meeting a BIND side that was restarted, with followsRestart() = %s",
                        followsRestart())
                .doesNotThrowAnyException();
        sendSome(binder, met, 0);

        assertThat(restarted.channel()).isEqualTo(bound.channel());
        assertThat(met.inbox().damaged()).isZero();
    }

    @Test
    void shouldNotBeBlockedForEverByAReaderThatDies() throws Exception {
        if (!crossesProcesses()) {
            assertThat(transport().traits(channel()).detectsDisconnect()).isTrue();
            return;
        }
        final Exchange bound = bind(channel());
        final Ends binder = ends(bound, BINDER);
        final boolean fansOut = transport().traits(bound.channel()).fansOut();
        final int dying = fansOut ? DYING_COOKIE : ONLY_COOKIE;
        final Process reader = opened(DyingReader.start(bound.channel(), dying)).process();
        until(
                "the other process says hello",
                () -> {
                    binder.outbox().offerHello(binder.publication(), Stamp.HELLO);
                    binder.pump();
                    return binder.inbox().heard(dying);
                });
        Ends living = binder;
        if (fansOut) {
            living = ends(connect(bound, 1), 1);
            meet(binder, living);
        }

        reader.destroyForcibly().waitFor();

        writeMoreThanBuffersHold(binder, living);
        assertThat(living.inbox().damaged()).isZero();
    }

    private void writeMoreThanBuffersHold(final Ends binder, final Ends living) {
        final int length = Math.min(16 << 10, transport().traits(channel()).maxPayloadBytes());
        final int[] sent = {0};
        final long most = bufferedBytes() / length;
        until(
                "writing goes on after a reader died",
                () -> {
                    long code = 0;
                    for (int burst = 0; burst < 256 && sent[0] < most; burst++) {
                        code = binder.outbox().offer(binder.publication(), sent[0], length);
                        if (code < 0) {
                            break;
                        }
                        sent[0]++;
                        living.pump();
                    }
                    binder.pump();
                    living.pump();
                    return sent[0] >= most || code == Publication.NOT_CONNECTED;
                });
    }

    @Test
    void shouldServeAWriterAndAReaderOnThreadsOfTheirOwn() throws Exception {
        final Ends stream = stream();
        final AtomicBoolean stop = new AtomicBoolean();
        final AtomicInteger newest = new AtomicInteger(-1);
        final MessageHandler handler =
                (buffer, offset, length) -> {
                    stream.inbox().onMessage(buffer, offset, length);
                    newest.set(stream.inbox().lastSequence());
                };
        final Thread reader =
                new Thread(() ->
                        stream.subscription().run(handler, new YieldingIdleStrategy(), stop::get));
        reader.start();
        try {
            final int[] sequence = {0};
            until(
                    "the reader has received enough",
                    () -> {
                        send(
                                stream.outbox(),
                                stream.publication(),
                                sequence[0]++,
                                LENGTH,
                                Thread::yield);
                        stream.publication().doWork();
                        return newest.get() >= THREADED_MESSAGES;
                    });
        } finally {
            stop.set(true);
            reader.join(patience().toMillis());
        }

        assertThat(reader.isAlive()).as("run() returns when told to stop").isFalse();
        assertThat(stream.inbox().outOfOrder()).isZero();
        assertThat(stream.inbox().damaged()).isZero();
    }

    @Test
    void shouldNotAllocateInTheSteadyStateUnlessItSaysSo() {
        final Exchange bound = bind(channel());
        final Ends binder = ends(bound, BINDER);
        final Ends connector = ends(connect(bound, 1), 1);
        meet(binder, connector);
        final RoundTrips trips = new RoundTrips(binder, connector, patience().toNanos());
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final boolean allocates = transport().traits(bound.channel()).allocates();
        // One object a message would be twice this; an occasionally loaded class stays below it.
        final int count = allocates ? FEW_ROUND_TRIPS : ROUND_TRIPS;
        final long mostBytes = ROUND_TRIPS * SMALLEST_OBJECT_BYTES / 2;
        final long startNs = CLOCK.nanoTime();
        long bytes;
        int rounds = 0;
        // The steady state begins when the JIT compiler has removed what does not escape, and on a
        // loaded machine that may
        // take a while.
        do {
            final long before = threads.getCurrentThreadAllocatedBytes();
            trips.run(count);
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
            rounds++;
        } while (!allocates
                && bytes >= mostBytes
                && CLOCK.nanoTime() - startNs < patience().toNanos());

        if (!allocates) {
            assertThat(bytes).as("round %d of %d trips", rounds, count).isLessThan(mostBytes);
        }
        assertThat(connector.inbox().damaged()).isZero();
    }

    /** Returns the number of the message after the last. */
    private int sendSome(final Ends binder, final Ends reader, final int from) {
        final int[] sequence = {from};
        until(
                "messages arrive",
                () -> {
                    send(
                            binder.outbox(),
                            binder.publication(),
                            sequence[0]++,
                            LENGTH,
                            reader::pump);
                    binder.pump();
                    reader.pump();
                    return reader.inbox().received() >= 20;
                });
        return sequence[0];
    }
}

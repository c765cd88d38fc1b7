package io.tickmark.engines.omb;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.Flight;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * The producers of a topic, which messages go through in turn. What may be under way is bounded, so
 * that a slow driver pushes back.
 */
final class OmbPublication extends BrokerPublication {
    private static final long STOP_PATIENCE_MS = 2000;

    private final OmbParameters parameters;
    private final SharedDriver driver;
    private final List<Object> producers = new ArrayList<>();
    private final List<Optional<String>> keys;
    private final Flight flight;
    private final EngineErrors failures =
            new EngineErrors(
                    "A message that was handed to the driver was not published: %s; see what the driver logged.",
                    "%d messages that were handed to the driver were not published, the first: %s; see what the driver"
                            + " logged.");

    /** Drivers complete futures on whatever threads they have, several at once. */
    private final BiConsumer<Object, Throwable> answered =
            (ignored, error) -> {
                if (error != null) {
                    failures.add(DriverApi.words(error));
                }
                synchronized (failures) {
                    count();
                }
            };

    private final Handing handing;
    private int nextProducer;
    private int nextKey;
    private long answers;
    private long sent;

    /** Opens it; closes the driver when it is closed, and not when opening fails. */
    OmbPublication(
            final BrokerChannel<OmbParameters> channel,
            final SharedDriver driver,
            final String topic) {
        super(channel, channel.parameters().maxPayloadBytes());
        parameters = channel.parameters();
        this.driver = driver;
        flight = new Flight(parameters.maxFlight(), parameters.sendPendingBytes());
        keys =
                parameters.keys() == 0
                        ? List.of(Optional.empty())
                        : IntStream.range(0, parameters.keys())
                                .mapToObj(i -> Optional.of("key-" + i))
                                .toList();
        try {
            for (int i = 0; i < parameters.producers(); i++) {
                producers.add(driver.createProducer(topic));
            }
        } catch (final RuntimeException e) {
            producers.forEach(driver::release);
            throw e;
        }
        handing = parameters.sendThread() ? new Handing() : null;
    }

    private void count() {
        flight.answer();
        answers++;
    }

    @Override
    protected long send(final DirectBuffer buffer, final int offset, final int length) {
        if (!flight.hasRoom(length)) {
            return BACK_PRESSURED;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        flight.add(length);
        sent++;
        if (handing == null) {
            hand(copy);
        } else {
            handing.add(copy);
        }
        return 0;
    }

    /** To the driver; what it throws is the answer. */
    private void hand(final byte[] message) {
        final Object producer = producers.get(nextProducer);
        final Optional<String> key = keys.get(nextKey);
        nextProducer = nextProducer + 1 < producers.size() ? nextProducer + 1 : 0;
        nextKey = nextKey + 1 < keys.size() ? nextKey + 1 : 0;
        final CompletionStage<?> answer;
        try {
            answer = driver.send(producer, key, message);
        } catch (final Throwable e) {
            answered.accept(null, e);
            return;
        }
        answer.whenComplete(answered);
    }

    @Override
    public Optional<String> engineErrors() {
        return Stream.of(failures.sentence(), driver.deaths())
                .flatMap(Optional::stream)
                .reduce((one, other) -> one + " " + other);
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = driver.facts();
        facts.put("producers", producers.size());
        facts.put("keys", parameters.keys());
        facts.put("sendThread", parameters.sendThread());
        facts.put("maxFlight", parameters.maxFlight());
        facts.put("sendPendingBytes", parameters.sendPendingBytes());
        facts.put("sendFailures", failures.count());
        synchronized (failures) {
            facts.put("unanswered", sent - answers);
        }
        return facts;
    }

    @Override
    protected void release() {
        flight.await(() -> true);
        if (handing != null) {
            handing.stop();
        }
        producers.forEach(driver::release);
        driver.close();
    }

    /** Calls the driver for the publisher, whom it does not hold up. */
    private final class Handing {
        /** Holds all that may be under way. */
        private final OneToOneConcurrentArrayQueue<byte[]> waiting =
                new OneToOneConcurrentArrayQueue<>(Math.max(2, parameters.maxFlight()));

        private final Thread thread = driver.thread("omb-send", this::run);
        private volatile boolean isAsleep;
        private volatile boolean isStopped;

        Handing() {
            thread.start();
        }

        void add(final byte[] message) {
            waiting.offer(message);
            VarHandle.fullFence(); // the message is seen before it is looked who sleeps
            if (isAsleep) {
                LockSupport.unpark(thread);
            }
        }

        private void run() {
            while (!isStopped) {
                final byte[] message = waiting.poll();
                if (message == null) {
                    sleep();
                } else {
                    hand(message);
                }
            }
        }

        private void sleep() {
            isAsleep = true;
            VarHandle.fullFence();
            if (waiting.isEmpty() && !isStopped) {
                LockSupport.park();
            }
            isAsleep = false;
        }

        /** One that waits in the driver is interrupted, and left behind where that is no use. */
        void stop() {
            isStopped = true;
            LockSupport.unpark(thread);
            try {
                thread.join(STOP_PATIENCE_MS);
                if (thread.isAlive()) {
                    thread.interrupt();
                }
            } catch (final InterruptedException e) {
                thread.interrupt();
                Thread.currentThread().interrupt();
            }
        }
    }
}

package io.tickmark.engines.omb;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.SendThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;

/**
 * The producers of a topic, which take turns in sending. The messages in flight are limited, so
 * that a slow driver exerts back-pressure.
 */
final class OmbPublication extends BrokerPublication {
    private static final long STOP_TIMEOUT_NS = 2_000_000_000L;

    /** Lists of keys by their length: all topics of a test share one. */
    private static final Map<Integer, List<Optional<String>>> KEYS = new ConcurrentHashMap<>();

    private final OmbParameters parameters;
    private final SharedDriver driver;
    private final Map<String, Object> topicFacts;
    private final List<Object> producers = new ArrayList<>();
    private final List<Optional<String>> keys;
    private final Flight flight;
    private final EngineErrors failures =
            new EngineErrors(
                    "A message that was handed to the driver was not published: %s; see what the driver logged.",
                    "%d messages that were handed to the driver were not published, the first: %s; see what the driver"
                            + " logged.");

    /** Called on any threads of the driver, by several at once. */
    private final BiConsumer<Object, Throwable> answered =
            (ignored, error) -> {
                if (error != null) {
                    failures.add(DriverText.of(error));
                }
                synchronized (failures) {
                    count();
                }
            };

    /** Null where the publisher's own thread calls the driver. */
    private final SendThread sendThread;

    private final SendThread.Sender sender = this::sendByDriver;
    private int nextProducer;
    private int nextKey;
    private long answers;
    private long sent;

    /**
     * Creates the producers. Closing this closes the driver; a failure here does not.
     *
     * @param asked the channel as the user wrote it, for errors
     * @param channel resolved
     * @param count of producers
     * @param topicFacts what is known of the topic
     */
    OmbPublication(
            final BrokerChannel<OmbParameters> asked,
            final BrokerChannel<OmbParameters> channel,
            final SharedDriver driver,
            final String topic,
            final int count,
            final Map<String, Object> topicFacts) {
        super(channel, channel.parameters().maxPayloadBytes());
        parameters = channel.parameters();
        this.driver = driver;
        this.topicFacts = topicFacts;
        flight = new Flight(parameters.maxFlight(), parameters.sendPendingBytes());
        keys = KEYS.computeIfAbsent(parameters.keys(), OmbPublication::keys);
        try {
            for (int i = 0; i < count; i++) {
                producers.add(driver.createProducer(asked, topic));
            }
        } catch (final RuntimeException e) {
            driver.closeAll(producers);
            throw e;
        }
        sendThread = parameters.sendThread() ? driver.sendThread() : null;
        if (sendThread != null) {
            sendThread.join(sender, error -> answered.accept(null, error));
        }
    }

    private static List<Optional<String>> keys(final int count) {
        return count == 0
                ? List.of(Optional.empty())
                : IntStream.range(0, count).mapToObj(i -> Optional.of("key-" + i)).toList();
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
        final byte[] copy = copy(buffer, offset, length);
        flight.add(length);
        sent++;
        if (sendThread == null) {
            sendByDriver(copy);
        } else {
            sendThread.add(sender, copy);
        }
        return 0;
    }

    /** Sends by the next producer; an exception counts as the answer. */
    private void sendByDriver(final byte[] message) {
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
    protected Optional<String> errors() {
        return EngineErrors.together(failures.sentence(), driver.threadErrors());
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = driver.facts(parameters);
        facts.putAll(topicFacts);
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
    public boolean isCount(final String fact) {
        return fact.equals("sendFailures") || fact.equals("unanswered");
    }

    @Override
    protected void release() {
        Flight.awaitUntil(driver.timeoutNs(Flight.PATIENCE_NS), flight::isEmpty);
        if (!flight.isEmpty() && !Thread.currentThread().isInterrupted()) {
            driver.timedOut();
        }
        if (sendThread != null) {
            sendThread.leave(sender, driver.timeoutNs(STOP_TIMEOUT_NS));
        }
        driver.closeAll(producers);
        driver.close();
    }
}

package io.tickmark.engines.omb;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The consumers of a subscription of its own. Threads of the driver add what comes to an inbox, one
 * thread polls it.
 */
final class OmbSubscription extends BrokerSubscription {
    private static final String UNSTAMPED =
            "the driver changes messages, as one does that makes text of them, or somebody else sends to the topic";

    private final OmbParameters parameters;
    private final SharedDriver driver;
    private final String subscription;
    private final Inbox<byte[]> arrived;
    private final List<Object> consumers = new ArrayList<>();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final EngineErrors unstamped =
            new EngineErrors(
                    "A message arrived without a stamp of ours (%s): "
                            + UNSTAMPED
                            + "; see that the driver carries binary payloads.",
                    "%d messages arrived without a stamp of ours (the first: %s): "
                            + UNSTAMPED
                            + "; see that the driver carries binary payloads.");

    /**
     * Opens it; closes the driver when it is closed, and not when opening fails.
     *
     * @param asked for errors
     * @param channel resolved
     * @param count of its consumers
     */
    OmbSubscription(
            final BrokerChannel<OmbParameters> asked,
            final BrokerChannel<OmbParameters> channel,
            final SharedDriver driver,
            final String topic,
            final int count) {
        this(
                asked,
                channel,
                driver,
                topic,
                count,
                new Inbox<>(message -> message.length, channel.parameters().receivePendingBytes()));
    }

    private OmbSubscription(
            final BrokerChannel<OmbParameters> asked,
            final BrokerChannel<OmbParameters> channel,
            final SharedDriver driver,
            final String topic,
            final int count,
            final Inbox<byte[]> arrived) {
        super(channel, arrived);
        parameters = channel.parameters();
        this.driver = driver;
        this.arrived = arrived;
        subscription = "tickmark-" + SharedDriver.word();
        try {
            for (int i = 0; i < count; i++) {
                consumers.add(
                        driver.createConsumer(asked, topic, subscription, arrived::addOrDrop));
            }
        } catch (final RuntimeException e) {
            driver.release(consumers);
            throw e;
        }
    }

    @Override
    protected byte[] next() {
        final byte[] message = arrived.poll();
        if (message != null) {
            view.wrap(message);
            if (!Stamp.isStamped(view, 0, message.length)) {
                unstamped.add(message.length + " bytes");
            }
        }
        return message;
    }

    /** A driver does not tell. */
    @Override
    protected boolean isServed() {
        return true;
    }

    @Override
    public Optional<String> engineErrors() {
        return Stream.of(unstamped.sentence(), driver.deaths())
                .flatMap(Optional::stream)
                .reduce((one, other) -> one + " " + other);
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = driver.facts(parameters);
        facts.put("consumers", consumers.size());
        facts.put("subscriptionName", subscription);
        facts.put("droppedHere", arrived.dropped());
        facts.put("unstamped", unstamped.count());
        return facts;
    }

    @Override
    protected void release() {
        driver.release(consumers);
        driver.close();
    }
}

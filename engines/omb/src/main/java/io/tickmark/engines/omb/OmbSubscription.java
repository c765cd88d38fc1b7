package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The consumers of one subscription, whose name is unique. Threads of the driver add messages to an
 * inbox, and one thread polls it.
 */
final class OmbSubscription extends BrokerSubscription {
    private static final String UNSTAMPED =
            "the driver changes messages, for example by converting them to text, or another program sends to the topic";

    private final OmbParameters parameters;
    private final SharedDriver driver;
    private final String subscription;
    private final Inbox<byte[]> arrived;
    private final List<Object> consumers = new ArrayList<>();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final EngineErrors unstamped =
            new EngineErrors(
                    "A message arrived without our stamp (%s): "
                            + UNSTAMPED
                            + "; see that the driver carries binary payloads.",
                    "%d messages arrived without our stamp (the first: %s): "
                            + UNSTAMPED
                            + "; see that the driver carries binary payloads.");

    /**
     * Creates the consumers. Closing this closes the driver; a failure here does not.
     *
     * @param asked the channel as the user wrote it, for errors
     * @param channel resolved
     * @param count of consumers
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
        subscription = "tickmark-" + SharedDriver.uniqueWord();
        try {
            for (int i = 0; i < count; i++) {
                consumers.add(
                        driver.createConsumer(asked, topic, subscription, arrived::addOrDrop));
            }
        } catch (final RuntimeException e) {
            driver.closeAll(consumers);
            throw e;
        }
    }

    @Override
    protected byte[] next() {
        final byte[] message = arrived.poll();
        if (message != null) {
            view.wrap(message);
            if (!Stamp.isStamped(view, 0, message.length)) {
                unstamped.add(Plural.of(message.length, "byte"));
            }
        }
        return message;
    }

    /** A driver does not report whether its servers are there. */
    @Override
    protected boolean isServed() {
        return true;
    }

    @Override
    public Optional<String> engineErrors() {
        return EngineErrors.together(unstamped.sentence(), driver.threadErrors());
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
    public boolean isCount(final String fact) {
        return fact.equals("droppedHere") || fact.equals("unstamped");
    }

    @Override
    protected void release() {
        driver.closeAll(consumers);
        driver.close();
    }
}

package io.tickmark.engines.omb;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The consumers of a subscription of its own. Threads of the driver add what comes to an inbox, one
 * thread polls it.
 */
final class OmbSubscription extends BrokerSubscription {
    private final SharedDriver driver;
    private final String subscription;
    private final Inbox<byte[]> arrived;
    private final List<Object> consumers = new ArrayList<>();

    /** Opens it; closes the driver when it is closed, and not when opening fails. */
    OmbSubscription(
            final BrokerChannel<OmbParameters> channel,
            final SharedDriver driver,
            final String topic) {
        this(
                channel,
                driver,
                topic,
                new Inbox<>(message -> message.length, channel.parameters().receivePendingBytes()));
    }

    private OmbSubscription(
            final BrokerChannel<OmbParameters> channel,
            final SharedDriver driver,
            final String topic,
            final Inbox<byte[]> arrived) {
        super(channel, arrived);
        this.driver = driver;
        this.arrived = arrived;
        subscription = "tickmark-" + SharedDriver.word();
        try {
            for (int i = 0; i < channel.parameters().consumers(); i++) {
                consumers.add(driver.createConsumer(topic, subscription, arrived::addOrDrop));
            }
        } catch (final RuntimeException e) {
            consumers.forEach(driver::release);
            throw e;
        }
    }

    @Override
    protected byte[] next() {
        return arrived.poll();
    }

    /** A driver does not tell. */
    @Override
    protected boolean isServed() {
        return true;
    }

    @Override
    public Optional<String> engineErrors() {
        return driver.deaths();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = driver.facts();
        facts.put("consumers", consumers.size());
        facts.put("subscriptionName", subscription);
        facts.put("droppedHere", arrived.dropped());
        return facts;
    }

    @Override
    protected void release() {
        consumers.forEach(driver::release);
        driver.close();
    }
}

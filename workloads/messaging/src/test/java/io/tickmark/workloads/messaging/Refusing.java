package io.tickmark.workloads.messaging;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Both ends of an engine that refuses every message with the same code. */
public final class Refusing implements Publication, Subscription {
    private final long code;
    private final int subscribers;
    private final Optional<String> said;
    private int offers;

    /** {@code said} is what it reports by itself. */
    public Refusing(final long code, final int subscribers, final Optional<String> said) {
        this.code = code;
        this.subscribers = subscribers;
        this.said = said;
    }

    public Exchange exchange() {
        return Exchange.of(this, this, channel());
    }

    /** How often a message was offered. */
    public int offers() {
        return offers;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        offers++;
        return code;
    }

    @Override
    public int subscriberCount() {
        return subscribers;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        return 0;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public ChannelUri channel() {
        return ChannelUri.parse("null:refusing");
    }

    @Override
    public KernelStamps kernelStamps() {
        return KernelStamps.NOT_ASKED;
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of();
    }

    @Override
    public boolean isCount(final String fact) {
        return false;
    }

    @Override
    public Optional<String> engineErrors() {
        return said;
    }

    @Override
    public void close() {}
}

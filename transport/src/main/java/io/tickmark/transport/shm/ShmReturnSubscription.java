package io.tickmark.transport.shm;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;

/** The binding side's subscription: hears all ways back. */
final class ShmReturnSubscription implements Subscription {
    private final ShmBinder binder;

    ShmReturnSubscription(final ShmBinder binder) {
        this.binder = binder;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        return binder.poll(handler, limit);
    }

    @Override
    public boolean isConnected() {
        return !binder.isClosed() && binder.readers() > 0;
    }

    @Override
    public ChannelUri channel() {
        return binder.address().channel();
    }

    @Override
    public void close() {
        binder.close();
    }
}

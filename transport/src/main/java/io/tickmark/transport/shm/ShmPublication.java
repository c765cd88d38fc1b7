package io.tickmark.transport.shm;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Claim;
import io.tickmark.transport.Publication;
import java.util.Map;
import org.agrona.DirectBuffer;

/** The binding side's publication. */
final class ShmPublication implements Publication, Claim.Completion {
    private final ShmBinder binder;

    ShmPublication(final ShmBinder binder) {
        this.binder = binder;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        return binder.offer(buffer, offset, length);
    }

    @Override
    public long tryClaim(final int length, final Claim claim) {
        final long room = binder.room(length);
        if (room < 0) {
            return room;
        }
        claim.wrap(binder.ring(), (int) room, length, this);
        return binder.position();
    }

    @Override
    public void commit() {
        binder.commit();
    }

    @Override
    public void abort() {
        binder.abort();
    }

    @Override
    public int doWork() {
        return binder.doWork();
    }

    @Override
    public int subscriberCount() {
        return binder.readers();
    }

    @Override
    public ChannelUri channel() {
        return binder.address().channel();
    }

    @Override
    public Map<String, Object> facts() {
        return binder.facts();
    }

    @Override
    public void close() {
        binder.close();
    }
}

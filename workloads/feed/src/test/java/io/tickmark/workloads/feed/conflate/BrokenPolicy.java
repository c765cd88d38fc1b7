package io.tickmark.workloads.feed.conflate;

import java.util.Locale;
import org.agrona.DirectBuffer;

/** A user's own policy with a fault: buffers, until it throws in one of its methods. */
public abstract class BrokenPolicy implements ConflationPolicy {
    private static final int MESSAGES = 100;

    private enum Place {
        OFFER,
        DRAIN,
        DUE,
        FIGURES
    }

    private final Place place;

    private BrokenPolicy(final Place place) {
        this.place = place;
    }

    /** Throws when a message arrives. */
    public static final class InOffer extends BrokenPolicy {
        public InOffer() {
            super(Place.OFFER);
        }
    }

    /** Throws between two messages of a frame. */
    public static final class InDrain extends BrokenPolicy {
        public InDrain() {
            super(Place.DRAIN);
        }
    }

    /** Throws when it is asked when it has to send. */
    public static final class InDue extends BrokenPolicy {
        public InDue() {
            super(Place.DUE);
        }
    }

    /** Throws when its figures are read. */
    public static final class InFigures extends BrokenPolicy {
        public InFigures() {
            super(Place.FIGURES);
        }
    }

    @Override
    public String name() {
        return "broken-" + place.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String summary() {
        return "Throws.";
    }

    @Override
    public OutboundQueue queue(final QueueContext session) {
        return new Queue(new ConflationPolicies.BufferQueue(session));
    }

    private final class Queue implements OutboundQueue {
        private final OutboundQueue messages;
        private int offered;

        Queue(final OutboundQueue messages) {
            this.messages = messages;
        }

        private void at(final Place here) {
            if (here == place && offered >= MESSAGES) {
                throw new IllegalStateException("a \"fault\" of its own");
            }
        }

        @Override
        public boolean offer(
                final int symbol,
                final DirectBuffer buffer,
                final int offset,
                final long nowNs,
                final boolean isOpen) {
            at(Place.OFFER);
            offered++;
            return messages.offer(symbol, buffer, offset, nowNs, isOpen);
        }

        @Override
        public void drain(final long nowNs, final Receiver receiver) {
            messages.drain(
                    nowNs,
                    (buffer, offset) -> {
                        final boolean isTaken = receiver.take(buffer, offset);
                        at(Place.DRAIN);
                        return isTaken;
                    });
        }

        @Override
        public long dueNs() {
            at(Place.DUE);
            return messages.dueNs();
        }

        @Override
        public long merged() {
            at(Place.FIGURES);
            return messages.merged();
        }

        @Override
        public long dropped() {
            return messages.dropped();
        }

        @Override
        public long waiting() {
            return messages.waiting();
        }
    }
}

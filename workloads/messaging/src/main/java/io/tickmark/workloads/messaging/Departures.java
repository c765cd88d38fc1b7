package io.tickmark.workloads.messaging;

import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.transport.Publication;

/**
 * Notes when the kernel handed messages to the network device, a while after each was sent, because
 * the kernel reports it late. Single-threaded, allocates nothing after construction.
 */
public final class Departures {
    /** Notes nothing. */
    public static final Departures NONE = new Departures(MessageLog.off(), 0);

    /** A power of two. */
    private static final int MOST_WAITING = 1 << 9;

    private final MessageLog log;
    private final Publication[] publications;
    private final long[] positions;
    private final long[] numbers;
    private final long[] sentNs;
    private final long[] arrivedNs;
    private final long[] takenNs;
    private long added;
    private long settled;

    /**
     * Of the messages of a step.
     *
     * @param log gets them
     */
    public Departures(final MessageLog log) {
        this(log, MOST_WAITING);
    }

    private Departures(final MessageLog log, final int waiting) {
        this.log = log;
        publications = new Publication[waiting];
        positions = new long[waiting];
        numbers = new long[waiting];
        sentNs = new long[waiting];
        arrivedNs = new long[waiting];
        takenNs = new long[waiting];
    }

    /**
     * Whether what is passed is noted.
     *
     * @return false for {@link #NONE}
     */
    public boolean areKept() {
        return positions.length > 0;
    }

    /**
     * A message was sent.
     *
     * @param publication that took it
     * @param position that it returned
     * @param number of the message, in the order sent
     * @param ofNs when it was sent, as its stamp says
     */
    public void sent(
            final Publication publication,
            final long position,
            final long number,
            final long ofNs) {
        echoed(publication, position, number, ofNs, 0, 0);
    }

    /**
     * A ping was sent back.
     *
     * @param publication that took it
     * @param position that it returned
     * @param number of the ping, in the order sent
     * @param ofNs when it was sent, as its stamp says
     * @param reachedNs when it reached the socket of this end; 0 where that is unknown
     * @param hadNs when the thread of this end had it
     */
    public void echoed(
            final Publication publication,
            final long position,
            final long number,
            final long ofNs,
            final long reachedNs,
            final long hadNs) {
        if (positions.length == 0) {
            return;
        }
        if (added - settled == positions.length) {
            settleFirst();
        }
        final int at = (int) added++ & positions.length - 1;
        publications[at] = publication;
        positions[at] = position;
        numbers[at] = number;
        sentNs[at] = ofNs;
        arrivedNs[at] = reachedNs;
        takenNs[at] = hadNs;
    }

    private void settleFirst() {
        final int at = (int) settled++ & positions.length - 1;
        final long departedNs = publications[at].departedNs(positions[at]);
        if (log.kind() == MessageLog.Kind.ECHOED) {
            log.addEchoed(numbers[at], sentNs[at], arrivedNs[at], takenNs[at], departedNs);
        } else {
            log.addSent(
                    numbers[at], sentNs[at], publications[at].queuedNs(positions[at]), departedNs);
        }
    }

    /** Notes the last ones. */
    public void settle() {
        for (long each = settled; each < added; each++) {
            publications[(int) each & positions.length - 1].doWork(); // takes what the kernel told
        }
        while (settled < added) {
            settleFirst();
        }
    }
}

package io.tickmark.transport.control;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.Publication;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the messages by which the two sides agree: hello, welcome, end and its acknowledgement.
 * Each is a full stamp without payload whose fields are used so:
 *
 * <pre>
 *                  intended time   sequence                   step   source   send time
 *  announcement    0               0                          0      0        host id
 *  hello           nonce           0                          echo   cookie   host id
 *  welcome         nonce           welcome code               0      cookie   host id
 *  end             0               messages sent              step   topic    0
 *  end (reply)     0               topic                      step   cookie   0
 * </pre>
 *
 * <p>Echo is 1 from a subscriber that sends pings back, else 0. An end with the flag WELCOME is the
 * last one of the test. Single thread, allocates nothing.
 */
public final class Control {
    /** Welcome code: counted in. */
    public static final int COUNTED_IN = 0;

    /** Welcome code: another subscriber has this cookie. */
    public static final int COOKIE_TAKEN = 1;

    /** Welcome code: the cookie is above the number of subscribers. */
    public static final int COOKIE_TOO_HIGH = 2;

    /** Welcome code: another subscriber sends pings back already. */
    public static final int ECHO_TAKEN = 3;

    /** Welcome code: counted in, after one with a higher cookie. */
    public static final int COUNTED_IN_LATE = 4;

    private final UnsafeBuffer buffer =
            new UnsafeBuffer(ByteBuffer.allocateDirect(Stamp.FULL_LENGTH));
    private int trialId;

    /**
     * Of the trial that the controller numbered; by hand there is none, and the clock makes two
     * runs differ.
     *
     * @param context of the role
     * @return what a publisher tells with
     */
    public static Control ofTrial(final RoleContext context) {
        return new Control(
                context.trialId() != 0
                        ? context.trialId()
                        : (int) (context.clock().nanoTime() >>> 10) | 1);
    }

    /**
     * Messages of one trial.
     *
     * @param trialId of the trial; 0 where it is not known yet
     */
    public Control(final int trialId) {
        this.trialId = trialId;
    }

    /**
     * Takes over the other side's trial.
     *
     * @param newTrialId of the trial
     */
    public void trialId(final int newTrialId) {
        trialId = newTrialId;
    }

    /**
     * Identity of the trial.
     *
     * @return the id
     */
    public int trialId() {
        return trialId;
    }

    /**
     * Tells subscribers that connect that there is a publisher.
     *
     * @param publication to send by
     * @return whether the engine took it
     */
    public boolean announce(final Publication publication) {
        return send(publication, Stamp.HELLO, 0, 0, 0, 0, HostId.VALUE);
    }

    /**
     * A subscriber introduces itself.
     *
     * @param publication to send by
     * @param cookie of the subscriber
     * @param nonce by which it knows the answer
     * @param echoes whether it sends pings back
     * @return whether the engine took it
     */
    public boolean hello(
            final Publication publication,
            final int cookie,
            final long nonce,
            final boolean echoes) {
        return send(
                publication,
                Stamp.HELLO | Stamp.REPLY,
                nonce,
                0,
                echoes ? 1 : 0,
                cookie,
                HostId.VALUE);
    }

    /**
     * The answer to a hello.
     *
     * @param publication to send by
     * @param cookie of the hello
     * @param nonce of the hello
     * @param code one of the codes above
     * @return whether the engine took it
     */
    public boolean welcome(
            final Publication publication, final int cookie, final long nonce, final int code) {
        return send(publication, Stamp.WELCOME, nonce, code, 0, cookie, HostId.VALUE);
    }

    /**
     * A step ended.
     *
     * @param publication to send by
     * @param step that ended
     * @param source topic that ended
     * @param sent messages in it
     * @param last whether the test ends with it
     * @return whether the engine took it
     */
    public boolean end(
            final Publication publication,
            final int step,
            final int source,
            final long sent,
            final boolean last) {
        return send(
                publication,
                Stamp.END | (last ? Stamp.WELCOME : 0),
                0,
                (int) sent,
                step,
                source,
                0);
    }

    /**
     * A subscriber heard of an end.
     *
     * @param publication to send by
     * @param step that ended
     * @param source topic that ended
     * @param cookie of the subscriber
     * @param lost messages of it that the subscriber missed
     * @return whether the engine took it
     */
    public boolean endReply(
            final Publication publication,
            final int step,
            final int source,
            final int cookie,
            final long lost) {
        return send(publication, Stamp.END | Stamp.REPLY, lost, source, step, cookie, 0);
    }

    private boolean send(
            final Publication publication,
            final int flags,
            final long intendedNs,
            final int sequence,
            final int step,
            final int source,
            final long sentNs) {
        Stamp.write(buffer, 0, intendedNs, sequence, flags, step, source);
        Stamp.writeTrialId(buffer, 0, trialId);
        Stamp.writeSentNs(buffer, 0, sentNs);
        final boolean taken = publication.offer(buffer, 0, Stamp.FULL_LENGTH) >= 0;
        publication.flush();
        return taken;
    }
}

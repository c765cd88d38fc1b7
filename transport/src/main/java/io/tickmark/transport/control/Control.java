package io.tickmark.transport.control;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the messages by which the two sides agree: hello, welcome, end and its acknowledgement.
 * Each begins with a full stamp whose fields are used as follows:
 *
 * <pre>
 *                  intended time   sequence                   step   source   send time
 *  announcement    0               0                          0      0        host id
 *  hello           nonce           0                          echo   cookie   host id
 *  welcome         nonce           welcome code               0      cookie   host id
 *  end             0               messages sent              step   topic    0
 *  end (reply)     messages lost   topic                      step   cookie   0, or its nonce
 * </pre>
 *
 * <p>Echo is 1 from a subscriber that sends pings back, else 0. An end with the flag WELCOME is the
 * last one of the test.
 *
 * <p>Publisher and subscriber need not name the same topics. After the stamp, a hello carries what
 * its subscriber requests, and a welcome and an announcement in a store carry the publisher's
 * topics, see {@link TopicNames}. A hello that ends with its stamp comes from a subscriber with
 * exactly the publisher's topics. Little-endian:
 *
 * <pre>
 *  hello   32  4  number of the first topic requested, from 1
 *          36  4  number of hellos that it sends, one for each topic that both sides have, or one for
 *                 all; 0 while it does not know them
 * </pre>
 *
 * <p>Single-threaded, allocates nothing.
 */
public final class Control {
    /** Welcome code: accepted. */
    public static final int COUNTED_IN = 0;

    /** Welcome code: another subscriber has this cookie. */
    public static final int COOKIE_TAKEN = 1;

    /** Welcome code: the cookie is above the number of subscribers. */
    public static final int COOKIE_TOO_HIGH = 2;

    /** Welcome code: another subscriber already sends pings back. */
    public static final int ECHO_TAKEN = 3;

    /** Welcome code: accepted, after one with a higher cookie. */
    public static final int COUNTED_IN_LATE = 4;

    private static final int FROM_OFFSET = Stamp.FULL_LENGTH;
    private static final int WAYS_OFFSET = FROM_OFFSET + Integer.BYTES;
    private static final int HELLO_LENGTH = WAYS_OFFSET + Integer.BYTES;

    private final UnsafeBuffer buffer =
            new UnsafeBuffer(ByteBuffer.allocateDirect(TopicNames.MAX_LENGTH));
    private int trialId;

    /**
     * Messages of the trial that the controller numbered; when a role is started by hand there is
     * none, and the clock makes two runs differ.
     *
     * @param context of the role
     * @return the writer of a publisher's messages
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
     * Adopts the other side's trial.
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
        return send(publication, Stamp.FULL_LENGTH, Stamp.HELLO, 0, 0, 0, 0);
    }

    /**
     * Tells later readers of a store that there was a publisher, and its topics as far as there is
     * room for them.
     *
     * @param publication to send by
     * @param topics all of the publisher's
     * @return whether the engine took it
     */
    public boolean announce(final Publication publication, final List<Topic> topics) {
        final int length = TopicNames.write(buffer, topics, 1);
        return send(publication, length, Stamp.HELLO, 0, 0, 0, 0);
    }

    /**
     * A subscriber introduces itself and asks for the publisher's topics.
     *
     * @param publication to send by
     * @param cookie of the subscriber
     * @param nonce by which it recognises the answer
     * @param echoes whether it sends pings back
     * @param fromTopic number of the first topic requested, from 1
     * @param ways number of hellos that it sends; 0 while it does not know
     * @return whether the engine took it
     */
    public boolean hello(
            final Publication publication,
            final int cookie,
            final long nonce,
            final boolean echoes,
            final int fromTopic,
            final int ways) {
        buffer.putInt(FROM_OFFSET, fromTopic, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(WAYS_OFFSET, ways, ByteOrder.LITTLE_ENDIAN);
        final int flags = Stamp.HELLO | Stamp.REPLY;
        return send(publication, HELLO_LENGTH, flags, nonce, 0, echoes ? 1 : 0, cookie);
    }

    /**
     * The first topic that a hello requests.
     *
     * @param buffer that holds the hello
     * @param offset of the hello
     * @param length of the hello
     * @return number as received, which may be any
     */
    public static int fromTopic(final DirectBuffer buffer, final int offset, final int length) {
        return length < HELLO_LENGTH
                ? 1
                : buffer.getInt(offset + FROM_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The number of hellos that a subscriber sends.
     *
     * @param buffer that holds the hello
     * @param offset of the hello
     * @param length of the hello
     * @param all value for a hello that ends with its stamp
     * @return number as received, which may be any; 0 from one that does not know
     */
    public static int ways(
            final DirectBuffer buffer, final int offset, final int length, final int all) {
        return length < HELLO_LENGTH
                ? all
                : buffer.getInt(offset + WAYS_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * A subscriber that has the publisher's topics introduces itself.
     *
     * @param publication to send by
     * @param cookie of the subscriber
     * @param nonce by which it recognises the answer
     * @param echoes whether it sends pings back
     * @return whether the engine took it
     */
    public boolean hello(
            final Publication publication,
            final int cookie,
            final long nonce,
            final boolean echoes) {
        final int flags = Stamp.HELLO | Stamp.REPLY;
        return send(publication, Stamp.FULL_LENGTH, flags, nonce, 0, echoes ? 1 : 0, cookie);
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
        return send(publication, Stamp.FULL_LENGTH, Stamp.WELCOME, nonce, code, 0, cookie);
    }

    /**
     * The answer to a hello that asks for topics.
     *
     * @param publication to send by
     * @param cookie of the hello
     * @param nonce of the hello
     * @param code one of the codes above
     * @param topics all of the publisher's
     * @param fromTopic number of the first to tell, from 1; as many follow as there is room for
     * @return whether the engine took it
     */
    public boolean welcome(
            final Publication publication,
            final int cookie,
            final long nonce,
            final int code,
            final List<Topic> topics,
            final int fromTopic) {
        final int length = TopicNames.write(buffer, topics, fromTopic);
        return send(publication, length, Stamp.WELCOME, nonce, code, 0, cookie);
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
        final int flags = Stamp.END | (last ? Stamp.WELCOME : 0);
        return send(publication, Stamp.FULL_LENGTH, flags, 0, (int) sent, step, source);
    }

    /**
     * A subscriber acknowledges an end.
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
        return endReply(publication, step, source, cookie, lost, 0);
    }

    /**
     * The same of a subscriber that shares its cookie with others.
     *
     * @param publication to send by
     * @param step that ended
     * @param source topic that ended
     * @param cookie of the subscriber
     * @param lost messages of it that the subscriber missed
     * @param nonce of its hello
     * @return whether the engine took it
     */
    public boolean endReply(
            final Publication publication,
            final int step,
            final int source,
            final int cookie,
            final long lost,
            final long nonce) {
        write(Stamp.END | Stamp.REPLY, lost, source, step, cookie);
        Stamp.writeSentNs(buffer, 0, nonce);
        return offer(publication, Stamp.FULL_LENGTH);
    }

    private boolean send(
            final Publication publication,
            final int length,
            final int flags,
            final long intendedNs,
            final int sequence,
            final int step,
            final int source) {
        write(flags, intendedNs, sequence, step, source);
        Stamp.writeSentNs(buffer, 0, (flags & Stamp.END) != 0 ? 0 : HostId.VALUE);
        return offer(publication, length);
    }

    private void write(
            final int flags,
            final long intendedNs,
            final int sequence,
            final int step,
            final int source) {
        Stamp.write(buffer, 0, intendedNs, sequence, flags, step, source);
        Stamp.writeTrialId(buffer, 0, trialId);
    }

    private boolean offer(final Publication publication, final int length) {
        final boolean taken = publication.offer(buffer, 0, length) >= 0;
        publication.flush();
        return taken;
    }
}

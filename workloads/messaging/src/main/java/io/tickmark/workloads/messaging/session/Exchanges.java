package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.role.Waker;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/** Opens the exchanges that a role needs to reach the other side on every topic. */
public final class Exchanges {
    private Exchanges() {}

    /**
     * Opens one exchange for each topic, or one for all where the transport does not separate
     * topics.
     *
     * @param transport of the channel
     * @param channel to open
     * @param topics at least one
     * @param side of this role
     * @param cookie of a subscriber; 0 for a publisher
     * @return exchanges in the order of the topics; when one cannot be opened, all opened ones are
     *     closed
     */
    public static List<Exchange> open(
            final Transport transport,
            final ChannelUri channel,
            final List<Topic> topics,
            final ExchangeSide side,
            final int cookie) {
        final List<Exchange> opened = new ArrayList<>();
        try {
            opened.add(transport.exchange(channel, topics.getFirst(), side, cookie));
            for (int i = 1; i < topics.size() && transport.separatesTopics(); i++) {
                opened.add(
                        transport.exchange(
                                opened.getFirst().channel(), topics.get(i), side, cookie));
            }
            return List.copyOf(opened);
        } catch (final RuntimeException e) {
            close(opened);
            throw e;
        }
    }

    /**
     * Their messages for the user.
     *
     * @param exchanges to query
     * @return each message once
     */
    public static List<String> notes(final List<Exchange> exchanges) {
        return exchanges.stream().flatMap(exchange -> exchange.note().stream()).distinct().toList();
    }

    /**
     * The first of their messages for the user, to be appended to a sentence.
     *
     * @param exchanges to query
     * @return the message after a space; empty where there is none
     */
    public static String firstNote(final List<Exchange> exchanges) {
        return exchanges.stream()
                .flatMap(exchange -> exchange.note().stream())
                .findFirst()
                .map(note -> " " + note)
                .orElse("");
    }

    /**
     * Closes them, each even if another fails.
     *
     * @param exchanges to close
     */
    public static void close(final List<Exchange> exchanges) {
        CloseHelper.closeAll(exchanges);
    }

    /**
     * What wakes a thread that waits for messages of all of them.
     *
     * @param exchanges that are open
     * @return {@link Waker#NONE} where there are several
     */
    static Waker waker(final List<Exchange> exchanges) {
        return exchanges.size() == 1 ? exchanges.getFirst().subscription() : Waker.NONE;
    }
}

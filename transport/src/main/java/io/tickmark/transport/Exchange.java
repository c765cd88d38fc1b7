package io.tickmark.transport;

import java.util.Optional;
import org.agrona.CloseHelper;

/** One side of a two-way exchange. One thread at a time; closing it closes both ends. */
public interface Exchange extends AutoCloseable {
    /**
     * Joins two ends that are closed one after the other, the publication first, each even if the
     * other fails.
     *
     * @param publication sends to the other side
     * @param subscription receives from it
     * @param channel by which the other side finds this one
     * @return the exchange, which owns both ends
     */
    static Exchange of(
            final Publication publication,
            final Subscription subscription,
            final ChannelUri channel) {
        /** Both ends, and how this one is found. */
        record Ends(Publication publication, Subscription subscription, ChannelUri channel)
                implements Exchange {
            @Override
            public void close() {
                CloseHelper.closeAll(publication, subscription);
            }
        }

        return new Ends(publication, subscription, channel);
    }

    /**
     * Sends to the other side: to all CONNECT sides known from BIND, to the BIND side from CONNECT.
     *
     * @return the publication, owned by the exchange
     */
    Publication publication();

    /**
     * Receives from the other side.
     *
     * @return the subscription, owned by the exchange
     */
    Subscription subscription();

    /**
     * The channel by which the other side finds this one: port chosen, driver's directory, file
     * names filled in.
     *
     * @return the resolved channel
     */
    ChannelUri channel();

    /**
     * What the user has to know: how the channel is served where that differs from what was asked
     * for, or why another side that is running cannot be received from; by default the errors that
     * the engine reported by itself. May change as long as the exchange is open: it is shown when
     * the exchange is opened, in the message of a side that times out, and as a warning of the
     * result.
     *
     * @return a sentence; empty where there is nothing to report
     */
    default Optional<String> note() {
        final String sends = publication().engineErrors().orElse("");
        final String hears = subscription().engineErrors().orElse("");
        final String errors =
                sends.contains(hears) ? sends : hears.contains(sends) ? hears : sends + ' ' + hears;
        return Optional.of(errors).filter(text -> !text.isEmpty());
    }

    @Override
    void close();
}

package io.tickmark.transport;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One side of a two-way exchange. One thread at a time; closing it closes both ends. */
public interface Exchange extends AutoCloseable {
    /**
     * Sends to the other side: to all CONNECT sides known from BIND, to the BIND side from CONNECT.
     *
     * @return the publication, owned by the exchange
     */
    Publication publication();

    /**
     * Hears the other side.
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
     * What the user has to know: how the channel is served where that is not as asked for, or why
     * another side that is there cannot be heard; by default what the engine reported by itself.
     * May change as long as it is open: it is told when it is opened, with the words of whoever
     * waits in vain, and as a warning of the result.
     *
     * @return a sentence; empty where there is nothing to say
     */
    default Optional<String> note() {
        final String errors =
                Stream.of(publication().engineErrors(), subscription().engineErrors())
                        .flatMap(Optional::stream)
                        .distinct()
                        .collect(Collectors.joining(" "));
        return Optional.of(errors).filter(text -> !text.isEmpty());
    }

    @Override
    void close();
}

package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.TransportTraits;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Checks that the other side of a test is present and can be reached: without it a role would wait
 * until its time-out, and measure nothing.
 */
public final class ParticipantCheck {
    private ParticipantCheck() {}

    /**
     * Refuses a test without a publisher.
     *
     * @param role that would wait
     * @param publisher name of the role that it waits for
     * @param counts roles of the test by name
     * @throws UserError if there is no publisher
     */
    public static void needPublisher(
            final String role, final String publisher, final Map<String, Integer> counts) {
        if (!counts.containsKey(publisher)) {
            throw UserError.usage(
                    "roles: %s has nothing to receive; add the role %s."
                            .formatted(role, publisher));
        }
    }

    /**
     * Refuses a test with fewer receivers than the publisher waits for.
     *
     * @param role that would wait
     * @param subscriber name of the role that it waits for
     * @param subscribers how many of it
     * @param counts roles of the test by name
     * @param naming how the user knows a key
     * @throws UserError if there are too few
     */
    public static void needSubscribers(
            final String role,
            final String subscriber,
            final int subscribers,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {
        final int there = counts.getOrDefault(subscriber, 0);
        if (there == 0) {
            throw UserError.usage(
                    "roles: %s has no role to send to; add the role %s."
                            .formatted(role, subscriber));
        }
        if (there < subscribers) {
            throw UserError.usage(
                    "%s is %d, and the test has %d of the role %s; give both the same."
                            .formatted(
                                    naming.apply("subscribers"), subscribers, there, subscriber));
        }
    }

    /**
     * Refuses several receivers of a channel whose messages reach one of them each: what the others
     * received would count as lost.
     *
     * @param subscribers that the publisher waits for
     * @param traits of the channel
     * @param channel that it sends to
     * @throws UserError if there are several, and a message reaches only one of them
     */
    public static void needFanOut(
            final int subscribers, final TransportTraits traits, final ChannelUri channel) {
        if (subscribers > 1 && !traits.fansOut()) {
            throw UserError.usage(
                    ("--subscribers %d: each message on %s reaches one subscriber only; give 1, or use a channel"
                                    + " that reaches all of them.")
                            .formatted(subscribers, channel));
        }
    }
}

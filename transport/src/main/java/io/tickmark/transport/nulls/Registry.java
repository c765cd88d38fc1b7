package io.tickmark.transport.nulls;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The binding sides of this process by name and topic. Any thread. */
final class Registry {
    private static final int LONGEST_NAME = 64;

    private final Map<String, Hub> hubs = new ConcurrentHashMap<>();
    private final AtomicLong unnamed = new AtomicLong();

    /** The channel with a name, chosen here where the user gave none. */
    ChannelUri named(final ChannelUri channel) {
        return channel.authority().isEmpty()
                ? channel.withAuthority("line-" + unnamed.incrementAndGet())
                : channel;
    }

    /** Whether the user's name for a channel, if there is one, is a name. */
    static void check(final ChannelUri channel) {
        final String name = channel.authority();
        if (name.length() > LONGEST_NAME || !name.matches("[A-Za-z0-9._-]*")) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": '"
                            + name
                            + "' is not a name; use up to 64 letters, digits, dots, dashes and underscores, as in null:prices.");
        }
    }

    void bind(final Hub hub, final Topic topic) {
        if (hubs.putIfAbsent(key(hub.channel(), topic), hub) != null) {
            throw UserError.environment(
                    "--channel "
                            + hub.channel()
                            + ": the name '"
                            + hub.channel().authority()
                            + "' is in use in this process; choose another one, or leave it out.");
        }
    }

    void release(final Hub hub, final Topic topic) {
        hubs.remove(key(hub.channel(), topic), hub);
    }

    Optional<Hub> find(final ChannelUri channel, final Topic topic) {
        return Optional.ofNullable(hubs.get(key(channel, topic)));
    }

    Hub get(final ChannelUri channel, final Topic topic) {
        return find(channel, topic)
                .orElseThrow(() ->
                        UserError.environment(
                                "--channel "
                                        + channel
                                        + ": nobody has opened '"
                                        + channel.authority()
                                        + "' in this process; null works within one process: give both roles the same"
                                        + " 'process' in the plan, and open the publisher first."));
    }

    private static String key(final ChannelUri channel, final Topic topic) {
        return channel.authority() + "/" + topic.name();
    }
}

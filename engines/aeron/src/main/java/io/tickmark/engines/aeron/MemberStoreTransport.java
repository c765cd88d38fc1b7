package io.tickmark.engines.aeron;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.DurableTransport;
import java.time.Duration;
import java.util.Optional;

/**
 * The common part of Aeron's stores: their parts communicate by shared memory, and have no return
 * path.
 */
public abstract class MemberStoreTransport implements DurableTransport {
    /** For its kinds. */
    protected MemberStoreTransport() {}

    /**
     * Whether a part of Aeron is on the class path.
     *
     * @param type class of the part
     * @param part its name
     * @param artifact that contains it
     * @return a sentence where it is not
     */
    protected final Optional<String> absence(
            final String type, final String part, final String artifact) {
        try {
            Class.forName(type, false, getClass().getClassLoader());
            return Optional.empty();
        } catch (final ClassNotFoundException e) {
            return Optional.of(
                    "%s is missing; add %s to the class path.".formatted(part, artifact));
        }
    }

    /**
     * Checks the lengths of log files.
     *
     * @param channel that has them
     * @param termBytes of a term
     * @param segmentBytes of a file
     * @throws UserError where Aeron does not accept them
     */
    protected static void requireLengths(
            final ChannelUri channel, final int termBytes, final int segmentBytes) {
        require(channel, Integer.bitCount(termBytes) == 1, "termBytes is not a power of two");
        require(
                channel,
                Integer.bitCount(segmentBytes) == 1 && segmentBytes >= termBytes,
                "segmentBytes is not a power of two that is termBytes or more");
    }

    /**
     * Checks a channel.
     *
     * @param channel to check
     * @param isRight whether it is valid
     * @param otherwise what is wrong, without a full stop
     * @throws UserError where it is not valid
     */
    protected static void require(
            final ChannelUri channel, final boolean isRight, final String otherwise) {
        if (!isRight) {
            throw UserError.usage("--channel " + channel + ": " + otherwise + ".");
        }
    }

    /**
     * What they promise, all alike.
     *
     * @param longestMessageBytes that one takes
     * @return the traits
     */
    protected static TransportTraits traitsUpTo(final int longestMessageBytes) {
        return TransportTraits.upTo(longestMessageBytes)
                .reliable(true)
                .ordered(true)
                .backPressured(true)
                .detectsDisconnect(true)
                .fansOut(true)
                .allocates(false);
    }

    /**
     * When files are synced, in words.
     *
     * @param level Aeron's file sync level
     * @return a few words
     */
    protected static String synced(final int level) {
        return switch (level) {
            case 0 -> "never (page cache)";
            case 1 -> "data of each block";
            default -> "data and metadata of each block";
        };
    }

    @Override
    public final boolean separatesTopics() {
        return true;
    }

    @Override
    public final boolean numbersTopics() {
        return true;
    }

    @Override
    public final Duration patience(final ChannelUri channel) {
        return MemberProcess.START_PATIENCE;
    }

    @Override
    public final boolean staysOnOneHost(final ChannelUri channel) {
        return true;
    }

    /** Each member is a JVM of its own. */
    @Override
    public final Duration usualStart(final ChannelUri channel) {
        return Duration.ofSeconds(2);
    }

    @Override
    public final boolean carriesPlainMessages() {
        return false;
    }

    @Override
    public final Publication publication(final ChannelUri channel, final Topic topic) {
        return durablePublication(channel, topic);
    }

    @Override
    public final Subscription subscription(final ChannelUri channel, final Topic topic) {
        return durableSubscription(channel, topic, 0);
    }

    @Override
    public final Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        throw UserError.usage(
                "--channel "
                        + channel
                        + ": a store cannot carry echoes; use it with 'tickmark stream', or measure round trips on aeron:ipc.");
    }
}

package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where a channel's file is.
 *
 * @param channel with a name
 * @param parameters of the channel
 * @param path of the file
 */
record ShmAddress(ChannelUri channel, ShmTransport.Parameters parameters, Path path) {
    static final String PREFIX = "tickmark-";
    static final String SUFFIX = ".ring";

    /** Prefix of the names that the machine chose. */
    static final String CHOSEN = "unnamed-";

    private static final AtomicLong UNNAMED = new AtomicLong();
    private static final int LONGEST_NAME = 64;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Names the channel where the user did not. */
    static ShmAddress ofBinder(final ChannelUri channel, final Topic topic) {
        final String unique =
                CHOSEN + ProcessHandle.current().pid() + "-" + UNNAMED.incrementAndGet();
        return of(channel.authority().isEmpty() ? channel.withAuthority(unique) : channel, topic);
    }

    /** Needs a name. */
    static ShmAddress of(final ChannelUri channel, final Topic topic) {
        final ShmTransport.Parameters parameters = parameters(channel);
        checkName(channel);
        return new ShmAddress(
                channel,
                parameters,
                directory(channel, parameters)
                        .resolve(PREFIX + channel.authority() + "-" + topic.name() + SUFFIX));
    }

    /** For an address that the user gives: see {@link #ofBinder}. */
    static void checkNameIfGiven(final ChannelUri channel) {
        if (!channel.authority().isEmpty()) {
            checkName(channel);
        }
    }

    private static void checkName(final ChannelUri channel) {
        final String name = channel.authority();
        if (name.length() > LONGEST_NAME || !name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": '"
                            + name
                            + "' is not a name; use up to 64 letters, digits, dots, dashes and underscores, as in shm://prices.");
        }
    }

    /** The same channel with another file. */
    ShmAddress at(final Path other) {
        return new ShmAddress(channel, parameters, other);
    }

    static ShmTransport.Parameters parameters(final ChannelUri channel) {
        final ShmTransport.Parameters parameters = channel.read(ShmTransport.Parameters.class);
        if (Integer.bitCount(parameters.capacityBytes()) != 1) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": capacityBytes is "
                            + parameters.capacityBytes()
                            + "; give a power of two.");
        }
        return parameters;
    }

    private static Path path(final ChannelUri channel, final String directory) {
        try {
            return Path.of(directory);
        } catch (final InvalidPathException e) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": directory is not a path; give one that can be made.");
        }
    }

    private static Path directory(
            final ChannelUri channel, final ShmTransport.Parameters parameters) {
        if (parameters.directory().isEmpty()) {
            return Files.isWritable(SHARED_MEMORY)
                    ? SHARED_MEMORY
                    : Path.of(System.getProperty("java.io.tmpdir"));
        }
        final Path directory = path(channel, parameters.directory());
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": directory '"
                            + directory
                            + "' does not exist or is not writable; make it, or give another one.");
        }
        return directory;
    }
}

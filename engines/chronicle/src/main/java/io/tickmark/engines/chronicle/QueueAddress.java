package io.tickmark.engines.chronicle;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.IoUtil;

/**
 * The folder of a channel, in which each topic has its own queue, which is a folder as well. Its
 * other queues, for the opposite direction, have a plus in their names, which no topic has.
 *
 * @param channel with the folder as its address
 * @param parameters of the channel
 * @param folder absolute
 * @param isMade whether the folder was made for this channel, and is deleted with its publisher
 */
record QueueAddress(
        ChannelUri channel, ChronicleParameters parameters, Path folder, boolean isMade) {
    /** Prefix of the names of folders that are made; users may give theirs such a name, too. */
    private static final String MADE = "tickmark-chronicle-";

    /** A file in folders that are made, and in no others. */
    static final String MADE_MARK = "tickmark+made";

    /** Reads a channel that names its folder. */
    static QueueAddress of(final ChannelUri channel) {
        final ChronicleParameters parameters = parameters(channel);
        if (channel.authority().isEmpty()) {
            throw UserError.usage(
                    "--channel %s: names no folder; give that of the publisher, as in chronicle:///var/tmp/prices."
                            .formatted(channel));
        }
        return new QueueAddress(channel, parameters, folder(channel), false);
    }

    /** Reads a channel; where it names no folder, a new one is created. */
    static QueueAddress ofBinder(final ChannelUri channel) {
        if (!channel.authority().isEmpty()) {
            return of(channel);
        }
        final ChronicleParameters parameters = parameters(channel);
        final Path parent =
                Path.of(
                        parameters.directory().isEmpty()
                                ? System.getProperty("java.io.tmpdir")
                                : parameters.directory());
        try {
            final Path made = Files.createTempDirectory(parent, MADE).toAbsolutePath();
            Files.createFile(made.resolve(MADE_MARK));
            sweep(made);
            return new QueueAddress(at(channel, made), parameters, made, true);
        } catch (final IOException e) {
            throw UserError.environment(
                    "--channel %s: no folder can be made in %s (%s); make that one, or give another one as ?directory=DIR."
                            .formatted(channel, parent, IoReason.of(e)),
                    e);
        }
    }

    /** The channel of a folder. */
    static ChannelUri at(final ChannelUri channel, final Path folder) {
        return new ChannelUri(channel.scheme(), folder.toString(), channel.parameters(), true);
    }

    /** Checks everything that does not require an existing folder. */
    static ChronicleParameters check(final ChannelUri channel) {
        if (!channel.authority().isEmpty()) {
            folder(channel);
        }
        return parameters(channel);
    }

    private static ChronicleParameters parameters(final ChannelUri channel) {
        final ChronicleParameters parameters = channel.read(ChronicleParameters.class);
        if (Integer.bitCount(parameters.blockBytes()) != 1) {
            throw UserError.usage(
                    "--channel %s: blockBytes is %d; give a power of two."
                            .formatted(channel, parameters.blockBytes()));
        }
        if (parameters.deletion() != Deletion.KEPT) {
            throw UserError.usage(
                    ("--channel %s: Chronicle Queue deletes whole files by their age and knows no"
                                    + " acknowledgements; leave deletion=kept.")
                            .formatted(channel));
        }
        return parameters;
    }

    private static Path folder(final ChannelUri channel) {
        try {
            final Path folder = Path.of(channel.authority()).normalize();
            if (folder.isAbsolute() && folder.getNameCount() > 0) {
                return folder;
            }
        } catch (final InvalidPathException e) {
            // reported below
        }
        throw UserError.usage(
                "--channel %s: '%s' is not the path of a folder from the root; write it as in chronicle:///var/tmp/prices."
                        .formatted(channel, channel.authority()));
    }

    /** Deletes the leftovers of killed publishers beside a new folder. */
    private static void sweep(final Path own) {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(own.getParent(), MADE + "*")) {
            for (final Path other : others) {
                if (Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)
                        && Files.exists(other.resolve(MADE_MARK))
                        && Files.getOwner(other).equals(Files.getOwner(own))
                        && QueueLock.isLeft(other)) {
                    IoUtil.delete(other.toFile(), true);
                }
            }
        } catch (final IOException | DirectoryIteratorException e) {
            // what cannot be read stays
        }
    }

    /** The queue of a topic. */
    Path queue(final Topic topic) {
        return folder.resolve(topic.name());
    }

    /** The queue in which connecting sides write their cookies. */
    Path hellos(final Topic topic) {
        return folder.resolve(topic.name() + "+hello");
    }

    /** The queue of messages of a connecting side. */
    Path back(final Topic topic, final int cookie) {
        return folder.resolve(topic.name() + "+back-" + cookie);
    }

    /** The error for a queue that cannot be used. */
    UserError unusable(final Path queue, final String why, final Throwable cause) {
        return UserError.environment(
                ("--channel %s: %s cannot be used as a queue (%s); give a folder that is empty, not there yet,"
                                + " or was made by tickmark.")
                        .formatted(channel, queue, why),
                cause);
    }

    /**
     * Checks for files that do not belong in a queue's folder, before anything is written there.
     */
    Optional<String> foreign(final Path queue) throws IOException {
        if (!Files.exists(queue)) {
            return Optional.empty();
        }
        if (!Files.isDirectory(queue)) {
            return Optional.of("it is a file");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(queue)) {
            for (final Path file : files) {
                if (!QueueFile.NAMES.contains(file.getFileName().toString())) {
                    return Optional.of(
                            "it holds '%s', which is not ours".formatted(file.getFileName()));
                }
            }
        }
        return Optional.empty();
    }
}

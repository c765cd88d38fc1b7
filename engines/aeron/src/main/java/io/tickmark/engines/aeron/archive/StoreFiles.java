package io.tickmark.engines.aeron.archive;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folders of a store.
 *
 * @param aeronDir of its driver
 * @param data of all members
 * @param parameters of its channel
 */
record StoreFiles(File aeronDir, Path data, ArchiveParameters parameters) {
    private static final int FIRST_STREAM = 1000;

    /** The files of the store that a channel names. */
    static StoreFiles of(final ChannelUri channel) {
        final ArchiveParameters parameters = ArchiveTransport.parameters(channel);
        final StoreFolders folders = parameters.folders();
        final Path data = Path.of(folders.data());
        if (!folders.areThere() || !Files.isDirectory(data)) {
            throw StoreFolders.noStore(channel);
        }
        return new StoreFiles(new File(folders.aeronDir()), data, parameters);
    }

    static int streamId(final Topic topic) {
        return FIRST_STREAM + topic.id();
    }

    static boolean isOfTopic(final int streamId) {
        return streamId > FIRST_STREAM && streamId <= FIRST_STREAM + Topic.MAX_TOPICS;
    }

    Path member(final int member) {
        return member(data, member);
    }

    static Path member(final Path data, final int member) {
        return data.resolve("member-" + member);
    }

    /** Distinguishes stores: the folder of the data, and its location. */
    static String name(final Path data) {
        final Path whole = data.toAbsolutePath().normalize();
        final Path folder = whole.getParent();
        return "%s-%08x"
                .formatted(
                        folder == null || folder.getFileName() == null
                                ? "store"
                                : folder.getFileName(),
                        whole.toString().hashCode());
    }

    /** The output of a member's process. */
    static Path log(final Path member) {
        return member.resolveSibling(member.getFileName() + ".log");
    }

    Path acknowledged(final int streamId) {
        return acknowledged(data, streamId);
    }

    static Path acknowledged(final Path data, final int streamId) {
        return data.resolve("acknowledged-" + streamId);
    }
}

package io.tickmark.engines.aeron.cluster;

import io.tickmark.engines.aeron.archive.StoreFolders;
import io.tickmark.transport.ChannelUri;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folders of a cluster.
 *
 * @param aeronDir of the driver of its clients
 * @param data of all members
 * @param parameters of its channel
 */
record ClusterFiles(File aeronDir, Path data, ClusterParameters parameters) {
    /** The files of the cluster that a channel names. */
    static ClusterFiles of(final ChannelUri channel) {
        final ClusterParameters parameters = ClusterTransport.parameters(channel);
        final StoreFolders folders = parameters.folders();
        final Path data = Path.of(folders.data());
        if (!folders.areThere() || !Files.exists(ingress(data))) {
            throw StoreFolders.noStore(channel);
        }
        return new ClusterFiles(new File(folders.aeronDir()), data, parameters);
    }

    /** Folder of a member, by its number from 1. */
    static Path member(final Path data, final int member) {
        return data.resolve("member-" + member);
    }

    static Path archive(final Path member) {
        return member.resolve("archive");
    }

    static Path cluster(final Path member) {
        return member.resolve("cluster");
    }

    /** The output of a member's process. */
    static Path log(final Path data, final int member) {
        return data.resolve("member-" + member + ".log");
    }

    /** Where clients find the members' addresses. */
    static Path ingress(final Path data) {
        return data.resolve("ingress");
    }

    Path archive(final int member) {
        return archive(member(data, member));
    }

    String ingressEndpoints() {
        try {
            return Files.readString(ingress(data));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

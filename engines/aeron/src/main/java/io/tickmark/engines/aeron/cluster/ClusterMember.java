package io.tickmark.engines.aeron.cluster;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;
import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.engines.aeron.archive.MarkFileRule;
import io.tickmark.engines.aeron.archive.MemberLife;
import io.tickmark.engines.aeron.archive.TornTails;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One member of a cluster as its store sees it. Any thread, one at a time. */
final class ClusterMember {
    private static final int SERVICE = 0;

    private final ClusterMemberOptions options;
    private final Path log;
    private final MarkFileRule markFile;
    private final Counter life;
    private final List<StoreServer.Cut> cuts = new ArrayList<>();
    private volatile MemberProcess process;
    private long lives;

    ClusterMember(
            final ClusterMemberOptions options,
            final Path log,
            final MarkFileRule markFile,
            final Aeron aeron) {
        this.options = options;
        this.log = log;
        this.markFile = markFile;
        life = MemberLife.allocate(aeron, options.member());
    }

    /** Starts its process; {@link #awaitReady()} waits for it. */
    void launch() {
        try {
            Files.createDirectories(ClusterFiles.cluster(options.directory()));
            final Path archive = Files.createDirectories(ClusterFiles.archive(options.directory()));
            if (markFile == MarkFileRule.REMOVE) {
                removeMarkFiles(archive);
            }
            cuts.addAll(TornTails.cut(archive, options.crc()));
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s does not start: %s cannot be used.".formatted(name(), options.directory()),
                    e);
        }
        process = MemberProcess.launch(name(), ClusterMain.class, options.arguments(), log);
    }

    private String name() {
        return "The cluster's member %d in %s".formatted(options.member(), options.directory());
    }

    private void removeMarkFiles(final Path archive) throws IOException {
        final Path cluster = ClusterFiles.cluster(options.directory());
        Files.deleteIfExists(archive.resolve(ArchiveMarkFile.FILENAME));
        Files.deleteIfExists(cluster.resolve(ClusterMarkFile.FILENAME));
        Files.deleteIfExists(cluster.resolve(ClusterMarkFile.markFilenameForService(SERVICE)));
    }

    void awaitReady() {
        process.awaitReady();
        life.setRelease(++lives);
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** What was cut from its files whenever it was started. */
    List<StoreServer.Cut> cuts() {
        return cuts;
    }

    /** Marks it as gone, so that clients notice before the cluster does. */
    private void gone() {
        if (!life.isClosed()) {
            life.setRelease(-lives);
        }
    }

    /** Notices a process that ended by itself. */
    void look() {
        if (process != null && !process.isAlive() && !life.isClosed() && life.get() > 0) {
            gone();
        }
    }

    void kill() {
        if (process != null) {
            process.kill();
        }
        gone();
    }

    void close() {
        gone();
        if (process != null) {
            process.close();
        }
    }
}

package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.role.Endpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files of all stores of a trial, as far as they are on this host. */
final class AcknowledgedFiles implements AutoCloseable {
    private final List<AcknowledgedFile> files;

    private AcknowledgedFiles(final List<AcknowledgedFile> files) {
        this.files = files;
    }

    /** Opens them; empty where no store told of one, or it lies elsewhere. */
    static Optional<AcknowledgedFiles> of(final Endpoints endpoints) {
        final List<Path> paths =
                endpoints.named(Stores.ACKNOWLEDGED).stream().map(Path::of).toList();
        if (paths.isEmpty() || !paths.stream().allMatch(Files::isWritable)) {
            return Optional.empty();
        }
        return Optional.of(
                new AcknowledgedFiles(paths.stream().map(AcknowledgedFile::open).toList()));
    }

    private AcknowledgedFile file(final int topic) {
        return files.get((topic - 1) % files.size());
    }

    AcknowledgedCell cell(final int topic) {
        final AcknowledgedFile file = file(topic);
        return messages -> file.stable(topic, messages);
    }

    void received(final int topic, final long messages) {
        file(topic).received(topic, messages);
    }

    void giveUp() {
        files.forEach(AcknowledgedFile::giveUp);
    }

    boolean isGivenUp() {
        return files.stream().anyMatch(AcknowledgedFile::isGivenUp);
    }

    @Override
    public void close() {
        files.forEach(AcknowledgedFile::close);
    }
}

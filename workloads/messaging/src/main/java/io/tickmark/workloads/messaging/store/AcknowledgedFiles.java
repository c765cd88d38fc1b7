package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.store.Deletion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files of all stores of a trial, if they are on this host. */
final class AcknowledgedFiles implements AutoCloseable {
    private final List<AcknowledgedFile> files;

    private AcknowledgedFiles(final List<AcknowledgedFile> files) {
        this.files = files;
    }

    /**
     * Opens them; empty where no store reported one, or one is on another host. A store that keeps
     * all messages is then judged by their number; one that deletes could not be judged.
     *
     * @throws UserError if one is elsewhere and its store deletes what was acknowledged
     */
    static Optional<AcknowledgedFiles> of(final Endpoints endpoints, final Deletion deletion) {
        final List<Path> paths = paths(endpoints);
        final Optional<Path> elsewhere = elsewhere(paths);
        if (elsewhere.isPresent() && deletion == Deletion.ACKNOWLEDGED) {
            throw UserError.usage(
                    ("--channel: with deletion=acknowledged the publisher, the subscriber and the store tell each other"
                                    + " through the file %s what was acknowledged, and this role cannot write to it; run them"
                                    + " on one host, or"
                                    + " let the store keep what it has with deletion=kept.")
                            .formatted(elsewhere.get()));
        }
        if (paths.isEmpty() || elsewhere.isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                new AcknowledgedFiles(paths.stream().map(AcknowledgedFile::open).toList()));
    }

    /** Messages for the user where they are elsewhere. */
    static List<String> notes(final Endpoints endpoints) {
        return elsewhere(paths(endpoints))
                .map(path ->
                        ("What the store has kept is compared with what it acknowledged by message counts alone, because the"
                                        + " publisher cannot write to its file %s: run both on one host to know which"
                                        + " messages are missing.")
                                .formatted(path))
                .stream()
                .toList();
    }

    private static List<Path> paths(final Endpoints endpoints) {
        return endpoints.named(Stores.ACKNOWLEDGED).stream().map(Path::of).toList();
    }

    private static Optional<Path> elsewhere(final List<Path> paths) {
        return paths.stream().filter(path -> !Files.isWritable(path)).findFirst();
    }

    private AcknowledgedFile file(final int topic) {
        return files.get((topic - 1) % files.size());
    }

    AcknowledgedCell cell(final int topic) {
        final AcknowledgedFile file = file(topic);
        return messages -> file.stable(topic, messages);
    }

    void received(final int topic, final long messages, final long nextOrdinal) {
        file(topic).received(topic, messages, nextOrdinal);
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

    /** Records how many measured messages of one topic the store has reported as stable. */
    @FunctionalInterface
    interface AcknowledgedCell {
        /** {@code messages} is the total, from the first one on without holes. */
        void stable(long messages);
    }
}

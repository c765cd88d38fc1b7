package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts processes and leaves none behind, whatever ends this one. */
final class Children implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Path folder;
    private final Duration patience;
    private final Set<Child> started = ConcurrentHashMap.newKeySet();
    private int count;
    private boolean closed;

    /**
     * No process yet.
     *
     * @param folder for their output
     */
    Children(final Path folder) {
        this(folder, PATIENCE);
    }

    /** Those that do not end when asked are made to after {@code patience}. */
    Children(final Path folder, final Duration patience) {
        this.folder = folder;
        this.patience = patience;
    }

    /** Starts a process; its output goes to files named after it. None is started after the end. */
    synchronized Child start(final String name, final List<String> command) {
        if (closed) {
            throw new NotMeasured(name + " is not started any more: the run ends.");
        }
        started.removeIf(child -> !child.isAlive());
        count++;
        final Path output = folder.resolve("%03d-%s.out".formatted(count, name));
        final Path errors = folder.resolve("%03d-%s.err".formatted(count, name));
        try {
            final ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile());
            // What is measured was built before the first round.
            builder.environment().putAll(Map.of("TICKMARK_BUILD", "never"));
            final Child child = new Child(name, builder.start(), patience, output, errors);
            started.add(child);
            return child;
        } catch (final IOException e) {
            throw new NotMeasured(name + " cannot be started: " + e.getMessage() + ".", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        started.forEach(Child::close);
    }
}

package io.tickmark.bench.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a program of {@code bench/c}, which pins itself.
 *
 * @param binary to run
 * @param children that starts it
 */
record CProgram(Path binary, Children children) {
    /** The programs bound themselves; this is for one that cannot. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    Child start(final Object... arguments) {
        final List<String> command = new ArrayList<>();
        command.add(binary.toString());
        for (final Object argument : arguments) {
            command.add(argument.toString());
        }
        return children.start(binary.getFileName().toString(), command);
    }

    String run(final Object... arguments) {
        try (Child child = start(arguments)) {
            return child.await(LIMIT, List.of(0));
        }
    }
}

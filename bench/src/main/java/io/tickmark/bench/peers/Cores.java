package io.tickmark.bench.peers;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where the two sides of every contestant are pinned.
 *
 * @param sender core of the side that sends first
 * @param receiver core of the side that receives or echoes
 */
record Cores(int sender, int receiver) {
    /** A command on a core, for programs that do not pin themselves. */
    static List<String> on(final int core, final List<String> command) {
        return Stream.concat(Stream.of("taskset", "-c", Integer.toString(core)), command.stream())
                .toList();
    }
}

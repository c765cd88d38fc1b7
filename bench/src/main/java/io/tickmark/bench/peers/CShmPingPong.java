package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code bench/c/shm_pingpong}: one cache line each way; the same median in ns for every size that
 * is compared with it.
 *
 * @param program to run
 * @param sizes of ours
 * @param settings of the run
 */
record CShmPingPong(CProgram program, List<Integer> sizes, SideBySideSettings settings)
        implements Contestant {
    @Override
    public String name() {
        return "C shm_pingpong";
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final double medianNs =
                FigureLine.figure(
                        program.run(settings.samples(), cores.sender(), cores.receiver()),
                        "p50_ns");
        return sizes.stream()
                .collect(Collectors.toMap(size -> Integer.toString(size), size -> medianNs));
    }
}

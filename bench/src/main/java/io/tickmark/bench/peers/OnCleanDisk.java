package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Writes what other contestants left in the page cache to the disk before another is measured: a
 * writer is slowed down by the kernel while too much is pending there ({@code vm.dirty_ratio}), and
 * would pay for those before it.
 *
 * @param contestant that writes to the disk
 * @param children that starts {@code sync}
 */
record OnCleanDisk(Contestant contestant, Children children) implements Contestant {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Override
    public String name() {
        return contestant.name();
    }

    @Override
    public Map<String, Double> measure() {
        try (Child child = children.start("sync", List.of("sync"))) {
            child.await(LIMIT, List.of(0));
        }
        return contestant.measure();
    }
}

package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code bench/c/dds_pingpong}; the figure named after a size is the median round trip in ns.
 *
 * @param binary to run
 * @param children that starts it
 * @param reliable strict reliable or best effort
 * @param sizes message lengths
 * @param settings of the run
 */
record CDdsPingPong(
        Path binary,
        Children children,
        boolean reliable,
        List<Integer> sizes,
        SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "C dds_pingpong " + DdsPlace.word(reliable);
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final Map<String, Double> figures = new HashMap<>();
        for (final int size : sizes) {
            try (Child _ = start("server", List.of(), cores.receiver());
                    Child client =
                            start(
                                    "client",
                                    List.of(
                                            Integer.toString(size),
                                            Integer.toString(settings.samples())),
                                    cores.sender())) {
                figures.put(
                        Integer.toString(size),
                        FigureLine.figure(client.await(LIMIT, List.of(0)), "p50_ns"));
            }
        }
        return figures;
    }

    private Child start(final String side, final List<String> more, final int core) {
        final List<String> command =
                new ArrayList<>(
                        List.of(
                                binary.toString(),
                                side,
                                Integer.toString(DdsPlace.FLOOR_DOMAIN),
                                DdsPlace.word(reliable)));
        command.addAll(more);
        command.add(Integer.toString(core));
        return children.start("dds_pingpong-" + side, DdsPlace.onThisHost(command));
    }
}

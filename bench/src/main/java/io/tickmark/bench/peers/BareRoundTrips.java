package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.messaging.BarePingPong;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Round trips of a bare loop in Java, each side in a JVM with the flags of a role; the figure named
 * after a size is the median in ns.
 *
 * @param root of the project
 * @param children that starts it
 * @param udp whether over UDP rather than through shared memory
 * @param sizes message lengths
 * @param settings of the run
 */
record BareRoundTrips(
        Path root, Children children, boolean udp, List<Integer> sizes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public String name() {
        return udp ? "bare Java over UDP" : "bare Java in shared memory";
    }

    @Override
    public Map<String, Double> measure() {
        final Map<String, Double> figures = new HashMap<>();
        for (final int size : sizes) {
            final String output = udp ? overUdp(size) : inSharedMemory(size);
            figures.put(Integer.toString(size), FigureLine.figure(output, "p50_ns"));
            FigureLine.putLatencies(figures, Integer.toString(size), output);
        }
        return figures;
    }

    private String overUdp(final int size) {
        final int port = UdpPorts.free();
        try (Child pong = start("pong", "port=" + port, size, settings.pinning().receiver())) {
            UdpPorts.awaitBound(port, pong);
            return ping("port=" + port, size);
        }
    }

    private String inSharedMemory(final int size) {
        final Path file =
                SHARED_MEMORY.resolve(
                        "tickmark-bench-" + ProcessHandle.current().pid() + ".places");
        try (Child pong = start("pong", "file=" + file, size, settings.pinning().receiver())) {
            final String output = ping("file=" + file, size);
            pong.await(LIMIT, List.of(0));
            return output;
        } finally {
            delete(file);
        }
    }

    private String ping(final String way, final int size) {
        try (Child ping = start("ping", way, size, settings.pinning().sender())) {
            return ping.await(LIMIT.plusSeconds(settings.warmUpSeconds()), List.of(0));
        }
    }

    private Child start(final String side, final String way, final int size, final int core) {
        final List<String> arguments =
                new ArrayList<>(
                        List.of(
                                side,
                                way,
                                "payloadBytes=" + size,
                                "warmUpSeconds=" + settings.warmUpSeconds(),
                                "count=" + settings.samples(),
                                "core=" + core));
        return children.start(
                "bare-ping-pong-" + side,
                JavaCommand.of(root, BarePingPong.class.getName(), arguments));
    }

    private static void delete(final Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (final IOException e) {
            throw new NotMeasured(file + " cannot be deleted: " + e.getMessage() + ".", e);
        }
    }
}

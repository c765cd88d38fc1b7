package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.wire.ReadCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How fast captures are read, on one core: a clean one that is made, one of the loopback device,
 * and the memory that one of four times the length needs beside it.
 *
 * @param root of the project
 * @param folder for the captures
 * @param children that starts the programs
 * @param settings of the run
 */
record CaptureReading(Path root, Path folder, Children children, SideBySideSettings settings)
        implements Contestant {
    static final String CLEAN = "clean";
    static final String LOOPBACK = "loopback";
    static final String MEMORY = "memory";

    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final long PACKETS = 1_500_000;
    private static final int MESSAGES = 25_000;
    private static final int PASSES = 6;

    @Override
    public String name() {
        return "tickmark wire";
    }

    @Override
    public Map<String, Double> measure() {
        final Path clean = folder.resolve("clean.pcap");
        final Path loopback = folder.resolve("loopback.pcap");
        final Path whole = folder.resolve("long.pcap");
        try {
            run("make", List.of(), ReadCapture.class, "make", clean.toString(), "" + PACKETS);
            run("make", List.of(), ReadCapture.class, "make", whole.toString(), "" + 4 * PACKETS);
            final String ports =
                    run(
                            "capture",
                            List.of(),
                            ReadCapture.class,
                            "capture",
                            loopback.toString(),
                            "" + MESSAGES);
            final String ofClean = read(clean, "3000", "3001");
            final String ofLong = read(whole, "3000", "3001");
            final String ofLoopback =
                    read(
                            loopback,
                            "" + (int) FigureLine.figure(ports, "in_port"),
                            "" + (int) FigureLine.figure(ports, "out_port"));
            return Map.of(
                    CLEAN, FigureLine.figure(ofClean, "packets_per_s"),
                    LOOPBACK, FigureLine.figure(ofLoopback, "packets_per_s"),
                    MEMORY,
                            FigureLine.figure(ofLong, "resident_bytes")
                                    / FigureLine.figure(ofClean, "resident_bytes"));
        } finally {
            Stream.of(clean, loopback, whole).forEach(CaptureReading::remove);
        }
    }

    private String read(final Path file, final String inPort, final String outPort) {
        final List<String> pinned =
                List.of("taskset", "-c", Integer.toString(settings.pinning().receiver()));
        return run(
                "read", pinned, ReadCapture.class, file.toString(), "" + PASSES, inPort, outPort);
    }

    private String run(
            final String name,
            final List<String> before,
            final Class<?> program,
            final String... arguments) {
        final List<String> command = new ArrayList<>(before);
        command.addAll(JavaCommand.ofWire(root, program.getName(), List.of(arguments)));
        try (Child child = children.start(name, command)) {
            return child.await(LIMIT, List.of(0));
        }
    }

    private static void remove(final Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (final IOException e) {
            throw new NotMeasured(file + " cannot be removed.", e);
        }
    }
}

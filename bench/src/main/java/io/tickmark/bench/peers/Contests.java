package io.tickmark.bench.peers;

import io.tickmark.bench.aeron.BareArchive;
import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which programs are compared, by which figures, with which goals. */
final class Contests {
    private static final List<Integer> UDP_SIZES = List.of(64, 700);
    private static final List<Integer> SHM_SIZES = List.of(16, 64);
    private static final List<Integer> AERON_SIZES = List.of(700, 64);
    private static final List<Integer> RATES_PER_SECOND = List.of(1_000, 10_000, 100_000, 500_000);
    private static final int STREAM_BYTES = 64;
    private static final int STORED_BYTES = 700;

    /** The most segments that every kernel with UDP_SEGMENT takes. */
    private static final int BATCH = 64;

    private final Path root;
    private final Path folder;
    private final Children children;
    private final SideBySideSettings settings;
    private final PlanRunner frontDoor;

    Contests(
            final Path root,
            final Path folder,
            final Children children,
            final SideBySideSettings settings) {
        this.root = root;
        this.folder = folder;
        this.children = children;
        this.settings = settings;
        frontDoor = new PlanRunner(root, folder, children);
    }

    List<Contest> all() {
        final List<Contest> all =
                new ArrayList<>(
                        List.of(
                                udp(),
                                shm(),
                                stream(),
                                aeron(),
                                archive(),
                                dds(),
                                recording(),
                                pace(),
                                wire()));
        all.add(new ControllerScale(folder, children).contest());
        all.add(new StartContest(root, children).contest());
        all.add(new SearchContest(root, folder, children).contest());
        all.add(new JitterContest(frontDoor, program("jitter"), settings).contest());
        all.addAll(new SocketContests(frontDoor, program("udp_stream"), children, settings).all());
        all.addAll(new MarketContests(frontDoor, settings).all());
        all.addAll(new FixContests(frontDoor, program("fix_fanout"), settings).all());
        all.addAll(new FeedContests(root, children, frontDoor).all());
        all.add(new EngineContest(root, children, frontDoor, settings).contest());
        all.add(new AttributionCost(frontDoor, program("fix_fanout"), settings).contest());
        all.add(new GrowthContest(root, children, frontDoor, settings).contest());
        all.add(new Detection(frontDoor, settings).contest());
        return all;
    }

    private CProgram program(final String name) {
        return new CProgram(root.resolve("bench/c/target").resolve(name), children);
    }

    private Contest dds() {
        return new DdsContest(
                        root.resolve("bench/c/target/dds_pingpong"), children, frontDoor, settings)
                .contest();
    }

    private Contest udp() {
        final Contestant ours =
                new OurRoundTrips(frontDoor, "udp://127.0.0.1:0", UDP_SIZES, settings);
        final Contestant c = new CUdpPingPong(program("udp_pingpong"), UDP_SIZES, settings);
        final Contestant sockperf = new Sockperf(children, UDP_SIZES, settings);
        final Contestant bare = new BareRoundTrips(root, children, true, UDP_SIZES, settings);
        final List<Row> rows = new ArrayList<>();
        for (final int size : UDP_SIZES) {
            final String what = "UDP loopback round trip %d B, p50".formatted(size);
            rows.add(roundTrip(what, size, ours, c, 1.03));
            rows.add(roundTrip(what, size, ours, bare, 1.03));
            rows.add(roundTrip(what, size, ours, sockperf, 1));
        }
        return new Contest(
                "udp",
                List.of(ours, c, bare, sockperf),
                rows,
                OurRoundTrips.latencies("UDP round trip %d B", UDP_SIZES, List.of(c, bare), ours));
    }

    private Contest shm() {
        final Contestant ours = new OurRoundTrips(frontDoor, "shm:", SHM_SIZES, settings);
        final Contestant c = new CShmPingPong(program("shm_pingpong"), SHM_SIZES, settings);
        final Contestant bare = new BareRoundTrips(root, children, false, SHM_SIZES, settings);
        final List<Row> rows = new ArrayList<>();
        for (final int size : SHM_SIZES) {
            final String what = "shared memory round trip %d B, p50".formatted(size);
            rows.add(roundTrip(what, size, ours, c, 1.1));
            rows.add(roundTrip(what, size, ours, bare, 1.1));
        }
        return new Contest(
                "shm",
                List.of(ours, c, bare),
                rows,
                OurRoundTrips.latencies(
                        "shared memory round trip %d B", SHM_SIZES, List.of(c, bare), ours));
    }

    private static Row roundTrip(
            final String what,
            final int size,
            final Contestant ours,
            final Contestant peer,
            final double atMost) {
        return Row.ratio(
                what,
                Integer.toString(size),
                ours.name(),
                peer.name(),
                Unit.NANOSECONDS,
                new Goal.AtMost(atMost));
    }

    private Contest stream() {
        final Contestant batches =
                new OurStream(
                        frontDoor, "udp://127.0.0.1:0?batch=" + BATCH, STREAM_BYTES, settings);
        final Contestant plain =
                new OurStream(frontDoor, "udp://127.0.0.1:0", STREAM_BYTES, settings);
        final CProgram program = program("udp_stream");
        final Contestant cBatches = c(program, "sendto", BATCH);
        final Contestant cBatchesConnected = c(program, "send", BATCH);
        final Contestant cPlain = c(program, "sendto", 1);
        final Contestant cPlainConnected = c(program, "send", 1);
        final String what = "UDP one way %d B, ".formatted(STREAM_BYTES);
        final String batched = what + "batches of " + BATCH;
        return new Contest(
                "stream",
                List.of(batches, plain, cBatches, cBatchesConnected, cPlain, cPlainConnected),
                List.of(
                        rate(batched, STREAM_BYTES, batches, plain, 10),
                        rate(batched, STREAM_BYTES, batches, cBatches, 1),
                        rate(batched, STREAM_BYTES, batches, cBatchesConnected, new Goal.Shown()),
                        rate(what + "plain sends", STREAM_BYTES, plain, cPlain, 0.9),
                        rate(
                                what + "plain sends",
                                STREAM_BYTES,
                                plain,
                                cPlainConnected,
                                new Goal.Shown())));
    }

    private Contestant c(final CProgram program, final String call, final int batch) {
        return new CUdpStream(program, call, STREAM_BYTES, batch, settings);
    }

    /**
     * Ours against a bare loop, and against one that reads what it got and the clock, as ours does.
     */
    private Contest aeron() {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        for (final BareAeronStream.Kind.Way way : BareAeronStream.Kind.Way.values()) {
            for (final int size : AERON_SIZES) {
                final Contestant ours = new OurStream(frontDoor, way.ourChannel(), size, settings);
                contestants.add(ours);
                for (final boolean reads : List.of(false, true)) {
                    final Contestant bare =
                            new BareAeronStream(
                                    root,
                                    children,
                                    new BareAeronStream.Kind(way, reads),
                                    size,
                                    settings);
                    contestants.add(bare);
                    rows.add(
                            rate(
                                    "Aeron %s one way %d B".formatted(way.label(), size),
                                    size,
                                    ours,
                                    bare,
                                    reads ? new Goal.AtLeast(0.95) : new Goal.Shown()));
                }
            }
        }
        return new Contest("aeron", contestants, rows);
    }

    private Contest archive() {
        final Contestant ours = onCleanDisk(new OurStoredStream(frontDoor, STORED_BYTES, settings));
        final Contestant bare =
                onCleanDisk(new BareArchiveStream(root, children, STORED_BYTES, settings));
        final Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        final Contestant fio = onCleanDisk(new FioWrites(folder, children, STORED_BYTES, settings));
        final String what = "Aeron Archive, page cache, %d B".formatted(STORED_BYTES);
        return new Contest(
                "archive",
                List.of(ours, bare, fio),
                List.of(
                        rate(what, STORED_BYTES, ours, bare, 0.9),
                        rate(what, STORED_BYTES, ours, fio, 1)));
    }

    private Contestant onCleanDisk(final Contestant contestant) {
        return new OnCleanDisk(contestant, children);
    }

    private static Row rate(
            final String what,
            final int size,
            final Contestant ours,
            final Contestant peer,
            final double atLeast) {
        return rate(what, size, ours, peer, new Goal.AtLeast(atLeast));
    }

    private static Row rate(
            final String what,
            final int size,
            final Contestant ours,
            final Contestant peer,
            final Goal goal) {
        return Row.ratio(
                what + ", received",
                Integer.toString(size),
                ours.name(),
                peer.name(),
                Unit.PER_SECOND,
                goal);
    }

    private Contest recording() {
        final Contestant ours = new RecordingCost(root, folder, children, settings);
        return new Contest(
                "recording",
                List.of(ours),
                List.of(
                        Row.figure(
                                "recording one message",
                                "ns",
                                ours.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(50)),
                        // The reporter, which looks once a second, is in it. A message that
                        // allocates costs 16 B at least.
                        Row.figure(
                                "memory allocated for it",
                                "bytes",
                                ours.name(),
                                Unit.BYTES,
                                new Goal.AtMost(0.1))));
    }

    private Contest wire() {
        final Contestant ours = new CaptureReading(root, folder, children, settings);
        return new Contest(
                "wire",
                List.of(ours),
                List.of(
                        Row.figure(
                                "reading a clean capture, packets",
                                CaptureReading.CLEAN,
                                ours.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(5e6)),
                        Row.figure(
                                "reading a loopback capture, packets",
                                CaptureReading.LOOPBACK,
                                ours.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(10e6)),
                        Row.figure(
                                "memory for a capture of four times the length",
                                CaptureReading.MEMORY,
                                ours.name(),
                                Unit.TIMES,
                                new Goal.AtMost(1.1))));
    }

    private Contest pace() {
        final Contestant ours = new OurPace(frontDoor, RATES_PER_SECOND, settings);
        final Contestant asked = new Asked(RATES_PER_SECOND);
        final List<Row> rows = new ArrayList<>();
        for (final int rate : RATES_PER_SECOND) {
            rows.add(
                    Row.ratio(
                            "paced rate held on null, %d msg/s".formatted(rate),
                            Integer.toString(rate),
                            ours.name(),
                            asked.name(),
                            Unit.PER_SECOND,
                            new Goal.Near(0.001)));
        }
        return new Contest("pace", List.of(ours, asked), rows);
    }

    /**
     * The rates that were asked for, which a paced rate is compared with.
     *
     * @param ratesPerSecond each a figure by its own name
     */
    private record Asked(List<Integer> ratesPerSecond) implements Contestant {
        @Override
        public String name() {
            return "the rate asked for";
        }

        @Override
        public Map<String, Double> measure() {
            return ratesPerSecond.stream()
                    .collect(
                            Collectors.toMap(rate -> Integer.toString(rate), Integer::doubleValue));
        }
    }

    /**
     * {@code bench/c/shm_pingpong}; the figure named after a size is the median round trip in ns.
     *
     * @param program to run
     * @param sizes message lengths
     * @param settings of the run
     */
    private record CShmPingPong(CProgram program, List<Integer> sizes, SideBySideSettings settings)
            implements Contestant {
        @Override
        public String name() {
            return "C shm_pingpong";
        }

        @Override
        public Map<String, Double> measure() {
            final Cores cores = settings.pinning();
            final Map<String, Double> figures = new HashMap<>();
            for (final int size : sizes) {
                final String output =
                        program.run(settings.samples(), size, cores.sender(), cores.receiver());
                figures.put(Integer.toString(size), FigureLine.figure(output, "p50_ns"));
                FigureLine.putLatencies(figures, Integer.toString(size), output);
            }
            return figures;
        }
    }

    /**
     * {@code bench/c/udp_pingpong}; the figure named after a size is the median round trip in ns.
     *
     * @param program to run
     * @param sizes message lengths
     * @param settings of the run
     */
    private record CUdpPingPong(CProgram program, List<Integer> sizes, SideBySideSettings settings)
            implements Contestant {
        @Override
        public String name() {
            return "C udp_pingpong";
        }

        @Override
        public Map<String, Double> measure() {
            final Cores cores = settings.pinning();
            final Map<String, Double> figures = new HashMap<>();
            for (final int size : sizes) {
                final int port = UdpPorts.free();
                try (Child server = program.start("server", port, cores.receiver())) {
                    UdpPorts.awaitBound(port, server);
                    final String output =
                            program.run("client", port, size, settings.samples(), cores.sender());
                    figures.put(Integer.toString(size), FigureLine.figure(output, "p50_ns"));
                    FigureLine.putLatencies(figures, Integer.toString(size), output);
                }
            }
            return figures;
        }
    }

    /**
     * A bare recorded Aeron stream; the figure named after the size is the rate recorded.
     *
     * @param root of the project
     * @param children that starts it
     * @param payloadBytes message length
     * @param settings of the run
     */
    private record BareArchiveStream(
            Path root, Children children, int payloadBytes, SideBySideSettings settings)
            implements Contestant {
        private static final Duration LIMIT = Duration.ofSeconds(60);

        @Override
        public String name() {
            return "bare Aeron Archive, %d B".formatted(payloadBytes);
        }

        @Override
        public Map<String, Double> measure() {
            try (Child child =
                    children.start(
                            "bare-archive",
                            JavaCommand.of(
                                    root,
                                    BareArchive.class.getName(),
                                    List.of(
                                            Integer.toString(payloadBytes),
                                            Integer.toString(settings.warmUpSeconds()),
                                            Integer.toString(settings.seconds()))))) {
                final String output =
                        child.await(
                                LIMIT.plusSeconds(settings.seconds() + settings.warmUpSeconds()),
                                List.of(0));
                return Map.of(
                        Integer.toString(payloadBytes), FigureLine.figure(output, "msg_per_s"));
            }
        }
    }
}

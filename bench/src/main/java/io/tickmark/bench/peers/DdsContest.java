package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.LatencyRow;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DDS beside the library's own tool in C and a minimal C program on the same library. */
final class DdsContest {
    private static final List<Integer> SIZES = List.of(64, 8192);
    private static final List<Integer> STREAM_SIZES = List.of(64, 1024);

    private final Path program;
    private final Children children;
    private final PlanRunner frontDoor;
    private final SideBySideSettings settings;
    private final List<Contestant> contestants = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<LatencyRow> latencies = new ArrayList<>();

    DdsContest(
            final Path program,
            final Children children,
            final PlanRunner frontDoor,
            final SideBySideSettings settings) {
        this.program = program;
        this.children = children;
        this.frontDoor = frontDoor;
        this.settings = settings;
    }

    Contest contest() {
        addRoundTrips(false);
        addRoundTrips(true);
        STREAM_SIZES.forEach(this::addStream);
        return new Contest("dds", contestants, rows, latencies);
    }

    private void addRoundTrips(final boolean reliable) {
        final Contestant ours =
                new OurRoundTrips(frontDoor, reliable ? "dds:?reliable" : "dds:", SIZES, settings);
        final Contestant c = new CDdsPingPong(program, children, reliable, SIZES, settings);
        final Contestant ddsperf = new DdsPerfPing(children, reliable, SIZES, settings);
        contestants.addAll(List.of(ours, c, ddsperf));
        final String what = "DDS " + DdsPlace.word(reliable) + " round trip %d B";
        latencies.addAll(OurRoundTrips.latencies(what, SIZES, List.of(c), ours));
        for (final int size : SIZES) {
            for (final Contestant peer : List.of(ddsperf, c)) {
                rows.add(
                        Row.ratio(
                                "DDS %s round trip %d B, p50"
                                        .formatted(DdsPlace.word(reliable), size),
                                Integer.toString(size),
                                ours.name(),
                                peer.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(1.10)));
            }
        }
    }

    private void addStream(final int size) {
        final Contestant ours = new OurStream(frontDoor, "dds:?reliable&batch", size, settings);
        final Contestant ddsperf = new DdsPerfStream(children, size, settings);
        contestants.addAll(List.of(ours, ddsperf));
        rows.add(
                Row.ratio(
                        "DDS reliable one way %d B, received".formatted(size),
                        Integer.toString(size),
                        ours.name(),
                        ddsperf.name(),
                        Unit.PER_SECOND,
                        new Goal.AtLeast(0.8)));
    }

    /**
     * {@code bench/c/dds_pingpong}; the figure named after a size is the median round trip in ns.
     *
     * @param binary to run
     * @param children that starts it
     * @param reliable strict reliable or best effort
     * @param sizes message lengths
     * @param settings of the run
     */
    private record CDdsPingPong(
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
                    final String output = client.await(LIMIT, List.of(0));
                    figures.put(Integer.toString(size), FigureLine.figure(output, "p50_ns"));
                    FigureLine.putLatencies(figures, Integer.toString(size), output);
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

    /**
     * {@code ddsperf ping} and {@code pong} of the library's own tools, by listeners; the figure
     * named after a size is the median round trip in ns.
     *
     * @param children that starts it
     * @param reliable strict reliable or best effort
     * @param sizes message lengths
     * @param settings of the run
     */
    private record DdsPerfPing(
            Children children, boolean reliable, List<Integer> sizes, SideBySideSettings settings)
            implements Contestant {
        private static final Duration LIMIT = Duration.ofSeconds(30);
        private static final String SECONDS = "4";

        @Override
        public String name() {
            return "ddsperf ping " + DdsPlace.word(reliable);
        }

        @Override
        public Map<String, Double> measure() {
            final Cores cores = settings.pinning();
            final Map<String, Double> figures = new HashMap<>();
            for (final int size : sizes) {
                try (Child _ = start(cores.receiver(), List.of("pong"));
                        Child ping =
                                start(
                                        cores.sender(),
                                        List.of(
                                                "-D",
                                                SECONDS,
                                                "ping",
                                                "size",
                                                Integer.toString(size)))) {
                    figures.put(
                            Integer.toString(size),
                            DdsPerfText.medianRoundTripNs(ping.await(LIMIT, List.of(0))));
                }
            }
            return figures;
        }

        private Child start(final int core, final List<String> mode) {
            final List<String> command =
                    new ArrayList<>(
                            List.of("ddsperf", "-i", Integer.toString(DdsPlace.DDSPERF_DOMAIN)));
            if (!reliable) {
                command.add("-u");
            }
            command.addAll(mode);
            return children.start(
                    "ddsperf-" + mode.getLast(), Cores.on(core, DdsPlace.onThisHost(command)));
        }
    }

    /**
     * {@code ddsperf pub} and {@code sub}, reliable, everything kept; the figure named after the
     * size is the rate received.
     *
     * @param children that starts it
     * @param payloadBytes message length
     * @param settings of the run
     */
    private record DdsPerfStream(Children children, int payloadBytes, SideBySideSettings settings)
            implements Contestant {
        private static final Duration LIMIT = Duration.ofSeconds(60);

        @Override
        public String name() {
            return "ddsperf pub/sub " + payloadBytes + " B";
        }

        @Override
        public Map<String, Double> measure() {
            final Cores cores = settings.pinning();
            final String seconds = Integer.toString(settings.seconds() + 3);
            try (Child sub = start(cores.receiver(), List.of("-D", seconds, "sub"));
                    Child pub =
                            start(
                                    cores.sender(),
                                    List.of(
                                            "-D",
                                            seconds,
                                            "pub",
                                            "size",
                                            Integer.toString(payloadBytes)))) {
                pub.await(LIMIT, List.of(0));
                return Map.of(
                        Integer.toString(payloadBytes),
                        DdsPerfText.receivedPerSecond(sub.await(LIMIT, List.of(0))));
            }
        }

        private Child start(final int core, final List<String> mode) {
            final List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "ddsperf",
                                    "-i",
                                    Integer.toString(DdsPlace.DDSPERF_DOMAIN),
                                    "-k",
                                    "all"));
            command.addAll(mode);
            return children.start(
                    "ddsperf-" + mode.getLast(), Cores.on(core, DdsPlace.onThisHost(command)));
        }
    }

    /** Where foreign DDS programs meet: one domain each, on the loopback interface, as ours do. */
    private static final class DdsPlace {
        static final int DDSPERF_DOMAIN = 61;
        static final int FLOOR_DOMAIN = 62;

        private static final String CONFIG =
                "CYCLONEDDS_URI=<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                        + "<AllowMulticast>false</AllowMulticast></General>"
                        + "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
                        + "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

        private DdsPlace() {}

        /** The command with the library configured to stay on this host. */
        static List<String> onThisHost(final List<String> command) {
            final List<String> words = new ArrayList<>(List.of("env", CONFIG));
            words.addAll(command);
            return words;
        }

        /** As options of programs call it. */
        static String word(final boolean reliable) {
            return reliable ? "reliable" : "best-effort";
        }
    }

    /** The lines that ddsperf prints each second. */
    static final class DdsPerfText {
        private static final Pattern MEDIAN = Pattern.compile(" 50% ([\\d.]+)us");
        private static final Pattern RATE =
                Pattern.compile("total \\d+ lost (\\d+) delta \\d+ lost \\d+ rate ([\\d.]+) kS/s");

        private DdsPerfText() {}

        /**
         * The median of the seconds' median round trips; the first second warms up. ddsperf prints
         * half of a round trip.
         *
         * @param output of {@code ddsperf ping}
         * @return ns
         */
        static double medianRoundTripNs(final String output) {
            final List<Double> seconds =
                    MEDIAN.matcher(output)
                            .results()
                            .skip(1)
                            .map(found -> Double.parseDouble(found.group(1)) * 2_000)
                            .sorted()
                            .toList();
            if (seconds.isEmpty()) {
                throw new NotMeasured("ddsperf printed no round trips: " + output.strip());
            }
            return seconds.get(seconds.size() / 2);
        }

        /**
         * The median of the seconds' rates, without the first and the last, which are not whole.
         *
         * @param output of {@code ddsperf sub}
         * @return messages received per second
         */
        static double receivedPerSecond(final String output) {
            final Matcher lines = RATE.matcher(output);
            final List<Double> seconds =
                    lines.results()
                            .map(found -> Double.parseDouble(found.group(2)) * 1_000)
                            .toList();
            if (seconds.size() < 3) {
                throw new NotMeasured("ddsperf printed no rates: " + output.strip());
            }
            final List<Double> whole =
                    seconds.subList(1, seconds.size() - 1).stream().sorted().toList();
            return whole.get(whole.size() / 2);
        }
    }
}

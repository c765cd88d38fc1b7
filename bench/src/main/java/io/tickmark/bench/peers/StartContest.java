package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.kernel.stats.Summaries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * How long commands take to start and to answer, and a role until it listens; beside them a Java
 * program that does nothing, with the same flags as the front door.
 *
 * @param root of the project
 * @param children that starts them
 */
record StartContest(Path root, Children children) {
    private static final int STARTS = 11;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final double MS_NS = 1e6;

    private static final String HELP = "help";
    private static final String PLANS = "plans";
    private static final String ROLE = "role";
    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;

    Contest contest() {
        final Contestant ours = new Ours();
        final Contestant nothing = new Nothing();
        return new Contest(
                "start",
                List.of(ours, nothing),
                List.of(
                        time("tickmark --help", HELP, ours, new Goal.AtMost(200 * MS_NS)),
                        time("tickmark plans", PLANS, ours, new Goal.AtMost(300 * MS_NS)),
                        time(
                                "tickmark latency pub, until it listens",
                                ROLE,
                                ours,
                                new Goal.AtMost(400 * MS_NS)),
                        Row.ratio(
                                "tickmark --help",
                                HELP,
                                ours.name(),
                                nothing.name(),
                                Unit.NANOSECONDS,
                                new Goal.Shown()),
                        Row.ratio(
                                "tickmark plans",
                                PLANS,
                                ours.name(),
                                nothing.name(),
                                Unit.NANOSECONDS,
                                new Goal.Shown())));
    }

    private static Row time(
            final String what, final String figure, final Contestant ours, final Goal goal) {
        return Row.figure(what, figure, ours.name(), Unit.NANOSECONDS, goal);
    }

    /**
     * One start.
     *
     * @param command to start
     * @param end waits until what is timed has happened
     */
    private record Start(List<String> command, Consumer<Child> end) {}

    private double medianNs(final String name, final Supplier<Start> starts) {
        final double[] timesNs = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            final Start start = starts.get();
            final long startNs = CLOCK.nanoTime();
            try (Child child = children.start(name, start.command())) {
                start.end().accept(child);
                timesNs[i] = CLOCK.nanoTime() - startNs;
            }
        }
        return Summaries.spread(timesNs).median();
    }

    private double untilItsEndNs(final String name, final List<String> command) {
        final Start start = new Start(command, child -> child.await(LIMIT, List.of(0)));
        return medianNs(name, () -> start);
    }

    private String tickmark() {
        return root.resolve("tickmark").toString();
    }

    private final class Ours implements Contestant {
        @Override
        public String name() {
            return "tickmark";
        }

        @Override
        public Map<String, Double> measure() {
            return Map.of(
                    HELP, untilItsEndNs(HELP, List.of(tickmark(), "--help")),
                    PLANS, untilItsEndNs(PLANS, List.of(tickmark(), "plans")),
                    ROLE, untilARoleListensNs());
        }

        /** A port for each start, as a program that outlived the last one could still be bound. */
        private double untilARoleListensNs() {
            return medianNs(
                    ROLE,
                    () -> {
                        final int port = UdpPorts.free();
                        return new Start(
                                List.of(
                                        tickmark(),
                                        "latency",
                                        "pub",
                                        "--channel",
                                        "udp://127.0.0.1:" + port),
                                child -> UdpPorts.awaitBound(port, child));
                    });
        }
    }

    private final class Nothing implements Contestant {
        @Override
        public String name() {
            return "a Java program that does nothing";
        }

        @Override
        public Map<String, Double> measure() {
            final double ns =
                    untilItsEndNs(
                            "nothing",
                            JavaCommand.ofFrontDoor(DoesNothing.class.getName(), List.of()));
            final Map<String, Double> figures = new HashMap<>();
            figures.put(HELP, ns);
            figures.put(PLANS, ns);
            return figures;
        }
    }

    /** The least that any Java program takes. */
    static final class DoesNothing {
        private DoesNothing() {}

        /**
         * Ends.
         *
         * @param args none
         */
        public static void main(final String... args) {
            // nothing: that is what is measured
        }
    }
}

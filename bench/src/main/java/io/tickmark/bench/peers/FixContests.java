package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** FIX fan-out gateways: ours, those on QuickFIX/J and on Artio, and the least one in C. */
final class FixContests {
    private static final FixLoad FULL = new FixLoad("full speed", 5, 20, 0, 0, 1, false);
    private static final FixLoad PACED = new FixLoad("paced", 5, 20, 0, 1000, 1, false);
    private static final FixLoad MANY = new FixLoad("many", 50, 200, 0, 100, 50, true);
    private static final FixLoad WHOLE = new FixLoad("all read", 5, 20, 0, 1000, 5, false);
    private static final FixLoad STALLED = new FixLoad("one stalled", 5, 21, 1, 1000, 5, false);

    private static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9");
    private static final Contestant PUBLISHED = new Published();

    /** Enough for each of the gateway's workers (a half), the clients' threads and the capture. */
    private static final int CORES_OF_THE_DOCUMENT = 8;

    private final PlanRunner frontDoor;
    private final CProgram minimal;
    private final SideBySideSettings settings;

    FixContests(
            final PlanRunner frontDoor, final CProgram minimal, final SideBySideSettings settings) {
        this.frontDoor = frontDoor;
        this.minimal = minimal;
        this.settings = settings;
    }

    List<Contest> all() {
        return List.of(engines(), floor(), slowConsumer());
    }

    private Contestant run(final String engine, final FixLoad... loads) {
        return new FixGatewayRun(frontDoor, engine, minimal, false, List.of(loads), settings);
    }

    /** Ours doing what QuickFIX/J always does: each message is held against the dictionary. */
    private Contestant checking(final FixLoad... loads) {
        return new FixGatewayRun(frontDoor, "tickmark", minimal, true, List.of(loads), settings);
    }

    private Contest engines() {
        final Contestant ours = run("tickmark", FULL, PACED);
        final Contestant checking = checking(FULL, PACED);
        final Contestant quickfixj = run("quickfixj", FULL, PACED);
        final Contestant artio = run("artio", FULL, PACED);
        final List<Row> rows = new ArrayList<>();
        rows.add(rate(ours, quickfixj, 15));
        rows.add(rate(ours, artio, 5));
        for (final Contestant peer : List.of(quickfixj, artio)) {
            addLatencies(rows, ours, peer);
        }
        rows.add(rate(checking, quickfixj, 1)); // both hold messages against a dictionary
        addLatencies(rows, checking, quickfixj);
        return new Contest("fix", List.of(ours, checking, quickfixj, artio), rows);
    }

    private static void addLatencies(
            final List<Row> rows, final Contestant ours, final Contestant peer) {
        rows.add(paced(ours, peer, "p50", 1));
        rows.add(paced(ours, peer, "p99.9", 0.5));
        rows.add(
                Row.ratio(
                        "FIX fan-out 5 to 20, CPU time of the gateway for each copy",
                        FULL.name() + " cpu",
                        ours.name(),
                        peer.name(),
                        Unit.NANOSECONDS,
                        new Goal.Shown()));
    }

    private static Row rate(final Contestant ours, final Contestant peer, final double atLeast) {
        return Row.ratio(
                "FIX fan-out 5 to 20, full speed, received",
                FULL.name() + " rate",
                ours.name(),
                peer.name(),
                Unit.PER_SECOND,
                new Goal.AtLeast(atLeast));
    }

    private static Row paced(
            final Contestant ours,
            final Contestant peer,
            final String figure,
            final double atMost) {
        return Row.ratio(
                "FIX fan-out 5 x 1000 msg/s to 20, " + figure,
                PACED.name() + " " + figure,
                ours.name(),
                peer.name(),
                Unit.NANOSECONDS,
                new Goal.AtMost(atMost));
    }

    private Contest floor() {
        final Contestant ours = run("tickmark", MANY);
        final Contestant c = run("c", MANY);
        final List<Row> rows = new ArrayList<>();
        for (final String figure : PERCENTILES) {
            final Goal goal = figure.equals("p99.9") ? new Goal.Shown() : new Goal.AtMost(1.3);
            rows.add(many("on the wire " + figure, "wire " + figure, ours, c, goal));
        }
        final Goal document =
                Runtime.getRuntime().availableProcessors() >= CORES_OF_THE_DOCUMENT
                        ? new Goal.AtMost(1)
                        : new Goal.Shown();
        for (final String figure : PERCENTILES) {
            rows.add(many("on the wire " + figure, "wire " + figure, ours, PUBLISHED, document));
        }
        for (final String figure : PERCENTILES) {
            rows.add(many("application " + figure, figure, ours, c, new Goal.Shown()));
        }
        return new Contest("fix-floor", List.of(ours, c, PUBLISHED), rows);
    }

    private static Row many(
            final String what,
            final String figure,
            final Contestant ours,
            final Contestant peer,
            final Goal goal) {
        return Row.ratio(
                "FIX fan-out 50 x 100 msg/s, every 50th to 200, " + what,
                MANY.name() + " " + figure,
                ours.name(),
                peer.name(),
                Unit.NANOSECONDS,
                goal);
    }

    /** What the fan-out benchmark of FIX Antenna was published with, for this load on the wire. */
    private record Published() implements Contestant {
        @Override
        public String name() {
            return "FIX Antenna, as published";
        }

        @Override
        public Map<String, Double> measure() {
            final String wire = MANY.name() + " wire ";
            return Map.of(wire + "p50", 135e3, wire + "p99", 607e3, wire + "p99.9", 863e3);
        }
    }

    private Contest slowConsumer() {
        final Contestant whole = named("all consumers read", run("tickmark", WHOLE));
        final Contestant stalled = named("one of 21 does not read", run("tickmark", STALLED));
        return new Contest(
                "fix-slow",
                List.of(stalled, whole),
                List.of(
                        Row.ratio(
                                "FIX fan-out, the 20 others when one stops reading, p99",
                                "p99",
                                stalled.name(),
                                whole.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(1.2))));
    }

    /** The only load's figures, without its name. */
    private static Contestant named(final String name, final Contestant contestant) {
        return new Contestant() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Map<String, Double> measure() {
                final Map<String, Double> figures = new java.util.LinkedHashMap<>();
                contestant
                        .measure()
                        .forEach((key, value) ->
                                figures.put(key.substring(key.lastIndexOf(' ') + 1), value));
                return figures;
            }
        };
    }
}

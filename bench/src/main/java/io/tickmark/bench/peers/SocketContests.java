package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.util.ArrayList;
import java.util.List;

/** Bare sockets against a C loop, and intelligent batching against one send for each message. */
final class SocketContests {
    private static final int BYTES = 700;
    private static final int BATCH = 20;

    private final PlanRunner frontDoor;
    private final CProgram program;
    private final Children children;
    private final SideBySideSettings settings;

    SocketContests(
            final PlanRunner frontDoor,
            final CProgram program,
            final Children children,
            final SideBySideSettings settings) {
        this.frontDoor = frontDoor;
        this.program = program;
        this.children = children;
        this.settings = settings;
    }

    List<Contest> all() {
        return List.of(socket(), batching());
    }

    private Contest socket() {
        final Contestant ours = new OurStream(frontDoor, "udp://127.0.0.1:0", BYTES, settings);
        final Contestant named = new CUdpStream(program, "sendto", BYTES, 1, settings);
        final Contestant connected = new CUdpStream(program, "send", BYTES, 1, settings);
        return new Contest(
                "socket",
                List.of(ours, named, connected),
                List.of(
                        received(ours, named, new Goal.AtLeast(0.9)),
                        received(ours, connected, new Goal.Shown())));
    }

    private static Row received(final Contestant ours, final Contestant c, final Goal goal) {
        return Row.ratio(
                "bare socket one way %d B, plain sends, received".formatted(BYTES),
                Integer.toString(BYTES),
                ours.name(),
                c.name(),
                Unit.PER_SECOND,
                goal);
    }

    private Contest batching() {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        addBatching("UDP", "udp://127.0.0.1:0", "?batch=" + BATCH, 2, contestants, rows);
        addBatching("Archive", "archive:", "", 1.2, contestants, rows);
        return new Contest("batching", contestants, rows);
    }

    private void addBatching(
            final String medium,
            final String channel,
            final String parameters,
            final double atLeast,
            final List<Contestant> contestants,
            final List<Row> rows) {
        final Contestant each = sends(channel, "offer");
        final Contestant batched = sends(channel + parameters, "batch");
        contestants.addAll(List.of(batched, each));
        final String what = "intelligent batching %s %d B".formatted(medium, BYTES);
        rows.add(
                Row.ratio(
                        what + " as fast as possible, received",
                        OurSends.RATE,
                        batched.name(),
                        each.name(),
                        Unit.PER_SECOND,
                        new Goal.AtLeast(atLeast)));
        rows.add(
                Row.ratio(
                        what + " at 1,000 msg/s, response p99",
                        OurSends.P99_NS,
                        batched.name(),
                        each.name(),
                        Unit.NANOSECONDS,
                        new Goal.AtMost(1.1)));
    }

    private Contestant sends(final String channel, final String sendPath) {
        return new OnCleanDisk(
                new OurSends(frontDoor, channel, sendPath, BYTES, settings), children);
    }
}

package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The price feed: one server beside another, and the page in a real browser. */
final class FeedContests {
    /** What 500 clients with 800 messages a second each should get, but for a rounded edge. */
    private static final double ALL = 399_000;

    private static final double FRAME_NS = 16.7e6;

    private final Path root;
    private final Children children;
    private final FrontDoor frontDoor;

    FeedContests(final Path root, final Children children, final FrontDoor frontDoor) {
        this.root = root;
        this.children = children;
        this.frontDoor = frontDoor;
    }

    List<Contest> all() {
        return List.of(
                fanOut("fan-out", "4ms", 3e6), fanOut("fan-out-unbatched", "0ms", 15e6), browser());
    }

    private Contest fanOut(final String name, final String flush, final double mostNs) {
        final Contestant ours = new FanOut(root, children, frontDoor, "undertow", flush);
        final Contestant netty = new FanOut(root, children, frontDoor, "netty", flush);
        final String what =
                "500 clients at 800 msg/s, "
                        + (flush.equals("0ms") ? "one message a frame" : "flush " + flush);
        return new Contest(
                name,
                List.of(ours, netty),
                List.of(
                        Row.figure(
                                what + ", mean",
                                FeedRow.MEAN,
                                ours.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(mostNs)),
                        Row.figure(
                                what + ", received",
                                FeedRow.RATE,
                                ours.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(ALL)),
                        Row.ratio(
                                what + ", mean",
                                FeedRow.MEAN,
                                ours.name(),
                                netty.name(),
                                Unit.NANOSECONDS,
                                new Goal.Shown())));
    }

    private Contest browser() {
        final Contestant single =
                new BrowserPage(frontDoor, "page, one message a frame", "9700", "0ms", "canvas");
        final Contestant table = new BrowserPage(frontDoor, "page, table", "400k", "1ms", "table");
        final Contestant canvas =
                new BrowserPage(frontDoor, "page, canvas", "800k", "1ms", "canvas");
        final List<Row> rows = new ArrayList<>();
        rows.add(rate(single, 9_600));
        rows.add(
                Row.figure(
                        single.name() + ", mean",
                        FeedRow.MEAN,
                        single.name(),
                        Unit.NANOSECONDS,
                        new Goal.AtMost(3.4e6)));
        rows.add(rate(table, ALL));
        rows.add(p99(table));
        rows.add(rate(canvas, 2 * ALL));
        rows.add(p99(canvas));
        return new Contest("browser", List.of(single, table, canvas), rows);
    }

    private static Row rate(final Contestant page, final double atLeast) {
        return Row.figure(
                page.name() + ", received",
                FeedRow.RATE,
                page.name(),
                Unit.PER_SECOND,
                new Goal.AtLeast(atLeast));
    }

    private static Row p99(final Contestant page) {
        return Row.figure(
                page.name() + ", p99",
                FeedRow.P99,
                page.name(),
                Unit.NANOSECONDS,
                new Goal.AtMost(FRAME_NS));
    }
}

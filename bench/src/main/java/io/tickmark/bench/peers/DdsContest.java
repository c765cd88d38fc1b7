package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** DDS beside the library's own tool in C and a minimal C program on the same library. */
final class DdsContest {
    private static final List<Integer> SIZES = List.of(64, 8192);
    private static final List<Integer> STREAM_SIZES = List.of(64, 1024);

    private final Path program;
    private final Children children;
    private final FrontDoor frontDoor;
    private final SideBySideSettings settings;
    private final List<Contestant> contestants = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    DdsContest(
            final Path program,
            final Children children,
            final FrontDoor frontDoor,
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
        return new Contest("dds", contestants, rows);
    }

    private void addRoundTrips(final boolean reliable) {
        final Contestant ours =
                new OurRoundTrips(frontDoor, reliable ? "dds:?reliable" : "dds:", SIZES, settings);
        final Contestant c = new CDdsPingPong(program, children, reliable, SIZES, settings);
        final Contestant ddsperf = new DdsPerfPing(children, reliable, SIZES, settings);
        contestants.addAll(List.of(ours, c, ddsperf));
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
}

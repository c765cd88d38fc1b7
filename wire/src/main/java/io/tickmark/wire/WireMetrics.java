package io.tickmark.wire;

import io.tickmark.kernel.result.Percentiles;
import io.tickmark.wire.match.ClockOffset;
import io.tickmark.wire.match.FixCounts;
import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.FixSession;
import io.tickmark.wire.match.FixSide;
import io.tickmark.wire.match.StampCounts;
import io.tickmark.wire.match.WireFigures;
import io.tickmark.wire.net.IpDecoder;
import io.tickmark.wire.tcp.TcpCounts;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All counts of a capture by name, units in the names. */
final class WireMetrics {
    private static final double NS_PER_SECOND = 1e9;
    private static final int P99 = 99;

    private final Map<String, Object> metrics = new LinkedHashMap<>();

    private WireMetrics() {}

    static Map<String, Object> of(final WireResult result) {
        final WireMetrics all = new WireMetrics();
        all.packets(result);
        all.tcp(result);
        result.fix().ifPresent(all::fix);
        if (result.stamps().counts().messages() > 0) {
            all.stamps(result);
        }
        return all.metrics;
    }

    private void packets(final WireResult result) {
        final IpDecoder packets = result.packets();
        metrics.put("file", result.file().getFileName().toString());
        metrics.put("packets", packets.packets());
        metrics.put("wireBytes", packets.bytes());
        metrics.put(
                "captureSeconds",
                packets.packets() == 0
                        ? 0.0
                        : (packets.lastNs() - packets.firstNs()) / NS_PER_SECOND);
        result.dropped().ifPresent(count -> metrics.put("droppedByCapture", count));
        some("duplicatesRemoved", packets.copies());
        some("truncatedPackets", packets.truncated());
        some("malformedPackets", packets.malformed() + result.tcp().counts().malformed());
        some("notIpPackets", packets.notIp());
        some("unknownLinkPackets", packets.unknownLink());
        some("ipFragments", packets.fragments());
        some("incompleteDatagrams", packets.incompleteDatagrams());
        some("udpDatagrams", result.udp());
        some("otherDatagrams", result.otherProtocols());
    }

    private void tcp(final WireResult result) {
        final TcpCounts tcp = result.tcp().counts();
        if (tcp.packets() == 0) {
            return;
        }
        metrics.put("tcpPackets", tcp.packets());
        metrics.put("tcpSegments", tcp.segments());
        metrics.put("tcpRetransmissions", tcp.retransmissions());
        metrics.put("tcpOutOfOrder", tcp.outOfOrder());
        some("tcpKeepAlives", tcp.keepAlives());
        metrics.put("captureHoles", tcp.holes());
        metrics.put("captureHoleBytes", tcp.holeBytes());
        some("captureHolesGivenUp", tcp.givenUp());
        some("truncatedBytes", tcp.truncatedBytes());
        some("midStreamStarts", tcp.midStreams());
        some("connectionsForgotten", result.tcp().forgotten());
    }

    private void fix(final FixMatcher fix) {
        final FixCounts counts = fix.counts();
        metrics.put("inPerSecond", counts.inRatePerSecond());
        metrics.put("outPerSecond", counts.outRatePerSecond());
        metrics.put("inMessages", counts.in());
        metrics.put("outMessages", counts.out());
        metrics.put("inWithCopies", counts.inMatched());
        metrics.put("inUnmatched", counts.inUnmatched());
        metrics.put("outMatched", counts.matched());
        metrics.put("outUnmatched", counts.outUnmatched());
        metrics.put("minCopies", (long) counts.minCopies());
        metrics.put("maxCopies", (long) counts.maxCopies());
        some("skippedCopies", counts.skipped());
        some("matchedByBody", counts.byBody());
        some("ambiguousMessages", counts.ambiguous());
        some("inPossibleDuplicates", counts.possibleDuplicates(FixSide.IN));
        some("outPossibleDuplicates", counts.possibleDuplicates(FixSide.OUT));
        some("sessionMessages", counts.sessionMessages());
        some("otherTypes", counts.otherTypes());
        some("otherIdentities", counts.otherIdentities());
        some("garbledMessages", counts.garbled());
        some("cutMessages", counts.cut());
        some("notMeasured", counts.ignored());
        for (final FixSide side : FixSide.values()) {
            metrics.put(
                    "fix." + side.name().toLowerCase(java.util.Locale.ROOT), counts.messages(side));
        }
        quartiles(fix);
        sessions(fix);
    }

    /** The two percentiles of the short report that a result's latencies do not have. */
    private void quartiles(final FixMatcher fix) {
        fix.recorded()
                .map(step -> step.latencies().get(WireFigures.EACH_COPY_NS))
                .ifPresent(each -> {
                    Percentiles.of(each, 25).ifPresent(ns -> metrics.put("wireP25Ns", ns));
                    Percentiles.of(each, 75).ifPresent(ns -> metrics.put("wireP75Ns", ns));
                });
    }

    private void sessions(final FixMatcher fix) {
        final List<FixSession> timed =
                fix.sessions().stream()
                        .filter(session -> session.percentileNs(P99).isPresent())
                        .sorted(Comparator.comparingLong(WireMetrics::p99Ns))
                        .toList();
        metrics.put("sessionDirections", fix.sessions().size() + fix.unlistedSessions());
        metrics.put(
                "outSessions",
                fix.sessions().stream().filter(session -> session.recorded() > 0).count());
        if (!timed.isEmpty()) {
            metrics.put("fastestSessionP99Ns", p99Ns(timed.getFirst()));
            metrics.put("medianSessionP99Ns", p99Ns(timed.get(timed.size() / 2)));
            metrics.put("slowestSessionP99Ns", p99Ns(timed.getLast()));
            metrics.put("slowestSession", timed.getLast().target() + " " + timed.getLast().to());
        }
    }

    private static long p99Ns(final FixSession session) {
        return session.percentileNs(P99).orElseThrow();
    }

    private void stamps(final WireResult result) {
        final StampCounts counts = result.stamps().counts();
        metrics.put("stampedMessages", counts.messages());
        some("stampedCopies", counts.copies());
        some("stampedEchoes", counts.echoes());
        some("repeatedEchoes", counts.repeatedEchoes());
        some("warmUpMessages", counts.warmUps());
        some("controlMessages", counts.controls());
        some("otherTrials", counts.otherTrials());
        some("lateMessages", counts.late());
        some("notMeasured", counts.ignored());
        result.context()
                .log()
                .ifPresent(log -> {
                    metrics.put("applicationMessages", (long) log.size());
                    metrics.put("paired", counts.paired());
                    metrics.put("inApplicationOnly", Math.max(0, log.size() - counts.paired()));
                    some("applicationOtherReceivers", log.again());
                    some("applicationNotKept", log.notKept());
                    if (log.notKept() == 0) {
                        metrics.put("onWireOnly", counts.notPaired());
                    }
                });
        result.context()
                .offset()
                .map(ClockOffset::movedNs)
                .ifPresent(ns -> metrics.put("clockMovedNs", ns));
    }

    /** A count that is hardly ever there is shown only when it is. */
    private void some(final String name, final long count) {
        if (count > 0) {
            metrics.put(name, count);
        }
    }
}

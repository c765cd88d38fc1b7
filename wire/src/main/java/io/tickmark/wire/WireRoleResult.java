package io.tickmark.wire;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Percentiles;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.NameList;
import io.tickmark.wire.file.CaptureEnd;
import io.tickmark.wire.match.CapturedSession;
import io.tickmark.wire.match.EpochOffset;
import io.tickmark.wire.match.FixCounts;
import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.FixSide;
import io.tickmark.wire.match.StampCounts;
import io.tickmark.wire.match.StampMatcher;
import io.tickmark.wire.match.WireFigures;
import io.tickmark.wire.net.IpDecoder;
import io.tickmark.wire.tcp.TcpCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Makes a role's result of what a capture holds. */
public final class WireRoleResult {
    private static final int P99 = 99;

    private WireRoleResult() {}

    /**
     * The result.
     *
     * @param result of a capture
     * @param isAlone whether no other roles say what was sent and received
     * @return steps, metrics, warnings; a failure where the file is broken, nothing that was to be
     *     timed has a latency (of a step of stamped messages: alone, or where the offset of the
     *     clocks is not known), or the reading was interrupted; where too much of what was captured
     *     or measured has no counterpart, or the capture has lost too much, alone a failure, and a
     *     warning beside roles, which count themselves what they sent and received
     */
    public static RoleResult of(final WireResult result, final boolean isAlone) {
        final List<StepResult> steps = new WireSteps(result, isAlone).steps();
        final List<String> gaps = gaps(result);
        final List<String> warnings = new ArrayList<>(WireWarnings.of(result));
        if (!isAlone) {
            warnings.addAll(gaps);
            notTimed(steps).ifPresent(warnings::add);
        }
        return new RoleResult(
                steps,
                WireMetrics.of(result),
                List.copyOf(warnings),
                result.ending()
                        .filter(ending -> ending.kind() == CaptureEnd.Kind.BROKEN)
                        .map(ending -> result.file() + ", " + ending.sentence())
                        .or(() -> interrupted(result))
                        .or(() -> isAlone ? unmatched(result) : Optional.empty())
                        .or(() -> untimed(result))
                        .or(() -> isAlone ? gaps.stream().findFirst() : Optional.empty())
                        .or(() -> untimedStep(result, isAlone))
                        .orElse(""));
    }

    /** Of what more is missing than may be, sentences. */
    private static List<String> gaps(final WireResult result) {
        return Stream.of(
                        unmatched(result),
                        ofOverStep(result),
                        uncopied(result),
                        notCaptured(result),
                        notEchoed(result),
                        incomplete(result))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Beside other roles they are not those of the row: what these measured is as good as ever. */
    private static Optional<String> notTimed(final List<StepResult> steps) {
        final long all =
                steps.stream()
                        .mapToLong(step -> step.counts().getOrDefault(WireFigures.NOT_TIMED, 0L))
                        .sum();
        return all == 0
                ? Optional.empty()
                : Optional.of(
                        CountSentence.of(
                                "%d time{ of the capture is|s of the capture are} zero, negative or above an hour, and in no"
                                        + " figure of the wire: its time stamps are too coarse, or of another clock.",
                                all));
    }

    /** Of a part nothing is known about the rest. */
    private static Optional<String> interrupted(final WireResult result) {
        return result.ending().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "%s: the reading was interrupted after %d packets; what follows is in no figure."
                                .formatted(result.file(), result.packets().packets()));
    }

    /**
     * Why a capture lost too much to stand for what was on the wire: packets that were never
     * written, or copies in its holes.
     */
    private static Optional<String> incomplete(final WireResult result) {
        return result.comparedLog().isPresent() // it says which messages the capture lacks
                ? Optional.empty()
                : packetsLost(result).or(() -> copiesInHoles(result));
    }

    private static Optional<String> packetsLost(final WireResult result) {
        final double percent = result.settings().maxUnmatchedPercent();
        final long lost = result.dropped().orElse(0);
        final long all = result.packets().packets() + lost;
        return isMore(lost, percent, all)
                ? Optional.of(
                        String.format(
                                Locale.ROOT,
                                "%s: the capture lost %d of %d packets (%.1f %%), and which ones is unknown; that is more than "
                                        + "--max-unmatched-percent %s.",
                                result.file(),
                                lost,
                                all,
                                100.0 * lost / all,
                                text(percent)))
                : Optional.empty();
    }

    /**
     * Each message may have a copy left while most are in holes. A gateway may also make fewer
     * copies of some messages: so it is not the number of copies alone that counts.
     */
    private static Optional<String> copiesInHoles(final WireResult result) {
        final double percent = result.settings().maxUnmatchedPercent();
        final TcpCounts tcp = result.tcp().counts();
        return result.fix()
                .map(FixMatcher::counts)
                .filter(counts -> isMore(copiesMissing(counts), percent, copiesDue(counts)))
                .filter(_ -> isMore(tcp.holeBytes(), percent, tcp.payloadBytes() + tcp.holeBytes()))
                .map(counts ->
                        String.format(
                                Locale.ROOT,
                                "%s: %d of %d copies (%.1f %%) are missing, and the capture has %d holes of %d bytes in all; "
                                        + "that is more than --max-unmatched-percent %s.",
                                result.file(),
                                copiesMissing(counts),
                                copiesDue(counts),
                                100.0 * copiesMissing(counts) / copiesDue(counts),
                                tcp.holes(),
                                tcp.holeBytes(),
                                text(percent)));
    }

    private static long copiesDue(final FixCounts counts) {
        return counts.inMatched() * counts.maxCopies();
    }

    private static long copiesMissing(final FixCounts counts) {
        return Math.max(0, copiesDue(counts) - counts.matched());
    }

    private static Optional<String> unmatched(final WireResult result) {
        return result.fix()
                .map(FixMatcher::counts)
                .filter(counts ->
                        isMore(
                                counts.outUnmatched(),
                                result.settings().maxUnmatchedPercent(),
                                counts.out()))
                .map(counts ->
                        String.format(
                                Locale.ROOT,
                                "%s: %d of %d copies (%.1f %%) have no latency, as the message that each is a copy of was "
                                        + "not seen going in; that is more than --max-unmatched-percent %s.",
                                result.file(),
                                counts.outUnmatched(),
                                counts.out(),
                                100.0 * counts.outUnmatched() / counts.out(),
                                text(result.settings().maxUnmatchedPercent())));
    }

    /** A reader that has timed nothing has not passed. */
    private static Optional<String> untimed(final WireResult result) {
        return result.fix()
                .map(FixMatcher::counts)
                .filter(counts -> counts.in() + counts.out() > 0)
                .filter(_ -> timedCopies(result) == 0)
                .map(counts -> whyUntimed(counts, result.settings().skip()))
                .map(why -> "%s: %s".formatted(result.file(), why));
    }

    private static String whyUntimed(final FixCounts counts, final long skip) {
        if (counts.matched() == 0) {
            return CountSentence.of(
                    "%d message{|s} went in and none of {its|their} copies came out, so nothing was timed.",
                    counts.in());
        }
        if (counts.matched() <= counts.skipped()) {
            return "all %d copies were left out as warm-up, so nothing was timed: name a smaller SKIP than %d."
                    .formatted(counts.matched(), skip);
        }
        return "each of %d copies has the time stamp of its message, an earlier one, or one an hour later, so nothing was timed: "
                        .formatted(counts.matched() - counts.skipped())
                + "capture with finer time stamps, and with one clock.";
    }

    /**
     * The same of stamped messages, step by step. Beside other roles whose clocks' offset is known,
     * what these measured is as good as ever where times are of no use: that is a warning.
     */
    private static Optional<String> untimedStep(final WireResult result, final boolean isAlone) {
        return result.stamps().steps().entrySet().stream()
                .filter(_ -> isAlone || result.context().offset().isEmpty())
                .filter(step -> !isTimed(step.getValue()))
                .findFirst()
                .map(step -> "%s: %s".formatted(result.file(), whyUntimed(result, step.getKey())));
    }

    private static boolean isTimed(final StepRecording step) {
        return step.latencies().values().stream().anyMatch(each -> each.getTotalCount() > 0);
    }

    private static String whyUntimed(final WireResult result, final int step) {
        final StampMatcher stamps = result.stamps();
        final long messages = stamps.messages(step);
        final int bytes = stamps.payloadBytes(step);
        if (result.context().offset().isPresent()
                || stamps.withoutEcho(step) < stamps.pings(step)) {
            return ("each time of %d messages of %d bytes is zero, negative or above an hour, so nothing was timed: "
                            + "capture with finer time stamps, and with one clock.")
                    .formatted(messages, bytes);
        }
        return ("no echo of %d messages of %d bytes was captured, and how the clock of the capture relates to that of the "
                        + "stamps is not known, so nothing was timed: capture both directions of round trips; one-way times "
                        + "need 'tickmark capture', or a run with --capture.")
                .formatted(messages, bytes);
    }

    private static long timedCopies(final WireResult result) {
        return result.fix()
                .flatMap(FixMatcher::recorded)
                .map(step -> step.latencies().get(WireFigures.EACH_COPY_NS))
                .map(Histogram::getTotalCount)
                .orElse(0L);
    }

    private static Optional<String> uncopied(final WireResult result) {
        return result.fix()
                .map(FixMatcher::counts)
                .filter(counts ->
                        isMore(
                                counts.inUnmatched(),
                                result.settings().maxUncopiedPercent(),
                                counts.in()))
                .map(counts ->
                        String.format(
                                Locale.ROOT,
                                "%s: no copy of %d of %d messages (%.1f %%) was seen coming out; that is more than "
                                        + "--max-uncopied-percent %s. Where the gateway passes on only some of them, say "
                                        + "--max-uncopied-percent 100.",
                                result.file(),
                                counts.inUnmatched(),
                                counts.in(),
                                100.0 * counts.inUnmatched() / counts.in(),
                                text(result.settings().maxUncopiedPercent())));
    }

    /**
     * What the application measured was on the wire: where the capture lacks it, it is not whole.
     */
    private static Optional<String> notCaptured(final WireResult result) {
        return result.comparedLog()
                .filter(log ->
                        isMore(
                                result.inApplicationOnly(log),
                                result.settings().maxUnmatchedPercent(),
                                log.size()))
                .map(log ->
                        String.format(
                                Locale.ROOT,
                                "%s: %d of %d messages that the application measured (%.1f %%) are not in the capture; that is "
                                        + "more than --max-unmatched-percent %s.",
                                result.file(),
                                result.inApplicationOnly(log),
                                log.size(),
                                100.0 * result.inApplicationOnly(log) / log.size(),
                                text(result.settings().maxUnmatchedPercent())));
    }

    /** Beside the application's log it is known which messages came back, and which were lost. */
    private static Optional<String> notEchoed(final WireResult result) {
        final StampMatcher stamps = result.stamps();
        return stamps.steps().keySet().stream()
                .filter(step -> result.comparedLog().isEmpty())
                .filter(step ->
                        isMore(
                                stamps.withoutEcho(step),
                                result.settings().maxUncopiedPercent(),
                                stamps.pings(step)))
                .findFirst()
                .map(step ->
                        String.format(
                                Locale.ROOT,
                                "%s: no echo of %d of %d messages of %d bytes (%.1f %%) was seen, while others of their sender "
                                        + "came back; that is more than --max-uncopied-percent %s.",
                                result.file(),
                                stamps.withoutEcho(step),
                                stamps.pings(step),
                                stamps.payloadBytes(step),
                                100.0 * stamps.withoutEcho(step) / stamps.pings(step),
                                text(result.settings().maxUncopiedPercent())));
    }

    /** A later step had begun, or another test's: no figure has them. */
    private static Optional<String> ofOverStep(final WireResult result) {
        final StampCounts counts = result.stamps().counts();
        final double percent = result.settings().maxUnmatchedPercent();
        return isMore(counts.ofOverStep(), percent, counts.ofSteps())
                ? Optional.of(
                        String.format(
                                Locale.ROOT,
                                "%s: %d of %d stamped messages and echoes (%.1f %%) came when their step was over, and are in no "
                                        + "figure; that is more than --max-unmatched-percent %s. Capture tests that run at the "
                                        + "same time each by itself, with a filter.",
                                result.file(),
                                counts.ofOverStep(),
                                counts.ofSteps(),
                                100.0 * counts.ofOverStep() / counts.ofSteps(),
                                text(percent)))
                : Optional.empty();
    }

    private static boolean isMore(final long part, final double percent, final long all) {
        return 100.0 * part > percent * all;
    }

    private static String text(final double percent) {
        return percent == Math.rint(percent)
                ? Long.toString((long) percent)
                : Double.toString(percent);
    }

    /** Makes steps of a result of what a capture holds. */
    private static final class WireSteps {
        private final WireResult result;
        private final boolean isAlone;

        /**
         * {@code isAlone}: no other roles report what was sent, so it is taken from the capture.
         * What should have been received is unknown, so neither reception nor loss is reported.
         */
        WireSteps(final WireResult result, final boolean isAlone) {
            this.result = result;
            this.isAlone = isAlone;
        }

        List<StepResult> steps() {
            final List<StepResult> steps = new ArrayList<>();
            result.fix().flatMap(this::fix).ifPresent(steps::add);
            final StampMatcher stamps = result.stamps();
            stamps.steps().forEach((step, recorded) -> steps.add(stamped(stamps, step, recorded)));
            return steps;
        }

        /** What a step of the capture could not time is not what the other roles could not. */
        private Map<String, Long> counts(final StepRecording recorded) {
            final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
            if (!isAlone) {
                counts.put(WireFigures.NOT_TIMED, TrialResult.notTimed(counts));
                counts.keySet().removeIf(Counts::isNotTimed);
            }
            return counts;
        }

        private java.util.Optional<StepResult> fix(final FixMatcher fix) {
            return fix.recorded()
                    .map(recorded -> {
                        final FixCounts found = fix.counts();
                        final Map<String, Long> counts = new LinkedHashMap<>();
                        if (isAlone) {
                            counts.put(Counts.SENT, found.in());
                        }
                        counts.put(WireFigures.IN, found.in());
                        counts.put(WireFigures.OUT, found.out());
                        counts.put(WireFigures.IN_UNMATCHED, found.inUnmatched());
                        counts.put(WireFigures.OUT_UNMATCHED, found.outUnmatched());
                        counts.putAll(counts(recorded));
                        return new StepResult(
                                0,
                                "",
                                0,
                                counts,
                                Math.max(found.inDurationNs(), found.outDurationNs()),
                                0,
                                isAlone ? found.inRatePerSecond() : 0,
                                recorded.latencies(),
                                List.of());
                    });
        }

        private StepResult stamped(
                final StampMatcher stamps, final int step, final StepRecording recorded) {
            final long messages = stamps.messages(step);
            final Map<String, Long> counts = new LinkedHashMap<>();
            if (isAlone) {
                counts.put(Counts.SENT, messages);
            }
            counts.put(WireFigures.IN, messages);
            counts.put(WireFigures.OUT, stamps.pings(step) - stamps.withoutEcho(step));
            counts.put(WireFigures.IN_UNMATCHED, stamps.withoutEcho(step));
            counts.putAll(counts(recorded));
            return new StepResult(
                    step,
                    stamps.trials() == 1
                            ? ""
                            : "trial %d, %d bytes"
                                    .formatted(stamps.trial(step), stamps.payloadBytes(step)),
                    stamps.payloadBytes(step),
                    counts,
                    isAlone ? stamps.durationNs(step) : 0,
                    0,
                    0,
                    recorded.latencies(),
                    List.of());
        }
    }

    /** Sessions with enough copies for the percentile by which they are compared, fastest first. */
    private static List<CapturedSession> compared(final FixMatcher fix) {
        return fix.sessions().stream()
                .filter(session -> session.percentileNs(P99).isPresent())
                .sorted(Comparator.comparingLong(session -> p99Ns(session)))
                .toList();
    }

    private static long p99Ns(final CapturedSession session) {
        return session.percentileNs(P99).orElseThrow();
    }

    /** Sessions of copies that are compared with no other: too short, or not listed. */
    private static long notCompared(final FixMatcher fix) {
        return fix.unlistedOutSessions()
                + fix.sessions().stream()
                        .filter(session ->
                                session.recorded() > 0 && session.percentileNs(P99).isEmpty())
                        .count();
    }

    /** All counts of a capture by name, units in the names. */
    private static final class WireMetrics {
        private static final double NS_PER_SECOND = 1e9;

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
                        "fix." + side.name().toLowerCase(java.util.Locale.ROOT),
                        counts.messages(side));
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
            final List<CapturedSession> timed = compared(fix);
            metrics.put("sessionDirections", fix.sessions().size() + fix.unlistedSessions());
            metrics.put(
                    "outSessions",
                    fix.sessions().stream().filter(session -> session.recorded() > 0).count());
            if (!timed.isEmpty()) {
                metrics.put("fastestSessionP99Ns", p99Ns(timed.getFirst()));
                metrics.put("medianSessionP99Ns", p99Ns(timed.get(timed.size() / 2)));
                metrics.put("slowestSessionP99Ns", p99Ns(timed.getLast()));
                metrics.put(
                        "slowestSession", timed.getLast().target() + " " + timed.getLast().to());
            }
            some("sessionsWithoutP99", notCompared(fix));
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
            result.comparedLog()
                    .ifPresent(log -> {
                        metrics.put("applicationMessages", (long) log.size());
                        metrics.put("paired", counts.paired());
                        metrics.put("inApplicationOnly", result.inApplicationOnly(log));
                        some("applicationOtherReceivers", log.again());
                        some("applicationNotKept", log.notKept());
                        if (log.notKept() == 0) {
                            metrics.put("onWireOnly", counts.notPaired());
                        }
                    });
            result.context()
                    .offset()
                    .map(EpochOffset::movedNs)
                    .ifPresent(ns -> metrics.put("clockMovedNs", ns));
        }

        /** A count that is hardly ever there is shown only when it is. */
        private void some(final String name, final long count) {
            if (count > 0) {
                metrics.put(name, count);
            }
        }
    }

    /** What a user should keep in mind about a capture, as sentences. */
    private static final class WireWarnings {
        private static final long CLOCK_MOVED_NS = 1_000;

        /** Enough to show the user which port to name. */
        private static final int MOST_PORTS = 5;

        private final List<String> sentences = new ArrayList<>();
        private final WireResult result;

        private WireWarnings(final WireResult result) {
            this.result = result;
        }

        static List<String> of(final WireResult result) {
            final WireWarnings warnings = new WireWarnings(result);
            warnings.file();
            warnings.capture();
            warnings.fix();
            warnings.stamps();
            warnings.sentences.addAll(result.warnings());
            return List.copyOf(warnings.sentences);
        }

        private void file() {
            result.ending()
                    .filter(ending -> ending.kind() == CaptureEnd.Kind.CUT_OFF)
                    .ifPresent(ending -> say("%s: %s", result.file(), ending.sentence()));
            if (result.packets().unknownLink() > 0) {
                count(
                        "%d packet{ has|s have} link type %d, which is not supported.",
                        result.packets().unknownLink(), result.packets().unknownLinkType());
            }
        }

        private void capture() {
            if (result.dropped().isEmpty() && result.packets().packets() > 0) {
                say(
                        "How many packets the capture lost is not known, so what it lacks may have been on the wire; "
                                + "'tickmark capture' and runs with --capture keep it.");
            }
            result.dropped().stream()
                    .filter(count -> count > 0)
                    .forEach(count ->
                            count(
                                    "The capture lost %d packet{|s}: give it a larger buffer (--buffer-mib), or reduce the load"
                                            + " on the machine.",
                                    count));
            if (result.packets().truncated() > 0) {
                count(
                        "%d packet{ is|s are} truncated: capture with snap length 0 (tcpdump -s 0), or messages in"
                                + " {it|them} are lost.",
                        result.packets().truncated());
            }
            final TcpCounts tcp = result.tcp().counts();
            final long malformed = result.packets().malformed() + tcp.malformed();
            if (malformed > 0) {
                count(
                        "%d packet{ has|s have} headers that are truncated or invalid; what {it carries|they carry} is ignored.",
                        malformed);
            }
            if (result.packets().incompleteDatagrams() > 0) {
                count(
                        "%d datagram{ is|s are} missing a fragment, and {is|are} ignored.",
                        result.packets().incompleteDatagrams());
            }
            if (result.tcp().forgotten() > 0) {
                count(
                        "%d direction{ of a connection was|s of connections were} forgotten, because there were more"
                                + " than are kept; what {it|they} carried later is read as new.",
                        result.tcp().forgotten());
            }
            if (tcp.holes() > 0) {
                count(
                        "The capture has %d gap{|s}, %d bytes in all; messages in {it|them} count neither as in nor as"
                                + " out.",
                        tcp.holes(), tcp.holeBytes());
            }
        }

        private void fix() {
            if (result.fix().isEmpty() || result.fix().get().counts().in() == 0) {
                elsewhere();
            }
            if (result.fix().isEmpty()) {
                return;
            }
            final FixMatcher fix = result.fix().get();
            if (notCompared(fix) > 0 && !compared(fix).isEmpty()) {
                count(
                        "%d session{ has|s have} no 99th percentile, as fewer than 1,000 of {its|their} copies were timed or"
                                + " too many sessions came before: {it|they} may be slower than slowestSession.",
                        notCompared(fix));
            }
            final FixCounts counts = fix.counts();
            if (counts.outUnmatched() > 0) {
                count(
                        "%d cop{y|ies} came out whose message was not seen going in: {it is|they are} counted and"
                                + " {has|have} no latency.",
                        counts.outUnmatched());
            }
            if (counts.ambiguous() > 0) {
                count(
                        "%d message{|s} had the same identity as an earlier one; {its|their} copies were timed from the newest."
                                + " Name a tag that identifies them (--id-tags).",
                        counts.ambiguous());
            }
            if (counts.garbled() > 0) {
                count(
                        "%d message{ is|s are} garbled, the first %s.",
                        counts.garbled(), counts.firstGarbled());
            }
            if (counts.cut() > 0) {
                count(
                        "%d message{ is|s are} only partly in the capture, and {was|were} not measured.",
                        counts.cut());
            }
            if (counts.ignored() > 0) {
                count(
                        "%d FIX message{ was|s were} not measured, because stamped messages were seen first; use --decode fix.",
                        counts.ignored());
            }
        }

        private void elsewhere() {
            if (!result.fixPortsElsewhere().isEmpty()) {
                say(
                        "FIX was seen on port %s: name the gateway's ports with --in-port and --out-port.",
                        NameList.of(
                                result.fixPortsElsewhere().stream().map(String::valueOf).toList(),
                                MOST_PORTS));
            }
        }

        private void stamps() {
            final StampCounts counts = result.stamps().counts();
            if (counts.ignored() > 0) {
                count(
                        "%d stamped message{ was|s were} not measured, because FIX was seen first; use --decode stamped.",
                        counts.ignored());
            }
            if (counts.unproven() > 0) {
                count(
                        "%d message{ of less than 32 bytes looks|s of less than 32 bytes look} stamped, but {is|are}"
                                + " too short to tell for sure; if {it is|they are}, say --decode stamped to have {it|them}"
                                + " measured.",
                        counts.unproven());
            }
            if (counts.late() > 0) {
                count(
                        "%d stamped message{|s} arrived after {its|their} step was over, or followed a gap, and"
                                + " {was|were} not timed as others.",
                        counts.late());
            }
            if (counts.messages() == 0) {
                return;
            }
            if (result.context().offset().isEmpty()) {
                say(
                        "How the clock of the capture relates to that of the stamps is not known, so one-way times are not "
                                + "reported; 'tickmark capture' and runs with --capture keep it.");
            }
            result.context()
                    .log()
                    .filter(log -> log.notKept() > 0)
                    .ifPresent(log ->
                            say(
                                    "The application's log holds more than the %d messages that are matched; %d times of it"
                                            + " were not looked at, so which messages were on the wire only is not known.",
                                    log.size(), log.notKept()));
            result.context()
                    .offset()
                    .map(EpochOffset::movedNs)
                    .filter(ns -> ns > CLOCK_MOVED_NS)
                    .ifPresent(ns ->
                            say(
                                    "The wall clock moved by %d ns against the monotonic one during the capture; one-way "
                                            + "times are uncertain by that much.",
                                    ns));
        }

        private void say(final String sentence, final Object... values) {
            sentences.add(String.format(Locale.ROOT, sentence, values));
        }

        private void count(final String sentence, final long count, final Object... further) {
            sentences.add(CountSentence.of(sentence, count, further));
        }
    }
}

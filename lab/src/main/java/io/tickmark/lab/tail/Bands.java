package io.tickmark.lab.tail;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Band;
import io.tickmark.kernel.result.TailSummary.Charge;
import io.tickmark.kernel.result.TailSummary.Stages;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Attribution.StallPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Sums the causes of delays by bands of percentiles, and computes figures without disturbed
 * messages.
 */
final class Bands {
    private static final double[] EDGES = {50, 90, 99, 99.9, 100};

    /** Messages of a band. */
    static final int FEWEST = 10;

    private static final double MOST_LEFT_OUT = 0.10;
    static final double MOST_USED = 0.80;

    /** Why there are no undisturbed figures, a clause. */
    static final String BUSY = "the sender was busy for more than 80 % of the time";

    /** Queues shorter than this are empty. */
    private static final long EMPTY_NS = 1_000;

    private final Delayed[] byLatency;
    private final Delayed[][] byReceiver;

    /** The messages of each receiver in order, or of parts of it between which some are missing. */
    Bands(final Delayed[]... byReceiver) {
        this.byReceiver = byReceiver;
        byLatency = Arrays.stream(byReceiver).flatMap(Arrays::stream).toArray(Delayed[]::new);
        Arrays.sort(byLatency, Comparator.comparingLong(each -> each.message().latencyNs()));
    }

    long medianNs() {
        return byLatency.length == 0
                ? 0
                : byLatency[(byLatency.length - 1) / 2].message().latencyNs();
    }

    /**
     * Messages between two percentiles.
     *
     * @param from the first of them in the order of latency
     * @param to behind the last
     */
    private record Range(double low, double high, int from, int to) {}

    /**
     * All messages above a percentile. Where too few are above the next edge to be a band of their
     * own, the band goes on to the slowest: these are what a reader asks for first.
     */
    private List<Range> rangesAbove(final double percentile) {
        final List<Range> ranges = new ArrayList<>();
        double low = percentile;
        int from = upTo(low);
        for (final double edge : EDGES) {
            if (edge <= low) {
                continue;
            }
            final boolean isLast = byLatency.length - upTo(edge) < FEWEST;
            final double high = isLast ? 100 : edge;
            final int to = upTo(high);
            if (to - from >= FEWEST) {
                ranges.add(new Range(low, high, from, to));
                low = high;
                from = to;
            }
            if (isLast) {
                break;
            }
        }
        return ranges;
    }

    /** How many messages are not above a percentile. */
    private int upTo(final double percentile) {
        return (int) Math.ceil(byLatency.length * percentile / 100);
    }

    /** From the median up. */
    List<Band> bands() {
        return rangesAbove(50).stream().map(this::band).toList();
    }

    /** From the fastest message up. */
    List<Stages> stages() {
        return rangesAbove(0).stream().map(this::stages).toList();
    }

    private Stages stages(final Range range) {
        long known = 0;
        long notDeparted = 0;
        long notArrived = 0;
        long untilSentNs = 0;
        long inSendNs = 0;
        long onTheWayNs = 0;
        long untilReceivedNs = 0;
        TailSummary.AtEcho atEcho = TailSummary.AtEcho.UNKNOWN;
        long queued = 0;
        long queuedNs = 0;
        long carded = 0;
        long cardNs = 0;
        for (int i = range.from(); i < range.to(); i++) {
            final Attribution.Message message = byLatency[i].message();
            if (message.hasKernelTimes()) {
                known++;
                untilSentNs += message.sentNs() - message.intendedNs();
                inSendNs += message.departedNs() - message.sentNs();
                onTheWayNs += message.arrivedNs() - message.departedNs();
                untilReceivedNs += message.receivedNs() - message.arrivedNs();
                atEcho = message.hasEchoTimes() ? with(atEcho, message) : atEcho;
                if (message.hasQueueTime()) {
                    queued++;
                    queuedNs += message.departedNs() - message.queuedNs();
                }
                if (message.hasCardTimes()) {
                    carded++;
                    cardNs += message.arrivedNs() - message.departedNs() - message.onCardNs();
                }
            } else if (message.departedNs() == 0) {
                notDeparted++;
            } else if (message.arrivedNs() == 0) {
                notArrived++;
            }
        }
        return new Stages(
                range.low(),
                range.high(),
                known,
                range.to() - range.from() - known,
                notDeparted,
                notArrived,
                untilSentNs,
                inSendNs,
                onTheWayNs,
                untilReceivedNs,
                atEcho,
                new TailSummary.Part(queued, queuedNs),
                new TailSummary.Part(carded, cardNs));
    }

    private static TailSummary.AtEcho with(
            final TailSummary.AtEcho sum, final Attribution.Message message) {
        final Attribution.AtEcho at = message.atEcho();
        return new TailSummary.AtEcho(
                sum.messages() + 1,
                sum.toEchoNs() + at.arrivedNs() - message.departedNs(),
                sum.untilTakenNs() + at.takenNs() - at.arrivedNs(),
                sum.untilEchoedNs() + at.departedNs() - at.takenNs(),
                sum.fromEchoNs() + message.arrivedNs() - at.departedNs());
    }

    /** What the messages of a band were charged with, first by stall, then by cause. */
    private static final class Charges {
        private static final Cause[] CAUSES = Cause.values();

        /** By stall, as itself and as the root of a queue. */
        private final Map<Stall, long[]> byStall = new IdentityHashMap<>();

        void add(final Stall stall, final long ns, final boolean backlog) {
            if (ns > 0) {
                byStall.computeIfAbsent(stall, any -> new long[2])[backlog ? 1 : 0] += ns;
            }
        }

        /** The most first. */
        List<Charge> byCause() {
            final long[][] sums = new long[2][CAUSES.length];
            byStall.forEach((stall, ns) -> {
                split(stall, ns[0], sums[0]);
                split(stall, ns[1], sums[1]);
            });
            final List<Charge> charges = new ArrayList<>();
            for (final Cause cause : CAUSES) {
                for (int backlog = 0; backlog < sums.length; backlog++) {
                    final long ns = sums[backlog][cause.ordinal()];
                    if (ns > 0) {
                        charges.add(
                                new Charge(
                                        cause.owner(),
                                        cause.words(),
                                        cause.evidence(),
                                        backlog == 1,
                                        ns));
                    }
                }
            }
            charges.sort(
                    Comparator.comparingLong(Charge::ns).reversed().thenComparing(Charge::cause));
            return charges;
        }

        /** In proportion to its causes, exact to the ns. */
        private static void split(final Stall stall, final long ns, final long[] sums) {
            long left = ns;
            long of = stall.endNs() - stall.beginNs();
            for (final Cause cause : CAUSES) {
                final long share = stall.causes().getOrDefault(cause, 0L);
                final long part = part(left, share, of);
                sums[cause.ordinal()] += part;
                left -= part;
                of -= share;
            }
        }
    }

    private Band band(final Range range) {
        final long medianNs = medianNs();
        final Charges charges = new Charges();
        long aboveNs = 0;
        long chargedNs = 0;
        for (int i = range.from(); i < range.to(); i++) {
            final Delayed each = byLatency[i];
            final long above = each.message().latencyNs() - medianNs;
            final long charged = Math.clamp(each.chargedNs(), 0, above);
            aboveNs += above;
            chargedNs += charged;
            split(each, charged, charges);
        }
        return new Band(
                range.low(),
                range.high(),
                range.to() - range.from(),
                aboveNs,
                charges.byCause(),
                aboveNs - chargedNs);
    }

    /** Divides the charged part of a message in proportion to its charges, exact to the ns. */
    private static void split(final Delayed each, final long chargedNs, final Charges charges) {
        long left = chargedNs;
        long of = each.chargedNs();
        for (int station = 0; station < each.direct().length; station++) {
            final long part = part(left, each.direct()[station], of);
            split(each.stalls()[station], part, charges);
            left -= part;
            of -= each.direct()[station];
        }
        charges.add(each.root(), left, true);
    }

    /** Divides what stalls of one thread delayed, as much as each of them did. */
    private static void split(final StallPart[] stalls, final long ns, final Charges charges) {
        long left = ns;
        long of = 0;
        for (final StallPart stall : stalls) {
            of += stall.ns();
        }
        for (final StallPart stall : stalls) {
            final long part = part(left, stall.ns(), of);
            charges.add(stall.stall(), part, false);
            left -= part;
            of -= stall.ns();
        }
    }

    private static long part(final long of, final long share, final long whole) {
        return whole <= 0 ? 0 : Math.min(of, Math.round((double) of * share / whole));
    }

    /** Without messages due while the machine disturbed, or while its queue was not empty. */
    Undisturbed undisturbed(final List<Stall> stalls, final List<String> refusals) {
        final List<Stall> machine =
                stalls.stream()
                        .filter(Stall::isTheMachines)
                        .sorted(Comparator.comparingLong(Stall::beginNs))
                        .toList();
        final long reachNs =
                medianNs(); // a message that was due this long before is still in transit
        final Histogram kept = new Histogram(3);
        for (final Delayed[] received : byReceiver) {
            keepUndisturbed(byIntended(received), machine, reachNs, kept);
        }
        final double part = 1 - (double) kept.getTotalCount() / byLatency.length;
        final List<String> why = new ArrayList<>(refusals);
        if (part > MOST_LEFT_OUT) {
            why.add("%.1f %% of the messages would be left out".formatted(100 * part));
        }
        if (usedPart() > MOST_USED) {
            why.add(BUSY);
        } else if (drainedPart() > MOST_USED) {
            why.add(
                    "queues were worked off so slowly that a thread behind the sender was busy for more than 80 % of"
                            + " the time");
        }
        return why.isEmpty() && kept.getTotalCount() > 0
                ? new Undisturbed(part, "", LatencySummary.of(kept))
                : new Undisturbed(
                        part, why.isEmpty() ? "no message is left" : String.join("; ", why), null);
    }

    /**
     * In the order of their intended times. A slow message that others overtook is received among
     * later ones; taken in that order it would be left out because it was slow.
     */
    private static Delayed[] byIntended(final Delayed[] received) {
        final Delayed[] sorted = received.clone();
        Arrays.sort(sorted, Comparator.comparingLong(each -> each.message().intendedNs()));
        return sorted;
    }

    private static void keepUndisturbed(
            final Delayed[] intended,
            final List<Stall> machine,
            final long reachNs,
            final Histogram kept) {
        long untilNs = Long.MIN_VALUE;
        boolean queued = false;
        int next = 0;
        for (final Delayed each : intended) {
            final long wanted = each.message().intendedNs();
            while (next < machine.size() && machine.get(next).beginNs() - reachNs <= wanted) {
                untilNs = Math.max(untilNs, machine.get(next++).endNs());
            }
            final boolean isInside = wanted < untilNs;
            // follows the replayed queue, never the measured latency
            queued = isInside || queued && behindTheMachineNs(each) > EMPTY_NS;
            if (!queued) {
                kept.recordValue(Math.max(1, each.message().latencyNs()));
            }
        }
    }

    /** How long the machine's stalls, and the queues behind them, delayed a message. */
    private static long behindTheMachineNs(final Delayed each) {
        long ns = each.root() != null && each.root().isTheMachines() ? each.backlogNs() : 0;
        for (int station = 0; station < each.direct().length; station++) {
            final StallPart[] stalls = each.stalls()[station];
            ns +=
                    stalls.length > 0 && stalls[0].stall().isTheMachines()
                            ? each.direct()[station]
                            : 0;
        }
        return ns;
    }

    /**
     * The part of the time that the sender needed to send, without stalls; too low where messages
     * between those that are kept are missing.
     */
    private double usedPart() {
        long busyNs = 0;
        long spanNs = 0;
        for (final Delayed[] received : byReceiver) {
            final Delayed[] intended = byIntended(received);
            for (int i = 1; i < intended.length; i++) {
                final Attribution.Message before = intended[i - 1].message();
                final Attribution.Message message = intended[i].message();
                if (message.intendedNs() != message.sentNs()) {
                    spanNs += message.intendedNs() - before.intendedNs();
                    busyNs +=
                            Math.max(
                                    0,
                                    message.sentNs()
                                            - Math.max(message.intendedNs(), before.sentNs())
                                            - intended[i].direct()[0]);
                }
            }
        }
        return spanNs <= 0 ? 0 : (double) busyNs / spanNs;
    }

    /**
     * The part of the time that the slowest thread on the way needed, as the queues behind stalls
     * show: while one is worked off, a message comes whenever that thread is done with the one
     * before. 0 where there were too few such messages.
     */
    private double drainedPart() {
        long gapsNs = 0;
        long intervalsNs = 0;
        long messages = 0;
        for (final Delayed[] received : byReceiver) {
            for (int i = 1; i < received.length; i++) {
                final Attribution.Message before = received[i - 1].message();
                final Attribution.Message message = received[i].message();
                if (isQueued(received[i - 1]) && isQueued(received[i])) {
                    messages++;
                    gapsNs += Math.max(0, message.receivedNs() - before.receivedNs());
                    // less than 0 behind a message that was overtaken: the sum is the whole span
                    intervalsNs += message.intendedNs() - before.intendedNs();
                }
            }
        }
        return messages < FEWEST || intervalsNs <= 0 ? 0 : (double) gapsNs / intervalsNs;
    }

    /** Behind messages that a stall had delayed, and in no stall itself. */
    private static boolean isQueued(final Delayed each) {
        return each.backlogNs() > EMPTY_NS && Arrays.stream(each.direct()).sum() == 0;
    }
}

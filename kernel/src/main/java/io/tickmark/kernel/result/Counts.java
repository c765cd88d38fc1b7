package io.tickmark.kernel.result;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Names of the counts that a {@link StepResult} may hold; the same in JSON, CSV and report. */
public final class Counts {
    /** Messages sent, without warm-up. */
    public static final String SENT = "sent";

    /**
     * Messages that should be received, summed over receivers; reported by roles that do not send
     * every message to every receiver. Where no role reports it, it is sent x subscribers, less
     * {@code notAskedFor}.
     */
    public static final String EXPECTED = "expected";

    /**
     * Messages of topics that subscribers do not ask for, summed over subscribers, which are not
     * expected there; of one subscriber as in {@code stream-sub-2.notAskedFor}. Only in a plan,
     * where the publisher knows what each of them asks for.
     */
    public static final String NOT_ASKED_FOR = "notAskedFor";

    /**
     * Of the sent messages, those that something between sender and receivers copies to each of the
     * {@code fullReceivers}; reported by roles whose other messages are for nobody.
     */
    public static final String FANNED_OUT = "fannedOut";

    /**
     * Receivers of a role that should each receive every message of {@code fannedOut}. Where both
     * are reported, at least their product is expected, even if the receivers know of fewer.
     */
    public static final String FULL_RECEIVERS = "fullReceivers";

    /** Messages received, without duplicates. */
    public static final String RECEIVED = "received";

    /** Clients that never received a message, though the feed had some for them. */
    public static final String SILENT_CLIENTS = "silentClients";

    /** Messages missing at the receiver once all were sent: head, middle and tail. */
    public static final String LOST = "lost";

    /**
     * Messages numbered but deliberately not sent by a publisher, as its settings say; each
     * receiver misses them.
     */
    public static final String LOST_ON_PURPOSE = "artificiallyLost";

    /**
     * Missing messages that subscribers reported to the publisher when they acknowledged its end;
     * used for the publisher's verdict when it is started by hand. Where the subscribers' own
     * results are available, those count.
     */
    public static final String LOST_AT_SUBSCRIBERS = "lostAtSubscribers";

    /**
     * Subscribers that did not acknowledge the end of the step to the publisher, so that it does
     * not know what they received. Where the subscribers' own results are available, those count.
     */
    public static final String NOT_CONFIRMED = "subscribersNotConfirmed";

    /** Of the lost: before the first one received. */
    public static final String LOST_HEAD = "lostHead";

    /** Of the lost: after the last one received. */
    public static final String LOST_TAIL = "lostTail";

    /** Messages received more than once; of round trips also echoes, each of which counts. */
    public static final String DUPLICATED = "duplicated";

    /** Messages received after one with a higher sequence. */
    public static final String REORDERED = "reordered";

    /** Messages whose checksum was wrong. */
    public static final String CORRUPTED = "corrupted";

    /** Messages of another trial or step, or foreign ones; not counted as received. */
    public static final String STALE = "stale";

    /** Most messages sent in a row without waiting for the schedule. */
    public static final String MAX_TIGHT_SENDS = "maxTightSends";

    /** Largest delay of a send behind its intended time, ns. */
    public static final String MAX_LAG_NS = "maxLagNs";

    /** How far the sender is behind its schedule now, ns; reported once a second, not a count. */
    public static final String LAG_NS = "lagNs";

    /**
     * Longest time for which a watched thread was stalled in the last second, in all its stalls,
     * ns; reported once a second, not a count.
     */
    public static final String STALLED_NS = "stalledNs";

    /** Of {@code stalledNs}, the time in which that thread was ready and waited for a core, ns. */
    public static final String STALLED_WAITING_NS = "stalledWaitingNs";

    /**
     * Of {@code stalledNs}, the time off its core without waiting for one, ns: its JVM held it, a
     * signal stopped it, or it waited for a disk.
     */
    public static final String STALLED_OFF_CORE_NS = "stalledOffCoreNs";

    /**
     * Of {@code stalledNs}, the time on its core but not in its loop, ns: an interrupt, a page
     * fault, the hypervisor.
     */
    public static final String STALLED_ON_CORE_NS = "stalledOnCoreNs";

    /** What {@code stalledNs} consists of. */
    public static final Set<String> PARTS_OF_STALL =
            Set.of(STALLED_WAITING_NS, STALLED_OFF_CORE_NS, STALLED_ON_CORE_NS);

    /** Offers refused because of back-pressure. */
    public static final String BACK_PRESSURED = "backPressured";

    /**
     * Messages of an application that the sent ones represent, where one holds several; derived
     * from the settings, not measured.
     */
    public static final String APPLICATION_MESSAGES = "applicationMessages";

    /**
     * Bytes that the sent messages occupy on the network: headers, Ethernet frames and the gaps
     * between those included, a copy for each receiver in unicast.
     */
    public static final String WIRE_BYTES = "wireBytes";

    /** Ethernet frames of the sent messages, including fragments. */
    public static final String WIRE_FRAMES = "wireFrames";

    /** Pings whose echo did not arrive in time. */
    public static final String TIMED_OUT = "timedOut";

    /**
     * Latencies of zero or less, which cannot be correct, of all kinds together; of one kind where
     * there are any, as in {@code responseNs.latencyNotPositive}.
     */
    public static final String NOT_POSITIVE = "latencyNotPositive";

    /**
     * Latencies above the histogram's range, of all kinds together; of one kind where there are
     * any, as in {@code responseNs.latencyOutOfRange}.
     */
    public static final String OUT_OF_RANGE = "latencyOutOfRange";

    /**
     * Pings without a service time, as it was no longer known when they were sent once their echo
     * came: more were in flight than send times are kept for.
     */
    public static final String SEND_TIME_NOT_KEPT = "sendTimeNotKept";

    /** Latencies missing in the log of each latency, because its ring or its disk was full. */
    public static final String NOT_LOGGED = "latencyNotLogged";

    /** Messages that the store has reported as stable: it must not lose them any more. */
    public static final String ACKNOWLEDGED = "acknowledged";

    /** Messages found when the store was read back from disk, each once. */
    public static final String STORED = "stored";

    /**
     * Acknowledged messages that were not found when the store was read back; there must not be
     * any.
     */
    public static final String NOT_FOUND = "acknowledgedNotFound";

    /**
     * Acknowledged messages of which it is unknown whether the store has them, because it could not
     * be read back, or not completely; counted neither as found nor as lost.
     */
    public static final String NOT_VERIFIED = "acknowledgedNotVerified";

    /** Messages that had to wait because as many as allowed were not stable yet. */
    public static final String WOULD_BLOCK = "wouldBlock";

    /** Most messages of one topic that were sent and not stable yet. */
    public static final String MAX_FLIGHT_SIZE = "maxFlightSize";

    /**
     * Longest time for which messages were in flight, or the store was lost, and none became
     * stable, ns.
     */
    public static final String MAX_STABLE_GAP_NS = "maxStableGapNs";

    /** Planned faults after which a message was delivered again, through a store stable again. */
    public static final String RECOVERED = "recovered";

    /**
     * Planned faults after which at least one receiver got no more messages, or none on one of its
     * streams.
     */
    public static final String NOT_RECOVERED = "notRecovered";

    /**
     * Longest time to recover from a planned fault, ns: from the fault until of each stream of each
     * receiver the first message that was due after it was delivered, through a store stable;
     * without faults after which no message was due for most of that time.
     */
    public static final String MAX_RECOVERY_NS = "maxRecoveryNs";

    /** Subscribers that a publisher accepted before it sent. */
    public static final String COUNTED_IN = "countedIn";

    /** Messages sent again because the store was lost before they were stable. */
    public static final String RESENT = "resent";

    private Counts() {}

    /**
     * Adds a count to those of other roles, or of other parts of a role: a maximum stays the
     * largest, others are summed.
     *
     * @param counts by name
     * @param name of the count
     * @param count of the other
     */
    public static void merge(final Map<String, Long> counts, final String name, final long count) {
        counts.merge(name, count, isMaximum(name) ? Math::max : Math::addExact);
    }

    /**
     * Whether the largest of several roles is that of the step: its name says so.
     *
     * @param name of a count, which a role may report without any that is named here
     * @return true for those that begin with {@code max}, and for {@link #COUNTED_IN}; false where
     *     they are summed
     */
    public static boolean isMaximum(final String name) {
        final String count = name.substring(name.lastIndexOf('.') + 1);
        return count.startsWith("max") || count.equals(COUNTED_IN);
    }

    /**
     * Name of the part of a count that is of one latency, or of one role.
     *
     * @param whose name of the latency or role
     * @param count {@link #NOT_POSITIVE} for example
     * @return the name, as in {@code responseNs.latencyNotPositive}
     */
    public static String of(final String whose, final String count) {
        return whose + '.' + count;
    }

    /**
     * Whether a count is of latencies that are in no histogram, be it of all kinds or of one.
     *
     * @param name of a count
     * @return true for {@link #NOT_POSITIVE} and {@link #OUT_OF_RANGE}
     */
    public static boolean isNotTimed(final String name) {
        final String count = name.substring(name.lastIndexOf('.') + 1);
        return count.equals(NOT_POSITIVE) || count.equals(OUT_OF_RANGE);
    }

    /**
     * The counts that every role reports which sends at a rate.
     *
     * @param sent {@link #SENT}
     * @param maxTightSends {@link #MAX_TIGHT_SENDS}
     * @param maxLagNs {@link #MAX_LAG_NS}
     * @param backPressured {@link #BACK_PRESSURED}
     * @return by name, a new map
     */
    public static Map<String, Long> ofSender(
            final long sent,
            final long maxTightSends,
            final long maxLagNs,
            final long backPressured) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(SENT, sent);
        counts.put(MAX_TIGHT_SENDS, maxTightSends);
        counts.put(MAX_LAG_NS, maxLagNs);
        counts.put(BACK_PRESSURED, backPressured);
        return counts;
    }
}

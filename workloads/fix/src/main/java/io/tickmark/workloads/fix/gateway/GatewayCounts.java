package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The counts of gateways, by the names that they have in JSON, CSV and report, and what the user is
 * warned of. Those that an instance of our own engine shows are written before they are shown; any
 * thread reads them.
 *
 * @param gatewayIn application messages taken from producers
 * @param unmarked of these, those that were not to fan out
 * @param gatewayOut copies given to consumers
 * @param dropped copies dropped for slow consumers
 * @param conflated copies overtaken by newer ones of their symbol, for slow consumers
 * @param leftOut those dropped and conflated together
 * @param cutOff consumers cut off because they were slow
 * @param garbled messages that were not FIX
 * @param askedAgain messages found missing, and requested again
 * @param rejectsSent messages that were rejected (35=3 or 35=j), of producers and consumers
 * @param notTaken messages of the application from consumers that were neither accepted nor
 *     rejected
 * @param keptForAbsent messages kept for consumers that were away, or were still receiving what
 *     they had missed
 * @param keptNotFetched of these, those that were not sent to them by the end
 * @param notKeptForAbsent messages for them that only used a number: a request for them is answered
 *     with a gap fill
 * @param notLoggedOn connections that ended before they were logged on
 * @param crowdedOut of these, those that were closed because there were too many
 * @param endedWithoutLogout sessions that ended otherwise than by a Logout, including those that
 *     were disconnected
 * @param acceptFailures how often a connection could not be accepted, for example for lack of file
 *     handles
 * @param engineErrors errors that a third-party engine only writes to its log
 * @param refusedByEngine how often a third-party engine had no room for a message, which was
 *     offered again
 * @param unseen what was left out where consumers ask for symbols
 */
public record GatewayCounts(
        @Column(count = "gatewayIn") Counter gatewayIn,
        @Column(count = "unmarked") Counter unmarked,
        @Column(count = "gatewayOut") Counter gatewayOut,
        @Column(count = "dropped") Counter dropped,
        @Column(count = "conflated") Counter conflated,
        @Column(
                        warning =
                                "The gateway left out %d message{|s} for slow consumers (dropped, conflated).")
                Counter leftOut,
        @Column(
                        count = "cutOff",
                        warning =
                                "%d consumer{ was|s were} cut off because {it was|they were} slow.")
                Counter cutOff,
        @Column(count = "garbled", warning = "%d message{ was|s were} garbled and skipped.")
                Counter garbled,
        @Column(count = "askedAgain") Counter askedAgain,
        @Column(
                        count = "rejectsSent",
                        warning = "%d message{ was|s were} rejected and reached no consumer.")
                Counter rejectsSent,
        @Column(
                        count = "notTaken",
                        group = THIRD_PARTY,
                        warning =
                                "%d message{ of a consumer was|s of consumers were} neither accepted nor rejected.")
                Counter notTaken,
        @Column(count = "keptForAbsent") Counter keptForAbsent,
        @Column(
                        count = "keptNotFetched",
                        warning =
                                "%d message{ that was kept for a consumer that was|s that were kept for consumers that were}"
                                        + " away had not been fetched by the end.")
                Counter keptNotFetched,
        @Column(
                        count = "notKeptForAbsent",
                        warning =
                                "%d message{|s} for consumers that were away {was|were} numbered but not kept: a consumer"
                                        + " that asks for {it|them} gets a gap fill (--away-bytes, --store-bytes).")
                Counter notKeptForAbsent,
        @Column(
                        count = "notLoggedOn",
                        warning = "%d connection{|s} ended before {it was|they were} logged on.")
                Counter notLoggedOn,
        @Column(
                        count = "crowdedOut",
                        warning =
                                "%d connection{ was|s were} closed before the Logon, as more waited than --most-waiting"
                                        + " allows.")
                Counter crowdedOut,
        @Column(
                        count = "endedWithoutLogout",
                        warning =
                                "%d session{|s} ended without a Logout: the last messages sent to {it|them} may not have"
                                        + " arrived.")
                Counter endedWithoutLogout,
        @Column(
                        count = "acceptFailures",
                        warning =
                                "%d time{|s} a connection could not be accepted, such as for lack of file handles"
                                        + " (ulimit -n): clients that connected waited meanwhile.")
                Counter acceptFailures,
        @Column(
                        count = "engineErrors",
                        group = THIRD_PARTY,
                        warning =
                                "The engine wrote %d error{|s} to its log, which is not kept: {a message|messages} may not"
                                        + " have been handled.")
                Counter engineErrors,
        @Column(count = "refusedByEngine", group = THIRD_PARTY) Counter refusedByEngine,
        @Column(
                        warning =
                                "Consumers that asked for symbols cannot see what was left out:"
                                        + " it is not among what they expected and lost.")
                Counter unseen) {
    static final Columns<GatewayCounts> COLUMNS = Columns.of(GatewayCounts.class);

    /** What our own engine has no need to count. */
    private static final String THIRD_PARTY = "thirdParty";

    private static final GatewayCounts NAMED = COLUMNS.zero();

    /** The counts of an engine that has only some of them: a result says nothing of the others. */
    public static final class Known {
        private final Map<String, Long> byName = new LinkedHashMap<>();

        /** None yet. */
        public Known() {}

        /**
         * Adds one.
         *
         * @param count which
         * @param value so far
         * @return this
         */
        public Known add(final Function<GatewayCounts, Counter> count, final long value) {
            byName.put(count.apply(NAMED).name(), value);
            return this;
        }

        /**
         * All that were added.
         *
         * @return by name
         */
        public Map<String, Long> byName() {
            return byName;
        }
    }

    /**
     * Messages dropped, refused or cut off: for a gateway run alone there is no other report. A
     * message is dropped before it has a number: subscribers by symbol cannot detect it, others
     * can.
     */
    static List<String> warnings(
            final Map<String, Long> byName, final boolean keeps, final boolean isBySymbol) {
        final GatewayCounts counts = COLUMNS.read(byName);
        counts.leftOut().set(counts.dropped().get() + counts.conflated().get());
        if (!keeps) {
            counts.notKeptForAbsent().set(0);
        }
        if (isBySymbol) {
            counts.unseen().set(counts.leftOut().get());
        }
        return COLUMNS.warnings(counts);
    }
}

package io.tickmark.workloads.fix.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The counts of gateways: their names, the same in JSON, CSV and report, and what the user is
 * warned of.
 */
public final class GatewayCounts {
    /** Application messages taken from producers. */
    public static final String IN = "gatewayIn";

    /** Of these, those that were not to fan out. */
    public static final String UNMARKED = "unmarked";

    /** Copies given to consumers. */
    public static final String OUT = "gatewayOut";

    /** Copies dropped for slow consumers. */
    public static final String DROPPED = "dropped";

    /** Copies overtaken by newer ones of their symbol, for slow consumers. */
    public static final String CONFLATED = "conflated";

    /** Consumers cut off because they were slow. */
    public static final String CUT_OFF = "cutOff";

    /** Messages that were not FIX. */
    public static final String GARBLED = "garbled";

    /** Messages found missing, and requested again. */
    public static final String ASKED_AGAIN = "askedAgain";

    /** Messages that were rejected (35=3 or 35=j), of producers and consumers. */
    public static final String REJECTS_SENT = "rejectsSent";

    /** Messages kept for consumers that were away, or were still receiving what they had missed. */
    public static final String KEPT = "keptForAbsent";

    /** Of these, those that were not sent to them by the end. */
    public static final String KEPT_NOT_FETCHED = "keptNotFetched";

    /**
     * Messages for them that only used a number: a request for them is answered with a gap fill.
     */
    public static final String NOT_KEPT = "notKeptForAbsent";

    /** Connections that ended before they were logged on. */
    public static final String NOT_LOGGED_ON = "notLoggedOn";

    /** Of these, those that were closed because there were too many. */
    public static final String CROWDED_OUT = "crowdedOut";

    /** Sessions that ended otherwise than by a Logout, including those that were disconnected. */
    public static final String ENDED_WITHOUT_LOGOUT = "endedWithoutLogout";

    /** Messages of the application from consumers that were neither accepted nor rejected. */
    public static final String NOT_TAKEN = "notTaken";

    /** How often a connection could not be accepted, for example for lack of file handles. */
    public static final String ACCEPT_FAILURES = "acceptFailures";

    /** Errors that a third-party engine only writes to its log. */
    public static final String ENGINE_ERRORS = "engineErrors";

    /** The message about a count, or a sum of several, that is not zero. */
    private record Caution(List<String> counts, String one, String more) {
        Caution(final String count, final String one, final String more) {
            this(List.of(count), one, more);
        }
    }

    private static final List<Caution> CAUTIONS =
            List.of(
                    new Caution(
                            List.of(DROPPED, CONFLATED),
                            "The gateway left out %d message for slow consumers (dropped, conflated).",
                            "The gateway left out %d messages for slow consumers (dropped, conflated)."),
                    new Caution(
                            CUT_OFF,
                            "%d consumer was cut off because it was slow.",
                            "%d consumers were cut off because they were slow."),
                    new Caution(
                            GARBLED,
                            "%d message was garbled and skipped.",
                            "%d messages were garbled and skipped."),
                    new Caution(
                            REJECTS_SENT,
                            "%d message was rejected and reached no consumer.",
                            "%d messages were rejected and reached no consumer."),
                    new Caution(
                            NOT_TAKEN,
                            "%d message of a consumer was neither accepted nor rejected.",
                            "%d messages of consumers were neither accepted nor rejected."),
                    new Caution(
                            ENDED_WITHOUT_LOGOUT,
                            "%d session ended without a Logout: what it was sent last may not have arrived.",
                            "%d sessions ended without a Logout: what they were sent last may not have arrived."),
                    new Caution(
                            KEPT_NOT_FETCHED,
                            "%d message that was kept for a consumer that was away had not been fetched by the end.",
                            "%d messages that were kept for consumers that were away had not been fetched by the end."),
                    new Caution(
                            NOT_LOGGED_ON,
                            "%d connection ended before it was logged on.",
                            "%d connections ended before they were logged on."),
                    new Caution(
                            CROWDED_OUT,
                            "%d connection was closed before the Logon, as more waited than --most-waiting allows.",
                            "%d connections were closed before the Logon, as more waited than --most-waiting allows."),
                    new Caution(
                            ACCEPT_FAILURES,
                            "%d time a connection could not be accepted, such as for lack of file handles (ulimit -n): "
                                    + "clients that connected waited meanwhile.",
                            "%d times a connection could not be accepted, such as for lack of file handles (ulimit -n): "
                                    + "clients that connected waited meanwhile."),
                    new Caution(
                            ENGINE_ERRORS,
                            "The engine wrote %d error to its log, which is not kept: a message may not have been handled.",
                            "The engine wrote %d errors to its log, which is not kept: messages may not have been handled."));

    private GatewayCounts() {}

    /**
     * Messages dropped, refused or cut off: for a gateway run alone there is no other report. A
     * message is dropped before it has a number: subscribers by symbol cannot detect it, others
     * can.
     */
    static List<String> warnings(
            final Map<String, Long> counts, final boolean keeps, final boolean isBySymbol) {
        final List<String> warnings = new ArrayList<>();
        for (final Caution caution : CAUTIONS) {
            final long count = caution.counts().stream().mapToLong(each -> of(counts, each)).sum();
            if (count > 0) {
                warnings.add((count == 1 ? caution.one() : caution.more()).formatted(count));
            }
        }
        final long notKept = of(counts, NOT_KEPT);
        if (keeps && notKept > 0) {
            warnings.add(
                    ("%d message%s for consumers that were away were numbered but not kept: a consumer that asks "
                                    + "for them gets a gap fill (--away-bytes, --store-bytes).")
                            .formatted(notKept, notKept == 1 ? "" : "s"));
        }
        if (isBySymbol && of(counts, DROPPED) + of(counts, CONFLATED) > 0) {
            warnings.add(
                    "Consumers that asked for symbols cannot see what was left out:"
                            + " it is not among what they expected and lost.");
        }
        return warnings;
    }

    private static long of(final Map<String, Long> counts, final String name) {
        return counts.getOrDefault(name, 0L);
    }
}

package io.tickmark.workloads.fix.gateway;

/** Names of the counts of gateways; the same in JSON, CSV and report. */
public final class GatewayCounts {
    /** Application messages taken from producers. */
    public static final String IN = "gatewayIn";

    /** Of these, those that were only taken. */
    public static final String UNMARKED = "unmarked";

    /** Copies given to consumers. */
    public static final String OUT = "gatewayOut";

    /** Copies dropped for slow consumers. */
    public static final String DROPPED = "dropped";

    /** Copies overtaken by newer ones of their symbol, for slow consumers. */
    public static final String CONFLATED = "conflated";

    /** Consumers cut off because they were slow. */
    public static final String CUT_OFF = "cutOff";

    /** Messages that were no FIX. */
    public static final String GARBLED = "garbled";

    /** Messages found missing, and requested again. */
    public static final String ASKED_AGAIN = "askedAgain";

    /** Messages that were rejected (35=3 or 35=j), of producers and consumers. */
    public static final String REJECTS_SENT = "rejectsSent";

    /** Messages kept for consumers that were away, or were still receiving what they had missed. */
    public static final String KEPT = "keptForAbsent";

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

    /** Messages of the application from consumers that were neither taken nor rejected. */
    public static final String NOT_TAKEN = "notTaken";

    /** How often a connection could not be accepted, for example for lack of file handles. */
    public static final String ACCEPT_FAILURES = "acceptFailures";

    /** Errors that an engine of others only writes to its log. */
    public static final String ENGINE_ERRORS = "engineErrors";

    private GatewayCounts() {}
}

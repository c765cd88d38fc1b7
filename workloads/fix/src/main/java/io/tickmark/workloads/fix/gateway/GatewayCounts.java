package io.tickmark.workloads.fix.gateway;

/** Names of what gateways count; the same in JSON, CSV and report. */
public final class GatewayCounts {
    /** Application messages taken from producers. */
    public static final String IN = "gatewayIn";

    /** Of these, those that were only taken. */
    public static final String UNMARKED = "unmarked";

    /** Copies given to consumers. */
    public static final String OUT = "gatewayOut";

    /** Copies left out for slow consumers. */
    public static final String DROPPED = "dropped";

    /** Copies overtaken by newer ones of their symbol, for slow consumers. */
    public static final String CONFLATED = "conflated";

    /** Consumers cut off because they were slow. */
    public static final String CUT_OFF = "cutOff";

    /** Messages that were no FIX. */
    public static final String GARBLED = "garbled";

    /** Messages found missing, and asked for again. */
    public static final String ASKED_AGAIN = "askedAgain";

    /** Messages that were rejected (35=3 or 35=j), of producers and consumers. */
    public static final String REJECTS_SENT = "rejectsSent";

    /** Messages kept for consumers that were away, or were being sent what they had missed. */
    public static final String KEPT = "keptForAbsent";

    /** Messages for them that only took a number: who asks for them gets a gap fill. */
    public static final String NOT_KEPT = "notKeptForAbsent";

    private GatewayCounts() {}
}

package io.tickmark.workloads.fix.gateway;

/** Which messages of the producers fan out. */
public enum FanOutRule {
    /**
     * Those that their producer marked ({@link
     * io.tickmark.workloads.fix.message.LoadTags#FAN_OUT}).
     */
    MARKED,
    /** All. */
    ALL
}

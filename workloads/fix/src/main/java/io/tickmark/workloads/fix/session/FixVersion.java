package io.tickmark.workloads.fix.session;

import java.nio.charset.StandardCharsets;

/** The versions of FIX that a session speaks. */
public enum FixVersion {
    /** FIX 4.2. */
    FIX_4_2("FIX.4.2", ""),
    /** FIX 4.4. */
    FIX_4_4("FIX.4.4", ""),
    /** FIX 5.0 SP2 over the session protocol FIXT 1.1; its Logon names the application version. */
    FIX_5_0_SP2("FIXT.1.1", "9");

    private final String beginString;
    private final String applVerId;

    FixVersion(final String beginString, final String applVerId) {
        this.beginString = beginString;
        this.applVerId = applVerId;
    }

    /**
     * Value of field 8.
     *
     * @return for example {@code FIX.4.4}
     */
    public String beginString() {
        return beginString;
    }

    /**
     * Value of DefaultApplVerID (1137) in a Logon.
     *
     * @return empty where the version has no such field
     */
    public String applVerId() {
        return applVerId;
    }

    /** {@code 8=FIX.4.4}, SOH and {@code 9=}. */
    byte[] prefix() {
        return ("8=" + beginString + "\u00019=").getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether it has such a value of SessionRejectReason (373); FIX 4.2 ends with 11. */
    boolean hasRejectReason(final int reason) {
        return this != FIX_4_2 || reason <= RejectReason.INVALID_MSG_TYPE;
    }

    /**
     * The version with a begin string.
     *
     * @param beginString value of field 8
     * @return the version, null where it is none of these
     */
    static FixVersion of(final String beginString) {
        for (final FixVersion version : values()) {
            if (version.beginString.equals(beginString)) {
                return version;
            }
        }
        return null;
    }
}

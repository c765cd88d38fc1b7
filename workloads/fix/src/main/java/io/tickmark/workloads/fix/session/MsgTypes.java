package io.tickmark.workloads.fix.session;

/** Which types of message there are. */
public final class MsgTypes {
    private MsgTypes() {}

    /**
     * Whether a type belongs to the session layer.
     *
     * @param type value of field 35, where that is one character
     * @return true for Logon, Heartbeat and the like
     */
    public static boolean isAdmin(final char type) {
        return type >= '0' && type <= '5' || type == 'A';
    }

    /** Whether FIX has such a type, or leaves it to users (U and what follows). */
    static boolean isMsgType(final InboundMessage message) {
        final String type = message.typeChar() == 0 ? message.type() : "";
        final char only = message.typeChar();
        return only == 0
                ? type.length() == 2 && type.charAt(0) >= 'A' && type.charAt(0) <= 'D'
                        || type.startsWith("U") && type.length() <= 4
                : only >= '0' && only <= '9'
                        || only >= 'A' && only <= 'Z'
                        || only >= 'a' && only <= 'z';
    }
}

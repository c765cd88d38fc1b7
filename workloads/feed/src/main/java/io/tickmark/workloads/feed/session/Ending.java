package io.tickmark.workloads.feed.session;

/**
 * How a session ends.
 *
 * @param kind which is counted
 * @param reason in words, for the client
 */
public record Ending(Kind kind, String reason) {
    /** The server ends, or its feed is recreated. */
    public static final Ending SERVER_ENDS = new Ending(Kind.SERVER_ENDS, "the server ends");

    /** The client requested its last figures. */
    static final Ending ASKED_FOR = new Ending(Kind.ASKED_FOR, "asked for");

    /** The client announced that it leaves. */
    public static final Ending CLIENT_CLOSED = new Ending(Kind.CLIENT_LEFT, "the client closed");

    /** The connection closed without a notice. */
    public static final Ending BROKEN = new Ending(Kind.BROKEN, "the connection broke");

    /** More is pending, or kept, than allowed. */
    static final Ending LIMIT = new Ending(Kind.LIMIT, "limit");

    /** Kinds of ends, each with its status code of a WebSocket (RFC 6455, section 7.4.1). */
    public enum Kind {
        /** The client requested it. */
        ASKED_FOR(1000, "asked for"),
        /** The client left. */
        CLIENT_LEFT(1000, "client left"),
        /** The server ends. */
        SERVER_ENDS(1001, "server ended"),
        /** The connection broke: the client cannot be notified. */
        BROKEN(1001, "connection broke"),
        /** The client sent an invalid or incomplete frame. */
        PROTOCOL(1002, "client broke the protocol"),
        /** The client sent something that is not permitted, or too much. */
        MISBEHAVED(1008, "client misbehaved"),
        /** A frame of the client was too long. */
        TOO_LONG(1009, "frame of the client too long"),
        /** More was pending, or kept, than allowed. */
        LIMIT(1008, "limit reached"),
        /** The client was silent. */
        SILENT(1008, "client silent"),
        /** It had no reader, and others waited for its place. */
        GIVEN_UP(1013, "ended to make room"),
        /** It cannot be opened now. */
        REFUSED(1013, "refused"),
        /** Part of the server failed. */
        FAILED(1011, "failed");

        private final int closeCode;
        private final String words;

        Kind(final int closeCode, final String words) {
            this.closeCode = closeCode;
            this.words = words;
        }

        /**
         * The close code of a WebSocket.
         *
         * @return status code
         */
        public int closeCode() {
            return closeCode;
        }

        /**
         * For a count of such ends.
         *
         * @return a few words
         */
        public String words() {
            return words;
        }

        /**
         * Whether a session has to end this way.
         *
         * @return false where something went wrong, which a verdict names
         */
        public boolean isRegular() {
            return this == ASKED_FOR || this == CLIENT_LEFT || this == SERVER_ENDS;
        }
    }
}

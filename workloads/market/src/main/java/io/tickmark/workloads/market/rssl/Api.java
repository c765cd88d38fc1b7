package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.UserError;

/** The vendor's library that a role runs on. */
public enum Api {
    /** The Transport API with its Reactor: encoded in place, packed, without allocation. */
    ETA,
    /** The Enterprise Message API: objects for messages and fields. */
    EMA;

    /**
     * Refuses settings that a role does not support on this library.
     *
     * @param connection wanted
     * @throws UserError that says what to do instead
     */
    public void require(final ConnectionSettings connection) {
        if (this == EMA && connection.connection().isWebSocket()) {
            throw UserError.usage(
                    "--api ema does not go over WebSockets, where the library may lose logins and messages; use "
                            + "--connection socket or encrypted without --websocket, or --api eta.");
        }
        if (this == EMA && connection.packing() && connection.given().has("packing")) {
            throw UserError.usage(
                    "--packing needs --api eta: the Message API sends each message in a buffer of its own.");
        }
    }
}

package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.settings.UserError;
import java.util.function.Supplier;

/**
 * The vendor's library that a role runs on. Everything that depends on the choice is decided here:
 * a role uses what {@link #make} made, and never asks which library it is.
 */
public enum Api {
    /** The Transport API with its Reactor: encoded in place, packed, without allocation. */
    ETA,
    /** The Enterprise Message API: objects for messages and fields. */
    EMA;

    /**
     * Makes the part of a role that is written for this library.
     *
     * @param <T> what the role needs of a library
     * @param onEta makes it for the Transport API
     * @param onEma makes it for the Message API
     * @return made by one of them; the other one is not called
     */
    public <T> T make(final Supplier<? extends T> onEta, final Supplier<? extends T> onEma) {
        return switch (this) {
            case ETA -> onEta.get();
            case EMA -> onEma.get();
        };
    }

    /**
     * Whether threads of the library dispatch instead of the role's own.
     *
     * @param useUserDispatch 1 where the role's threads are to dispatch if there is a choice, 0
     *     where not
     * @return always false on the Transport API, which has no such threads
     */
    public boolean isDispatchedByLibrary(final int useUserDispatch) {
        return this == EMA && useUserDispatch == 0;
    }

    /**
     * Refuses settings of a connection that this library does not support.
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

    /**
     * Refuses messages that are encoded once, where this library encodes each one itself.
     *
     * @throws UserError that says what to do instead
     */
    public void requirePreEncoding() {
        if (this == EMA) {
            throw UserError.usage(
                    "--pre-enc needs --api eta: the Message API encodes a message when it is submitted.");
        }
    }

    /**
     * Refuses a standby server where this library does not switch to it.
     *
     * @throws UserError that says what to do instead
     */
    public void requireStandby() {
        if (this == ETA) {
            throw UserError.usage(
                    "--standby needs --api ema: the library's watchlist keeps a standby server, and on the Transport API"
                            + " the consumer works without one.");
        }
    }

    /**
     * Refuses more threads than this library lets a provider have.
     *
     * @param threads of the provider
     * @throws UserError that says what to do instead
     */
    public void requireProviderThreads(final int threads) {
        if (this == EMA && threads > 1) {
            throw UserError.usage(
                    "--api ema has one thread for all consumers; leave --threads out, or use --api eta.");
        }
    }
}

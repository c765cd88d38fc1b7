package io.tickmark.transport;

import io.tickmark.kernel.settings.Settings;
import java.util.Map;

/**
 * The guarantees of a channel. The contract test asserts what is declared here. An engine begins
 * with {@link #upTo}, which promises nothing, and adds by name what it promises.
 *
 * @param reliable every accepted message arrives unless a side dies; otherwise loss is possible and
 *     is counted by sequence
 * @param ordered messages of one publication arrive in the order of sending
 * @param backPressured a slow receiver makes {@code offer} refuse; otherwise messages are
 *     overwritten or dropped and counted
 * @param detectsDisconnect the other side's end is noticed ({@code NOT_CONNECTED}, {@code
 *     isConnected} false)
 * @param fansOut one publication reaches several subscriptions
 * @param claims {@code tryClaim} works
 * @param allocates the steady state allocates on the heap
 * @param maxPayloadBytes largest message
 */
public record TransportTraits(
        boolean reliable,
        boolean ordered,
        boolean backPressured,
        boolean detectsDisconnect,
        boolean fansOut,
        boolean claims,
        boolean allocates,
        int maxPayloadBytes) {
    /**
     * A channel that promises nothing but to take messages of a size.
     *
     * @param maxPayloadBytes largest message
     * @return traits to which promises are added
     */
    public static TransportTraits upTo(final int maxPayloadBytes) {
        return new TransportTraits(false, false, false, false, false, false, true, maxPayloadBytes);
    }

    /**
     * Every accepted message arrives.
     *
     * @param isReliable whether it does
     * @return the same with this
     */
    public TransportTraits reliable(final boolean isReliable) {
        return Settings.with(this, Map.of("reliable", isReliable));
    }

    /**
     * Messages of one publication arrive in the order of sending.
     *
     * @param isOrdered whether they do
     * @return the same with this
     */
    public TransportTraits ordered(final boolean isOrdered) {
        return Settings.with(this, Map.of("ordered", isOrdered));
    }

    /**
     * A slow receiver makes {@code offer} refuse.
     *
     * @param isBackPressured whether it does
     * @return the same with this
     */
    public TransportTraits backPressured(final boolean isBackPressured) {
        return Settings.with(this, Map.of("backPressured", isBackPressured));
    }

    /**
     * The end of the other side is noticed.
     *
     * @param isDetected whether it is
     * @return the same with this
     */
    public TransportTraits detectsDisconnect(final boolean isDetected) {
        return Settings.with(this, Map.of("detectsDisconnect", isDetected));
    }

    /**
     * One publication reaches several subscriptions.
     *
     * @param isFannedOut whether it does
     * @return the same with this
     */
    public TransportTraits fansOut(final boolean isFannedOut) {
        return Settings.with(this, Map.of("fansOut", isFannedOut));
    }

    /**
     * {@code tryClaim} works.
     *
     * @param canClaim whether it does
     * @return the same with this
     */
    public TransportTraits claims(final boolean canClaim) {
        return Settings.with(this, Map.of("claims", canClaim));
    }

    /**
     * The steady state allocates on the heap.
     *
     * @param isAllocating false to promise that it does not
     * @return the same with this
     */
    public TransportTraits allocates(final boolean isAllocating) {
        return Settings.with(this, Map.of("allocates", isAllocating));
    }
}

package io.tickmark.transport;

/**
 * The guarantees of a channel. The contract test asserts what is declared here.
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
        int maxPayloadBytes) {}

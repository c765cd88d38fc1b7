package io.tickmark.transport.broker;

import io.tickmark.transport.EngineErrors;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * Deletes the acknowledged messages of a stored topic by separate requests, one at a time, each for
 * all that were acknowledged by then. One that failed counts as an acknowledgement that was
 * refused, and the next one is for its messages as well. Single-threaded.
 */
public final class Deletions {
    private static final long CLOSING_SECONDS = 5;

    private final LongFunction<? extends Future<?>> request;
    private final BooleanSupplier isServed;
    private final EngineErrors refused = EngineErrors.ofAcknowledgements();
    private Future<?> running = CompletableFuture.completedFuture(null);
    private long acknowledged = -1;
    private long deleted = -1;

    /**
     * Nothing is acknowledged yet.
     *
     * @param request asks the server to delete all messages up to an ordinal; may throw where the
     *     client has ended
     * @param isServed whether an answer can be expected
     */
    public Deletions(
            final LongFunction<? extends Future<?>> request, final BooleanSupplier isServed) {
        this.request = request;
        this.isServed = isServed;
    }

    /**
     * Deletes up to a message, as soon as the previous request is answered.
     *
     * @param upTo ordinal of it
     */
    public void acknowledge(final long upTo) {
        acknowledged = Math.max(acknowledged, upTo);
        if (running.isDone()) {
            delete();
        }
    }

    private void delete() {
        awaitAnswer();
        if (acknowledged <= deleted) {
            return;
        }
        if (!isServed.getAsBoolean()) {
            refused.add("the connection is broken");
            return;
        }
        try {
            running = request.apply(acknowledged);
            deleted = acknowledged;
        } catch (final RuntimeException e) {
            refused.add(EngineErrors.said(e)); // whatever a client throws once it has ended
        }
    }

    /** Waits for the running request, then deletes what was acknowledged since, some seconds. */
    public void settle() {
        awaitAnswer();
        if (isServed.getAsBoolean()) {
            delete();
            awaitAnswer();
        }
    }

    private void awaitAnswer() {
        try {
            running.get(isServed.getAsBoolean() ? CLOSING_SECONDS : 0, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (final TimeoutException e) {
            failed(isServed.getAsBoolean() ? "no answer in time" : "the connection is broken");
        } catch (final ExecutionException | CancellationException e) {
            failed(EngineErrors.said(e));
        }
        running = CompletableFuture.completedFuture(null);
    }

    /** What it was to delete is open again. */
    private void failed(final String why) {
        refused.add(why);
        deleted = -1;
    }

    /** {@return how many requests failed} */
    public long refused() {
        return refused.count();
    }

    /** {@return a sentence about them; empty where there were none} */
    public Optional<String> sentence() {
        return refused.sentence();
    }
}

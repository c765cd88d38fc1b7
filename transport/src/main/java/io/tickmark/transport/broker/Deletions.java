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
 * refused, and the next one is for its messages as well: where it is for no others and fails too,
 * that is the same refusal. While none can be requested, that counts once. Single-threaded.
 */
public final class Deletions {
    private static final long CLOSING_NS = 5_000_000_000L;
    private static final String BROKEN = "the connection is broken";
    private static final Future<?> NONE = CompletableFuture.completedFuture(null);

    private final LongFunction<? extends Future<?>> request;
    private final BooleanSupplier isServed;
    private final BoundedClose.Silence silence;
    private final EngineErrors refused = EngineErrors.ofAcknowledgements();
    private Future<?> running = NONE;
    private long acknowledged = -1;
    private long deleted = -1;

    /** The last message of the requests that were refused. */
    private long refusedUpTo = -1;

    /** Whether the last request was not answered in time: no further one is waited for. */
    private boolean isSilent;

    /** Whether something was refused since something was deleted. */
    private boolean isRefused;

    /**
     * Nothing is acknowledged yet.
     *
     * @param request asks the server to delete all messages up to an ordinal; may throw where the
     *     client has ended
     * @param isServed whether an answer can be expected
     */
    public Deletions(
            final LongFunction<? extends Future<?>> request, final BooleanSupplier isServed) {
        this(request, isServed, BoundedClose.SILENCE);
    }

    Deletions(
            final LongFunction<? extends Future<?>> request,
            final BooleanSupplier isServed,
            final BoundedClose.Silence silence) {
        this.request = request;
        this.isServed = isServed;
        this.silence = silence;
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
            notRequested(BROKEN);
            return;
        }
        try {
            running = request.apply(acknowledged);
            deleted = acknowledged;
        } catch (final RuntimeException e) {
            notRequested(EngineErrors.said(e)); // whatever a client throws once it has ended
        }
    }

    /** Each further acknowledgement would be one more refusal of the same messages. */
    private void notRequested(final String why) {
        if (!isRefused) {
            failed(why, acknowledged);
        }
    }

    /**
     * Waits for the running request, then deletes what was acknowledged since: some seconds for
     * each of the two, but none any more where the server answered nothing in that time, and few
     * where another was silent just before.
     */
    public void settle() {
        awaitAnswer();
        if (!isSilent) {
            delete();
            awaitAnswer();
        }
    }

    private void awaitAnswer() {
        if (running == NONE) {
            return;
        }
        final boolean isAnswerExpected = isServed.getAsBoolean();
        final boolean isWaitedFor = isAnswerExpected && !isSilent;
        final long beganNs = silence.nowNs();
        try {
            running.get(
                    isWaitedFor ? silence.longestNs(CLOSING_NS, beganNs) : 0, TimeUnit.NANOSECONDS);
            isRefused = false;
            isSilent = false;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (final TimeoutException e) {
            isSilent = isAnswerExpected;
            if (isWaitedFor) {
                silence.note(beganNs);
            }
            failed(isAnswerExpected ? "no answer in time" : BROKEN, deleted);
        } catch (final ExecutionException | CancellationException e) {
            isSilent = false;
            failed(EngineErrors.said(e), deleted);
        }
        running = NONE;
    }

    /** What it was to delete is open again. */
    private void failed(final String why, final long upTo) {
        if (upTo > refusedUpTo) {
            refused.add(why);
            refusedUpTo = upTo;
        }
        isRefused = true;
        deleted = -1;
    }

    /** {@return how many acknowledgements were refused} */
    public long refused() {
        return refused.count();
    }

    /** {@return a sentence about them; empty where there were none} */
    public Optional<String> sentence() {
        return refused.sentence();
    }
}

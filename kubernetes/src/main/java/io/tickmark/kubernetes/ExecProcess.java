package io.tickmark.kubernetes;

import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A program in a pod, over the websocket of exec. */
final class ExecProcess implements PlacedProcess {
    private static final int LOST = -1;

    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final Supplier<String> whyLost;
    private ExecWatch watch;
    private volatile boolean isOurs;

    private ExecProcess(final Supplier<String> whyLost) {
        this.whyLost = whyLost;
    }

    /**
     * Starts it; {@code whyLost} is asked, once its streams have ended, for what they do not say.
     */
    static ExecProcess start(
            final ContainerResource container,
            final Supplier<String> whyLost,
            final String... words) {
        final ExecProcess process = new ExecProcess(whyLost);
        process.watch =
                container
                        .redirectingInput()
                        .redirectingOutput()
                        .redirectingError()
                        .usingListener(process.new Ends())
                        .exec(words);
        return process;
    }

    private final class Ends implements ExecListener {
        @Override
        public void onFailure(final Throwable thrown, final Response failed) {
            end.complete(LOST);
        }

        @Override
        public void onClose(final int code, final String reason) {
            end.complete(LOST);
        }

        @Override
        public void onExit(final int code, final io.fabric8.kubernetes.api.model.Status status) {
            end.complete(code);
        }
    }

    @Override
    public OutputStream input() {
        return watch.getInput();
    }

    @Override
    public InputStream output() {
        return watch.getOutput();
    }

    /** What the program says, and then what the cluster says about its end. */
    @Override
    public InputStream errors() {
        final Iterator<Supplier<InputStream>> parts =
                List.<Supplier<InputStream>>of(this::said, this::lastWords).iterator();
        return new SequenceInputStream(
                new Enumeration<>() {
                    @Override
                    public boolean hasMoreElements() {
                        return parts.hasNext();
                    }

                    @Override
                    public InputStream nextElement() {
                        return parts.next().get();
                    }
                });
    }

    /** Until the connection ends, however it does: why it did is for the cluster to say. */
    private InputStream said() {
        return new FilterInputStream(watch.getError()) {
            @Override
            public int read(final byte[] buffer, final int from, final int length) {
                try {
                    return super.read(buffer, from, length);
                } catch (final IOException e) {
                    return -1;
                }
            }
        };
    }

    private InputStream lastWords() {
        final String words = isOurs ? "" : whyLost.get();
        return new ByteArrayInputStream(
                (words.isEmpty() ? "" : "\n" + words + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public OptionalInt awaitEnd(final Duration atMost) {
        try {
            return OptionalInt.of(end.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (final TimeoutException e) {
            return OptionalInt.empty();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        } catch (final ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void inflict(final FaultPlan.Action action, final long pid) {
        throw new IllegalStateException("faults are done to roles, by the agent");
    }

    /** Cuts the connection; the agent ends all it started when it is not heard any more. */
    @Override
    public void kill() {
        isOurs = true;
        cut();
    }

    /** The same, for another's reason, which is then told. */
    void cut() {
        watch.close();
        end.complete(LOST);
    }
}

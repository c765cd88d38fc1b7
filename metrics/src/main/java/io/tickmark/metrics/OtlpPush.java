package io.tickmark.metrics;

import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.tickmark.kernel.settings.UserError;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends metrics to a collector of OpenTelemetry, by OTLP over HTTP, once a second on a separate
 * thread. A collector that does not accept them is reported once, and retried.
 */
public final class OtlpPush implements AutoCloseable {
    private static final String PATH = "/v1/metrics";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final OtlpHttpMetricExporter exporter;
    private final OtlpMetrics metrics;
    private final Duration patience;
    private final String url;
    private final Consumer<String> trouble;
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("otlp").factory());
    private boolean hasWarned;
    private int tried;
    private int failed;
    private volatile boolean isLastTaken;

    /**
     * Starts.
     *
     * @param url of the collector; where it has no path, that of the specification is added
     * @param collector of the metrics
     * @param trouble told in a sentence, at the first failure (on another thread), and at the end
     *     how many there were
     * @throws UserError if it is no address
     */
    public OtlpPush(
            final String url, final MultiCollector collector, final Consumer<String> trouble) {
        this(url, collector, trouble, PATIENCE);
    }

    /** One that waits so long for the collector to take what is sent. */
    OtlpPush(
            final String url,
            final MultiCollector collector,
            final Consumer<String> trouble,
            final Duration patience) {
        this.patience = patience;
        this.url = checked(url);
        this.trouble = trouble;
        metrics = new OtlpMetrics(collector);
        exporter =
                OtlpHttpMetricExporter.builder()
                        .setEndpoint(this.url)
                        .setTimeout(patience)
                        .setConnectTimeout(patience)
                        .setRetryPolicy(null) // the next second is a new try, with all in it
                        .build();
        sender.scheduleWithFixedDelay(this::send, 1, 1, TimeUnit.SECONDS);
    }

    private static String checked(final String url) {
        try {
            final URI address = new URI(url);
            final String scheme = address.getScheme();
            if (address.getHost() != null
                    && scheme != null
                    && Set.of("http", "https").contains(scheme)) {
                final String path = address.getPath();
                return path.isEmpty() || path.equals("/") ? url.replaceAll("/$", "") + PATH : url;
            }
        } catch (final URISyntaxException e) {
            // as for any other text
        }
        throw UserError.usage(
                "--otlp is \"%s\"; write the address of a collector, such as http://127.0.0.1:4318."
                        .formatted(url));
    }

    /** Throws nothing: a task that throws is never run again, and says nothing. */
    private void send() {
        tried++;
        try {
            final CompletableResultCode result = exporter.export(metrics.now());
            result.join(2 * patience.toMillis(), TimeUnit.MILLISECONDS);
            isLastTaken = result.isSuccess();
            if (!result.isSuccess()) {
                failed++;
                warnOnce("%s accepts no metrics (%s)", url, reason(result.getFailureThrowable()));
            }
        } catch (final RuntimeException e) {
            isLastTaken = false;
            failed++;
            warnOnce("metrics cannot be sent to %s (%s)", url, e);
        }
    }

    private void warnOnce(final String what, final Object... values) {
        if (!hasWarned) {
            hasWarned = true;
            trouble.accept(
                    "--otlp: %s; the run continues, and it is retried every second."
                            .formatted(what.formatted(values)));
        }
    }

    private static String reason(final Throwable failure) {
        Throwable root = failure;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        if (root == null) {
            return "it did not answer, or refused them";
        }
        if (root instanceof ConnectException || root instanceof ClosedChannelException) {
            return "no server is listening there";
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Sends once more what came last, and ends. */
    @Override
    public void close() {
        sender.execute(this::send);
        sender.shutdown();
        try {
            sender.awaitTermination(3 * patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        final boolean isUnderWay = !sender.shutdownNow().isEmpty() || !sender.isTerminated();
        exporter.shutdown();
        if (isUnderWay) {
            trouble.accept(
                    "--otlp: %s did not accept the last figures of the run in time."
                            .formatted(url));
        } else if (failed > 0) {
            trouble.accept(
                    "--otlp: %d of %d times %s accepted no metrics; %s."
                            .formatted(
                                    failed,
                                    tried,
                                    url,
                                    isLastTaken
                                            ? "the final figures are there"
                                            : "the final figures are missing"));
        }
    }
}

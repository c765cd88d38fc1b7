package io.tickmark.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunMetricsTest {
    private final RunMetrics metrics = new RunMetrics("my plan", "1.2");

    private void hearASecond() {
        metrics.runStarted(new RunEstimate(3, 1, Optional.empty()));
        metrics.ticked(Seconds.sent(2, 500));
    }

    private static String scrape(final MetricsServer server) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(server.address())).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void shouldServeWhatTheLastSecondWasAndWhatTheTrialCameTo() throws Exception {
        try (MetricsServer server = new MetricsServer("0", "", metrics)) {
            assertThat(scrape(server))
                    .contains("tickmark_run_info{plan=\"my plan\",version=\"1.2\"} 1");
            hearASecond();
            hearASecond();
            final String at = "channel=\"udp://127.0.0.1:0\",";
            final String sub = "{" + at;
            assertThat(scrape(server))
                    .contains(
                            "tickmark_messages_total"
                                    + sub
                                    + "count=\"sent\",role=\"stream-pub\",test=\"t\"} 500.0",
                            "tickmark_lag_seconds" + sub + "role=\"stream-pub\",test=\"t\"} 0.002",
                            "tickmark_missing_messages" + sub + "test=\"t\"} 10.0",
                            "tickmark_noise_max_seconds 4.0E-5",
                            "tickmark_trial_number 2.0",
                            // 1 µs is in its bucket, 1001 ns is not; both seconds are in
                            "latency=\"response\",role=\"stream-sub\",test=\"t\",le=\"1.0E-6\"} 2",
                            "latency=\"response\",role=\"stream-sub\",test=\"t\",le=\"2.0E-6\"} 4",
                            "latency=\"response\",role=\"stream-sub\",test=\"t\",le=\"+Inf\"} 6",
                            "figure=\"max\",latency=\"response\",role=\"stream-sub\",test=\"t\"} 7.0");
        }
    }

    /** Alarms on this metric had gone off for rows that pass. */
    @Test
    void shouldNotCountWhatWasLostOnPurpose() throws Exception {
        try (MetricsServer server = new MetricsServer("0", "", metrics)) {
            metrics.rowFinished(row());

            assertThat(scrape(server))
                    .contains(
                            "tickmark_lost_messages_total{channel=\"udp://127.0.0.1:0\",test=\"t\"} 3.0");
        }
    }

    private static TrialResult row() {
        final TrialMerge trial = new TrialMerge();
        trial.add("stream-pub-1", counted(Map.of(Counts.SENT, 100L, Counts.LOST_ON_PURPOSE, 10L)));
        trial.add("stream-sub-1", counted(Map.of(Counts.RECEIVED, 87L)));
        final TrialFacts facts =
                new TrialFacts(
                        "t",
                        "stream",
                        Seconds.CHANNEL,
                        1,
                        2,
                        2,
                        null,
                        null,
                        Criteria.DEFAULT,
                        false,
                        List.of(),
                        List.of(),
                        List.of());
        return trial.rows(facts).getFirst();
    }

    @Test
    void shouldServeWhereTheTailOfTheLastRowCameFrom() throws Exception {
        final Histogram undisturbed = new Histogram(3);
        undisturbed.recordValueWithCount(5_000, 1_000);
        final TailSummary tail =
                new TailSummary(
                        1_000,
                        1_000,
                        5_000,
                        List.of(
                                new TailSummary.Band(90, 99, 90, 500, List.of(), 500),
                                new TailSummary.Band(
                                        99,
                                        99.9,
                                        10,
                                        1_000,
                                        List.of(
                                                new TailSummary.Charge(
                                                        TailSummary.MACHINE,
                                                        "another task ran on the core",
                                                        "dated",
                                                        false,
                                                        750)),
                                        250)),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        new TailSummary.Undisturbed(0.01, "", LatencySummary.of(undisturbed)),
                        List.of(),
                        "",
                        "");
        try (MetricsServer server = new MetricsServer("0", "", metrics)) {
            metrics.ticked(Seconds.sent(2, 500));
            metrics.rowFinished(row().withTail(tail, List.of(Labels.PERHAPS_TAKEN)));

            final String of = "{channel=\"udp://127.0.0.1:0\",";
            assertThat(scrape(server))
                    .contains(
                            "tickmark_stalled_seconds"
                                    + of
                                    + "role=\"stream-pub\",test=\"t\"} 0.003",
                            "tickmark_stalled_part_seconds"
                                    + of
                                    + "part=\"waiting\",role=\"stream-pub\",test=\"t\"} 0.0025",
                            "tickmark_disturbed_rows_total 1.0",
                            "tickmark_perhaps_taken_rows_total 1.0",
                            "tickmark_tail_part"
                                    + of
                                    + "owner=\"machine\",step=\"\",test=\"t\"} 0.75",
                            "tickmark_tail_part" + of + "owner=\"rest\",step=\"\",test=\"t\"} 0.25",
                            "tickmark_undisturbed_latency_seconds"
                                    + of
                                    + "figure=\"p50\",step=\"\",test=\"t\"} 5.0",
                            "tickmark_undisturbed_left_out_part"
                                    + of
                                    + "step=\"\",test=\"t\"} 0.01");
        }
    }

    private static StepResult counted(final Map<String, Long> counts) {
        return new StepResult(0, "", 64, counts, 1, 0, 0, Map.of(), List.of());
    }

    /** Latencies of the last second had stayed until the end of the trial. */
    @Test
    void shouldNotServeLatenciesOfLongAgoAsThoseOfTheLastSecond() throws Exception {
        try (MetricsServer server = new MetricsServer("0", "", metrics)) {
            hearASecond();
            metrics.ticked(Seconds.silent(2, 1));
            assertThat(scrape(server)).contains("tickmark_interval_latency_seconds{");
            metrics.ticked(Seconds.silent(2, 3));
            assertThat(scrape(server))
                    .doesNotContain("tickmark_interval_latency_seconds{")
                    .contains("tickmark_latency_seconds_count{");
        }
    }

    @Test
    void shouldServeWhatPrometheusFindsNoFaultWith() throws Exception {
        final Path promtool = MetricsNeeds.promtool();
        try (MetricsServer server = new MetricsServer("0", "", metrics)) {
            hearASecond();
            shouldPass(scrape(server), promtool.toString(), "check", "metrics");
        }
    }

    @Test
    void shouldShipAConfigurationThatPrometheusTakes() throws Exception {
        final Path config = Path.of("../deploy/grafana/prometheus.yml").toAbsolutePath();
        assertThat(config).exists();
        final Path promtool = MetricsNeeds.promtool();
        final Process check = program(promtool.toString(), "check", "config", config.toString());
        final String said = new String(check.getInputStream().readAllBytes(), UTF_8);
        assertThat(check.waitFor()).as(said).isZero();
        assertThat(said).contains("SUCCESS");
    }

    private static Process program(final String... words) throws IOException {
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private static void shouldPass(final String text, final String... check) throws Exception {
        final Process process = program(check);
        try (OutputStream in = process.getOutputStream()) {
            in.write(text.getBytes(UTF_8));
        }
        final String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    private static HttpServer collector(final BlockingQueue<ExportMetricsServiceRequest> received)
            throws IOException {
        final HttpServer collector =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext(
                "/v1/metrics",
                exchange -> {
                    received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
                    exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        collector.start();
        return collector;
    }

    private static String url(final HttpServer collector) {
        return "http://127.0.0.1:" + collector.getAddress().getPort();
    }

    /** A collector in a test may stand still as long as its machine does. */
    private static OtlpPush push(
            final String url, final MultiCollector metrics, final BlockingQueue<String> troubles) {
        return new OtlpPush(url, metrics, troubles::add, Duration.ofSeconds(60));
    }

    @Test
    void shouldSendTheSameToACollector() throws Exception {
        final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
        final HttpServer collector = collector(received);
        hearASecond();
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        try (OtlpPush _ = push(url(collector), metrics, troubles)) {
            final List<Metric> sent =
                    received.poll(60, TimeUnit.SECONDS)
                            .getResourceMetrics(0)
                            .getScopeMetrics(0)
                            .getMetricsList();
            assertThat(sent)
                    .extracting(Metric::getName)
                    .contains("tickmark_run", "tickmark_messages", "tickmark_lag_seconds");
            final HistogramDataPoint latencies =
                    sent.stream()
                            .filter(metric -> metric.getName().equals("tickmark_latency_seconds"))
                            .findFirst()
                            .orElseThrow()
                            .getHistogram()
                            .getDataPoints(0);
            assertThat(latencies.getCount()).isEqualTo(3);
            assertThat(latencies.getBucketCountsCount())
                    .isEqualTo(latencies.getExplicitBoundsCount() + 1);
        } finally {
            collector.stop(0);
        }
        assertThat(troubles).isEmpty();
    }

    /** A task that throws is never run again: metrics had ended without a word. */
    @Test
    void shouldGoOnSendingAfterMetricsThatCouldNotBeMade() throws Exception {
        final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
        final HttpServer collector = collector(received);
        final AtomicInteger asked = new AtomicInteger();
        hearASecond();
        final MultiCollector failing =
                () -> {
                    if (asked.incrementAndGet() <= 2) {
                        throw new IllegalStateException("no metrics yet");
                    }
                    return metrics.collect();
                };
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        try (OtlpPush _ = push(url(collector), failing, troubles)) {
            assertThat(received.poll(60, TimeUnit.SECONDS)).isNotNull();
        } finally {
            collector.stop(0);
        }
        assertThat(troubles).as("once, and counted in the end").hasSize(2);
        assertThat(troubles.poll())
                .contains("cannot be sent", "no metrics yet", "the run continues");
        assertThat(troubles.poll())
                .startsWith("--otlp: 2 of ")
                .contains(" times " + url(collector))
                .endsWith("accepted no metrics; the final figures are there.");
    }

    @Test
    void shouldSayOnceThatNoCollectorAnswers() throws Exception {
        final int free = FreePort.tcp(InetAddress.getLoopbackAddress());
        hearASecond();
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        try (OtlpPush _ = push("http://127.0.0.1:" + free, metrics, troubles)) {
            assertThat(troubles.poll(60, TimeUnit.SECONDS))
                    .startsWith(
                            "--otlp: http://127.0.0.1:"
                                    + free
                                    + "/v1/metrics accepts no metrics (no server is listening there)")
                    .contains("the run continues");
        }
        assertThat(troubles)
                .as("once, and counted in the end")
                .singleElement()
                .asString()
                .matches(
                        "--otlp: (\\d+) of \\1 times .* accepted no metrics; the final figures are missing\\.");
    }

    /** Interrupted while it waits: it ends, says so, and the interruption stays. */
    @Test
    void shouldEndWhenItIsInterruptedAndSayWhatIsMissing() throws Exception {
        final HttpServer collector = collector(new LinkedBlockingQueue<>());
        final CountDownLatch over = new CountDownLatch(1);
        final MultiCollector slow =
                () -> {
                    // Interrupted or not: one that gives up would count as a failed try instead.
                    awaitUninterruptibly(over);
                    return metrics.collect();
                };
        hearASecond();
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        try {
            final OtlpPush push = push(url(collector), slow, troubles);
            Thread.currentThread().interrupt();
            push.close();
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            over.countDown();
            collector.stop(0);
        }
        assertThat(troubles)
                .anySatisfy(sentence ->
                        assertThat(sentence).contains("did not accept the last figures"));
    }

    private static void awaitUninterruptibly(final CountDownLatch latch) {
        boolean wasInterrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (final InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "70000", "127.0.0.1", ":", "-1", "1 "})
    void shouldRefuseWhatIsNoPlaceToServeAt(final String place) {
        assertThatThrownBy(() -> new MetricsServer(place, "", metrics))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--metrics is \"" + place + "\"; write a port");
    }

    @Test
    void shouldNameThePortThatIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final String place = Integer.toString(taken.getLocalPort());
            assertThatThrownBy(() -> new MetricsServer(place, "", metrics))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(
                            "--metrics %s: cannot listen on 127.0.0.1:%s (Address already in use"
                                    .formatted(place, place))
                    .hasMessageContaining("give a free port, or 0 for any");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector", "ftp://127.0.0.1", "http://", "http://a b"})
    void shouldRefuseWhatIsNoAddressOfACollector(final String url) {
        assertThatThrownBy(() -> new OtlpPush(url, metrics, _ -> {}))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--otlp is \"" + url + "\"; write the address");
    }
}

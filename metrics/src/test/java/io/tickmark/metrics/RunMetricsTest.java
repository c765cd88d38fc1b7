package io.tickmark.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.live.LiveRole;
import io.tickmark.lab.live.LiveTick;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunMetricsTest {
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

    private final RunMetrics metrics = new RunMetrics("my plan", "1.2");

    private void hearASecond() {
        metrics.runStarted(new RunEstimate(3, 1, Optional.empty()));
        final Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        histogram.recordValue(1_000);
        histogram.recordValue(1_001);
        histogram.recordValue(70_000);
        metrics.ticked(
                new LiveTick(
                        1.5,
                        "t",
                        "stream",
                        "udp://127.0.0.1:0",
                        1,
                        2,
                        3,
                        "measuring",
                        List.of(
                                new LiveRole(
                                        "stream-pub",
                                        1,
                                        "64B",
                                        Map.of("sent", 500L),
                                        Map.of("sent", 499.5),
                                        Map.of("lagNs", 2_000_000L),
                                        Map.of()),
                                new LiveRole(
                                        "stream-sub",
                                        2,
                                        "64B",
                                        Map.of("received", 990L),
                                        Map.of("received", 990.5),
                                        Map.of(),
                                        Map.of("responseNs", LatencyInterval.of(histogram)))),
                        10L,
                        40_000L));
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
        try (MetricsServer server = new MetricsServer("0", metrics)) {
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
            shouldPassPromtool(scrape(server));
        }
    }

    private static void shouldPassPromtool(final String text) throws Exception {
        if (!Files.exists(PROMTOOL)) {
            return; // the rest of the test holds without it
        }
        final Process promtool =
                new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
                        .redirectErrorStream(true)
                        .start();
        try (var in = promtool.getOutputStream()) {
            in.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        final String said = new String(promtool.getInputStream().readAllBytes());
        assertThat(promtool.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    @Test
    void shouldSendTheSameToACollector() throws Exception {
        final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
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
        hearASecond();
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        final String url = "http://127.0.0.1:" + collector.getAddress().getPort();
        try (OtlpPush _ = new OtlpPush(url, metrics, troubles::add)) {
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

    @Test
    void shouldSayOnceThatNoCollectorAnswers() throws Exception {
        final int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        hearASecond();
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        try (OtlpPush _ = new OtlpPush("http://127.0.0.1:" + free, metrics, troubles::add)) {
            assertThat(troubles.poll(60, TimeUnit.SECONDS))
                    .startsWith(
                            "--otlp: http://127.0.0.1:"
                                    + free
                                    + "/v1/metrics takes no metrics (nobody listens there)")
                    .contains("the run goes on");
        }
        assertThat(troubles).as("once").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "70000", "127.0.0.1", ":", "-1", "1 "})
    void shouldRefuseWhatIsNoPlaceToServeAt(final String place) {
        assertThatThrownBy(() -> new MetricsServer(place, metrics))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--metrics is \"" + place + "\"; write a port");
    }

    @Test
    void shouldNameThePortThatIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final String place = Integer.toString(taken.getLocalPort());
            assertThatThrownBy(() -> new MetricsServer(place, metrics))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(place + " cannot be bound (")
                    .hasMessageContaining("name another port, or 0 for any.");
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

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run as others see it while it runs, and as it is kept. */
class LiveTest {
    /** Of which a run that still measures has none. */
    private static final Set<String> OF_FINISHED_ROWS =
            Set.of("tickmark_tail_part", "tickmark_undisturbed_latency_seconds");

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern ADDRESS = Pattern.compile("metrics at (http://[^ \n]+)");
    private static final Pattern METRIC = Pattern.compile("tickmark_[a-z_]+");

    @TempDir private Path folder;

    private static String scrape(final HttpClient client, final String address) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(address)).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (final IOException e) {
            return "";
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Loss of one message in ten makes the trial fail, and shows while it runs. */
    @Test
    void shouldServeAndKeepHowARealRunStands() throws Exception {
        final String line =
                "stream --channel null:?lossPart=0.1 --rate 5000 --duration 12s"
                        + " --noise 200ms --metrics 0 --otlp http://127.0.0.1:9 --out run";
        try (HttpClient client = HttpClient.newHttpClient();
                Job run = Job.start(Launch.tickmark(folder, line), folder)) {
            run.awaitErr("metrics at http");
            final Matcher found = ADDRESS.matcher(run.err());
            assertThat(found.find()).isTrue();
            final String[] text = {""};
            Job.await(
                    "figures of a second",
                    () -> {
                        text[0] = scrape(client, found.group(1));
                        return text[0].contains("tickmark_latency_seconds_bucket")
                                && text[0].contains("count=\"sent\"")
                                && text[0].contains("tickmark_missing_messages");
                    });
            assertThat(text[0])
                    .contains(
                            "plan=\"stream\"",
                            "phase=\"measuring\"",
                            "tickmark_noise_max_seconds ",
                            "tickmark_lag_seconds{channel=\"null:?lossPart=0.1\",role=\"stream-pub\"",
                            "latency=\"response\",role=\"stream-sub\"");
            shouldAnswerTheQueriesOfTheDashboard(text[0]);
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
            assertThat(outcome.errLines().stream().filter(each -> each.contains("--otlp")))
                    .as("said once while it runs, and counted at its end")
                    .satisfiesExactly(
                            first ->
                                    assertThat(first)
                                            .contains("accepts no metrics", "the run continues"),
                            last ->
                                    assertThat(last)
                                            .contains(
                                                    "accepted no metrics",
                                                    "the final figures are missing"));
        }
        shouldHaveKeptEachSecond();
    }

    @Test
    void shouldKeepHowAFeedStandsSecondBySecond() throws IOException {
        Files.writeString(
                folder.resolve("feed.yaml"),
                """
                schema: tickmark.plan/1
                name: small-feed
                description: A feed to a few clients.
                tests:
                  - name: feed
                    workload: feed
                    settings: {symbols: 10, rate: 500, warmUp: 5s, duration: 8s, clients: 2}
                    roles: [{role: feed-server}, {role: feed-clients}]
                    criteria: {minRateHeldPart: 0}
                """);
        final Launch.Outcome outcome =
                Launch.here(folder, "run feed.yaml --no-noise --no-history --out run");
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        final List<JsonNode> ticks =
                Files.readAllLines(folder.resolve("run/live.jsonl")).stream()
                        .map(JSON::readTree)
                        .filter(line -> line.path("phase").asString("").equals("measuring"))
                        .toList();
        assertThat(
                        ticks.stream()
                                .flatMap(line -> role(line, "feed-server"))
                                .filter(role -> role.path("counts").path("sent").asLong(0) > 0)
                                .filter(role -> role.path("gauges").has("lagNs")))
                .isNotEmpty();
        assertThat(
                        ticks.stream()
                                .flatMap(line -> role(line, "feed-clients"))
                                .filter(role -> role.path("counts").path("received").asLong(0) > 0))
                .isNotEmpty();
        assertThat(
                        ticks.stream()
                                .flatMap(line -> role(line, "feed-server"))
                                .mapToLong(role -> role.path("counts").path("sent").asLong(0)))
                .as("the warm-up of 2500 is left out")
                .allMatch(sent -> sent <= 5500);
        final JsonNode row =
                ResultDocument.read(folder.resolve("run/result.json")).trials().getFirst();
        final JsonNode tail = row.path("tail");
        assertThat(tail.path("messages").asLong())
                .isPositive()
                .isEqualTo(row.path("received").asLong());
        assertThat(tail.path("threads").valueStream())
                .extracting(thread -> thread.path("thread").asString())
                .contains("feed-1", "sessions-1", "clients");
    }

    /** None before it has reported a line. */
    private static Stream<JsonNode> role(final JsonNode tick, final String name) {
        return tick.path("roles")
                .valueStream()
                .filter(role -> role.path("role").asString("").equals(name));
    }

    private static void shouldAnswerTheQueriesOfTheDashboard(final String text) throws IOException {
        final JsonNode board =
                JSON.readTree(
                        Files.readString(Launch.ROOT.resolve("deploy/grafana/tickmark.json")));
        final Set<String> asked = new TreeSet<>();
        board.path("panels")
                .forEach(panel ->
                        panel.path("targets")
                                .forEach(target -> {
                                    final Matcher names =
                                            METRIC.matcher(target.path("expr").asString());
                                    assertThat(names.find()).isTrue();
                                    asked.add(names.group());
                                }));
        final Set<String> served =
                text.lines()
                        .filter(each -> !each.startsWith("# HELP"))
                        .map(each -> each.startsWith("# TYPE ") ? each.substring(7) : each)
                        .map(each -> each.split("[ {]")[0])
                        .collect(Collectors.toSet());
        assertThat(asked).hasSizeGreaterThan(10).containsAll(OF_FINISHED_ROWS);
        asked.removeAll(OF_FINISHED_ROWS);
        assertThat(served).containsAll(asked);
    }

    private void shouldHaveKeptEachSecond() throws IOException {
        final List<JsonNode> lines =
                Files.readAllLines(folder.resolve("run/live.jsonl")).stream()
                        .map(JSON::readTree)
                        .toList();
        assertThat(lines.getFirst().path("type").asString()).isEqualTo("run");
        assertThat(lines.getLast().path("type").asString()).isEqualTo("end");
        assertThat(lines.getLast().path("verdict").asString()).isEqualTo("fail");
        final List<JsonNode> measuring =
                lines.stream()
                        .filter(line -> line.path("phase").asString("").equals("measuring"))
                        .filter(line -> !line.path("roles").isEmpty())
                        .toList();
        assertThat(measuring).hasSizeGreaterThanOrEqualTo(3);
        assertThat(measuring.getLast().path("missing").asLong(0))
                .as("a tenth does not come")
                .isPositive();
        assertThat(measuring.toString()).contains("\"p99Ns\"", "\"perSecond\"", "\"lagNs\"");
        assertThat(lines.stream().filter(line -> line.path("type").asString().equals("row")))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.path("ratePerSecond").asDouble()).isPositive();
                    assertThat(row.path("latencies").path("responseNs").path("p99Ns").asLong())
                            .isPositive();
                });
    }
}

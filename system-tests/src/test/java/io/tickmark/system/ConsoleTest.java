package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console and the price feed through the front door. */
class ConsoleTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String CLIENTS = " --warm-up 300ms --duration 700ms";

    /** Of rows of which the page could not know, or the server not hold, what it should. */
    private static final int MOST_TRIES = 3;

    @TempDir private Path folder;

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }

    private static String addressOf(final Job console) throws InterruptedException {
        Job.await(
                "the console's address", () -> console.out().contains("\n") || !console.isAlive());
        assertThat(console.out()).as(console.err()).startsWith("http://127.0.0.1:");
        return console.out().lines().findFirst().orElseThrow();
    }

    /** A request of a script, which has the token from the address that the console printed. */
    private static HttpRequest.Builder request(final String address, final String path) {
        final String[] parts = address.split("/\\?token=");
        return HttpRequest.newBuilder(URI.create(parts[0] + path))
                .header("Authorization", "Bearer " + parts[1]);
    }

    private static JsonNode ask(final HttpRequest.Builder request)
            throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            final HttpResponse<String> answer =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return JSON.readTree(answer.body());
        }
    }

    private static JsonNode state(final String address) throws IOException, InterruptedException {
        return ask(request(address, "/api/state"));
    }

    private static void hasSent(final String address, final int messages) throws Exception {
        Job.await(
                messages + " messages of the feed",
                () -> {
                    try {
                        return state(address).path("feed").path("sent").asLong() >= messages;
                    } catch (final IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (final InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private static void isSending(final String address) throws Exception {
        hasSent(address, 50);
    }

    @Test
    void shouldServeAFeedThatAScriptStartsToClientsOfOtherChannels() throws Exception {
        try (Job console = start("console --port 0 --symbols 40")) {
            final String address = addressOf(console);
            assertThat(state(address).path("feed").path("isRunning").asBoolean()).isFalse();
            ask(
                    request(address, "/api/feed")
                            .header("Content-Type", "application/json")
                            .PUT(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"isRunning\":true,\"rate\":2000}")));
            isSending(address);
            final Launch.Outcome received =
                    Launch.tickmark(
                                    folder,
                                    "feed clients --clients 5 --feed-channel events --server "
                                            + address
                                            + CLIENTS
                                            + " --json")
                            .runInTime(folder.resolve("results"));
            assertThat(received.exitCode()).as(received.err()).isZero();
            final JsonNode trial = ResultDocument.parse(received.out()).trial();
            assertThat(trial.path("received").asLong()).isPositive();
            assertThat(trial.path("lost").asLong()).isZero();
            console.signal("INT", false);
            assertThat(console.await().err()).isEmpty();
        }
    }

    @Test
    void shouldShowWhatAPublisherSendsByAnEngine() throws Exception {
        final String channel = "shm://tickmark-console-" + ProcessHandle.current().pid();
        try (Job console = start("console --port 0 --symbols 40 --running --source " + channel);
                Job _ =
                        start(
                                "feed publisher --symbols 40 --rate 2000 --duration 600s --channel "
                                        + channel)) {
            final String address = addressOf(console);
            isSending(address);
            final Launch.Outcome received =
                    Launch.tickmark(
                                    folder,
                                    "feed clients --clients 5 --server " + address + CLIENTS)
                            .runInTime(folder.resolve("results"));
            assertThat(received.exitCode()).as(received.err()).isZero();
            final JsonNode feed = state(address).path("feed");
            assertThat(feed.path("source").asString()).isEqualTo(channel);
            assertThat(feed.path("lost").asLong(-1)).isZero();
            assertThat(feed.path("skipped").asLong(-1)).isZero();
        }
    }

    @Test
    void shouldShowAStreamOfTheBench() throws Exception {
        final String channel = "udp://" + LoopbackAddress.next();
        try (Job console = start("console --port 0 --symbols 1 --running --source " + channel);
                Job stream =
                        start(
                                "stream pub -m 64 -n 2000 -r 400 --jvm-warm-up 0 --channel "
                                        + channel)) {
            final String address = addressOf(console);
            stream.await().passedOrWasSaturated();
            assertThat(stream.err()).contains("Waiting for 1 receiver...[1]");
            hasSent(address, 500);
        }
    }

    @Test
    void shouldMeasureARealBrowserIntoAResultFolder() throws IOException {
        assumeTrue(Files.exists(CHROMIUM), "the package chromium is not installed");
        Files.writeString(
                folder.resolve("browser.yaml"),
                """
                schema: tickmark.plan/1
                name: small-browser
                description: One row of a real browser.
                tests:
                  - name: row
                    workload: browser
                    # on two cores a browser keeps the server's threads from theirs for longer than 1 ms
                    settings: {symbols: 50, rate: 1000, warmUp: 1s, duration: 1s, conflation: buffer, flush: 50ms}
                    roles: [{role: console-browser}]
                    criteria: {minRateHeldPart: 0}
                """);
        int tries = 1;
        while (isToBeRepeated("result-" + tries, tries < MOST_TRIES)) {
            tries++;
        }
    }

    /** Whether the machine stood, and the row says so; otherwise it is as it should be. */
    private boolean isToBeRepeated(final String run, final boolean mayBe) throws IOException {
        final Launch.Outcome outcome;
        final boolean hasStood;
        try (MachineWatch machine = new MachineWatch()) {
            outcome = Launch.here(folder, "run browser.yaml --no-noise --out " + run);
            hasStood = machine.hasStood(folder.resolve(run));
        }
        final JsonNode trial =
                ResultDocument.read(folder.resolve(run).resolve("result.json")).trial();
        final List<String> reasons =
                trial.path("reasons").valueStream().map(JsonNode::asString).toList();
        if (mayBe && hasStood && reasons.stream().anyMatch(ConsoleTest::isOfAMachineThatStood)) {
            return true;
        }
        // a busy machine may keep the page, or its feed, from keeping up
        assertThat(reasons)
                .allMatch(reason ->
                        reason.startsWith("The page did not keep up")
                                || reason.startsWith("The feed made ")
                                || hasStood && isOfAMachineThatStood(reason));
        assertThat(outcome.exitCode())
                .as(outcome.err() + outcome.out())
                .isEqualTo(reasons.isEmpty() ? 0 : 1);
        assertThat(trial.path("label").asString()).contains("ws-binary, flush 50ms, table");
        assertThat(trial.path("received").asLong()).isPositive();
        assertThat(trial.path("lost").asLong(-1)).isZero();
        assertThat(trial.path("responseNs").path("max").asLong()).isPositive();
        assertThat(folder.resolve(run).resolve("report.html")).exists();
        return false;
    }

    private static boolean isOfAMachineThatStood(final String reason) {
        return reason.startsWith("The flush interval was not held")
                || reason.contains(" is not known: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "console --source nowhere.csv|--source nowhere.csv: cannot be read",
                "console --source pigeon://x|no transport for scheme 'pigeon'",
                "console --channel-file nowhere.yaml|--channel-file nowhere.yaml: cannot be read",
                "console --trusted-proxy gate|--trusted-proxy: 'gate' is not an address",
                "feed clients --feed-channel rtmp|'rtmp' is not a channel; known are ws-binary",
                "feed clients --server 127.0.0.1:8400|--server 127.0.0.1:8400: is not the address of a server",
                "feed server --token short|--token: takes 16 to 128 characters",
                "feed publisher --threads 2 --channel shm://x|--threads 2: one thread sends",
                "feed publisher --channel udp://127.0.0.1:7000 --message-bytes 4095|must be a multiple of 8"
            })
    void shouldSayWhatIsWrongWithAnOption(final String line, final String words) {
        final Launch.Outcome outcome = Launch.here(line);
        assertThat(outcome.err()).contains(words);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A plan of one's own on every kind of channel that needs nothing but this machine. */
@Order(8)
class RunPlanTest {
    /** Rates are low and what a channel may lose is allowed: a loaded machine passes it, too. */
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: every-channel
            description: Each kind of channel, a moment each.
            noise: 50ms
            tests:
              - name: ping
                workload: latency
                channels: ["udp://127.0.0.1:0", "mcast://239.192.0.78:0", "aeron:udp?endpoint=127.0.0.1:0"]
                settings: {sizes: [64], samples: 200, warmUp: 50ms, pingTimeout: 20s}
                roles:
                  - {role: latency-pub}
                  - {role: latency-sub}
                criteria: {maxLostPart: 0.5, maxTimedOut: 100}
              - name: flow
                workload: stream
                channels: ["shm:", "tcp://127.0.0.1:0", "aeron:ipc"]
                settings: {payloadBytes: 100, rate: 2000, messages: 1000, jvmWarmUp: 50ms}
                roles:
                  - {role: stream-pub}
                  - {role: stream-sub}
                criteria: {minRateHeldPart: 0}
            """;

    private static final List<String> FOLDERS_OF_ROLES =
            List.of(
                    "ping-udp-127.0.0.1-0-latency-pub-1",
                    "ping-mcast-239.192.0.78-0-latency-sub-1",
                    "ping-aeron-udp-endpoint-127.0.0.1-0-latency-pub-1",
                    "flow-shm-stream-sub-1",
                    "flow-tcp-127.0.0.1-0-stream-pub-1",
                    "flow-aeron-ipc-stream-sub-1");

    private static final Path DEFAULT_RUN =
            Launch.ROOT.resolve("system-tests/src/test/resources/default-result/result.json.gz");

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Pattern PRINTED_PAGE = Pattern.compile("/Type\\s*/Page\\b");
    private static final long MOST_PRINTED_PAGES = 6;

    /** Of runs in which nothing came after a standstill, and the machine stood, too. */
    private static final int MOST_TRIES = 3;

    @TempDir private Path folder;

    /** Runs a plan in which a role of each test stands still once on each channel. */
    private Launch.Outcome stalled(final int standstills) throws IOException {
        for (int tries = 1; ; tries++) {
            final String run = "run-" + tries;
            try (MachineWatch machine = new MachineWatch()) {
                final Launch.Outcome outcome =
                        Launch.here(
                                folder,
                                "run stalled.yaml --noise 0 --no-history --json --out " + run);
                if (recovered(outcome) >= standstills
                        || tries == MOST_TRIES
                        || !machine.hasStood(folder.resolve(run))) {
                    return outcome;
                }
            }
        }
    }

    private static long recovered(final Launch.Outcome outcome) {
        return ResultDocument.parse(outcome.out()).trials().stream()
                .filter(trial -> trial.at("/counts/recovered").asLong(0) == 1)
                .count();
    }

    @Test
    void shouldMeasureTheTimeToRecoverOfAStreamWithoutAStore() throws IOException {
        Files.writeString(
                folder.resolve("stalled.yaml"),
                """
                schema: tickmark.plan/1
                name: stalled
                tests:
                  - name: stalled
                    workload: stream
                    channels: ["tcp://127.0.0.1:0", "udp://127.0.0.1:0"]
                    # without warm-up messages are due from the beginning of the publisher's run
                    settings: {payloadBytes: 100, rate: 1000, duration: 3s, jvmWarmUp: 0ms}
                    roles: [{role: stream-pub}, {role: stream-sub}]
                    faults:
                      - {role: stream-sub, at: 1s, do: stop}
                      - {role: stream-sub, at: 1300ms, do: continue}
                    criteria: {maxLostPart: 1, minRateHeldPart: 0}
                """);

        final Launch.Outcome outcome = stalled(2);

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        final List<JsonNode> trials = ResultDocument.parse(outcome.out()).trials();
        assertThat(trials)
                .hasSize(2)
                .allSatisfy(trial -> {
                    final String events = trial.path("roles").toString();
                    final long stoodStillMs =
                            ms(events, "resumed at ") - ms(events, "suspended at ");
                    final long slowestMs = trial.at("/responseNs/max").asLong() / 1_000_000;
                    final JsonNode counts = trial.path("counts");
                    assertThat(counts.path("recovered").asLong()).isEqualTo(1);
                    if (events.contains("as no message was due for")) {
                        // on a busy machine the publisher began after the standstill
                        assertThat(counts.has("maxRecoveryNs")).as(events).isFalse();
                        return;
                    }
                    // the first message due in the standstill has waited for its end
                    assertThat(counts.path("maxRecoveryNs").asLong() / 1_000_000)
                            .as("ms, after a standstill of %d ms: %s", stoodStillMs, events)
                            .isBetween(stoodStillMs - 50, stoodStillMs + slowestMs + 50);
                });
    }

    /**
     * It failed, as if what a subscriber did not ask for were lost. One process is enough for that.
     */
    @Test
    void shouldExpectOfASubscriberOnlyTheTopicsThatItAsksFor() throws IOException {
        Files.writeString(
                folder.resolve("some-topics.yaml"),
                """
                schema: tickmark.plan/1
                name: some-topics
                tests:
                  - name: whole
                    workload: stream
                    channels: ["tcp://127.0.0.1:0", "shm:"]
                    settings: {payloadBytes: 100, rate: 4000, messages: 2000, jvmWarmUp: 50ms, topics: [a, b]}
                    roles:
                      - {role: stream-pub, process: all, settings: {subscribers: 2}}
                      - {role: stream-sub, process: all}
                      - {role: stream-sub, process: all, settings: {topics: [b]}}
                    criteria: {minRateHeldPart: 0}
                  - name: some-are-never-sent
                    workload: stream
                    channels: ["tcp://127.0.0.1:0"]
                    settings:
                      {payloadBytes: 100, rate: 4000, messages: 2000, jvmWarmUp: 50ms, topics: [a, b], lossPercent: 20}
                    roles:
                      - {role: stream-pub, process: all, settings: {subscribers: 2}}
                      - {role: stream-sub, process: all}
                      - {role: stream-sub, process: all, settings: {topics: [b]}}
                    criteria: {minRateHeldPart: 0}
                """);

        final Launch.Outcome outcome =
                Launch.here(
                        folder, "run some-topics.yaml --noise 0 --no-history --json --out there");

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        final List<JsonNode> trials = ResultDocument.parse(outcome.out()).trials();
        assertThat(trials.subList(0, 2))
                .allSatisfy(trial -> {
                    assertThat(trial.path("expected").asLong()).isEqualTo(3000);
                    assertThat(trial.path("received").asLong()).isEqualTo(3000);
                    assertThat(trial.at("/counts/notAskedFor").asLong()).isEqualTo(1000);
                });
        assertThat(trials.getLast().path("lost").asLong())
                .isEqualTo(2 * trials.getLast().at("/counts/artificiallyLost").asLong());
    }

    /**
     * One role of each other workload stands still for a while. Where a busy machine begins to
     * measure after the fault, the result says how long no message was due.
     */
    @Test
    void shouldMeasureTheTimeToRecoverOfEveryWorkload() throws IOException {
        Files.writeString(
                folder.resolve("stalled.yaml"),
                """
                schema: tickmark.plan/1
                name: stalled
                tests:
                  - name: latency
                    workload: latency
                    channels: ["udp://127.0.0.1:0"]
                    settings: {sizes: 64, rate: 1000, duration: 4s, warmUp: 50ms, pingTimeout: 10s}
                    roles: [{role: latency-pub}, {role: latency-sub}]
                    faults:
                      - {role: latency-sub, at: 2s, do: stop}
                      - {role: latency-sub, at: 2300ms, do: continue}
                    criteria: {maxLostPart: 1, minRateHeldPart: 0, maxTakenPart: 1}
                  - name: fix
                    workload: fix
                    channels: ["tickmark:"]
                    settings: {producersPort: 0, consumersPort: 0}
                    roles:
                      - {role: fix-gateway, settings: {exitAtEnd: true}}
                      - {role: fix-consumers, process: clients, settings: {consumers: 2, progressEvery: 0}}
                      - role: fix-producers
                        process: clients
                        settings: {producers: 1, duration: 4s, rate: 500, every: 1, warmUp: 300ms}
                    faults:
                      - {role: fix-gateway, at: 2s, do: stop}
                      - {role: fix-gateway, at: 2300ms, do: continue}
                    criteria: {maxLostPart: 1, minRateHeldPart: 0, maxTakenPart: 1}
                  - name: market
                    workload: market
                    settings:
                      itemCount: 50
                      updateRate: 1000
                      latencyUpdateRate: all
                      steadyStateTime: 4s
                      delaySteadyStateCalc: 0s
                    roles:
                      - {role: market-provider, settings: {port: 0, endWithConsumers: true}}
                      - {role: market-consumer}
                    faults:
                      - {role: market-provider, at: 3s, do: stop}
                      - {role: market-provider, at: 3300ms, do: continue}
                    criteria: {maxLostPart: 1, minRateHeldPart: 0, maxTakenPart: 1}
                  - name: feed
                    workload: feed
                    settings: {duration: 4s, warmUp: 300ms, rate: 500, symbols: 50, clients: 5}
                    roles: [{role: feed-server}, {role: feed-clients}]
                    faults:
                      - {role: feed-server, at: 2s, do: stop}
                      - {role: feed-server, at: 2300ms, do: continue}
                    criteria: {maxLostPart: 1, minRateHeldPart: 0, maxTakenPart: 1}
                """);

        final Launch.Outcome outcome = stalled(4);

        final List<JsonNode> trials = ResultDocument.parse(outcome.out()).trials();
        for (final String test : List.of("latency", "fix", "market", "feed")) {
            final String roles =
                    trials.stream()
                            .filter(trial -> trial.path("test").asString().equals(test))
                            .map(trial -> trial.path("roles").toString())
                            .collect(Collectors.joining());
            final long stoodStillMs = ms(roles, "resumed at ") - ms(roles, "suspended at ");
            final JsonNode recovered =
                    trials.stream()
                            .filter(trial -> trial.path("test").asString().equals(test))
                            .map(trial -> trial.path("counts"))
                            .filter(counts -> counts.path("recovered").asLong() == 1)
                            .findFirst()
                            .orElseThrow(
                                    () -> new AssertionError(test + ": " + outcome.err() + roles));
            if (recovered.has("maxRecoveryNs")) {
                assertThat(recovered.path("maxRecoveryNs").asLong() / 1_000_000)
                        .as("ms, %s after a standstill of %d ms: %s", test, stoodStillMs, roles)
                        .isGreaterThan(stoodStillMs - 50);
            } else {
                assertThat(roles).containsPattern("at most [0-9.]+ ms, as no message was due for");
            }
        }
    }

    /** A time that follows some words, in whole milliseconds. */
    static long ms(final String events, final String before) {
        final String time = events.replaceFirst("(?s).*?" + before + "([0-9]+m?s).*", "$1");
        return time.endsWith("ms")
                ? Long.parseLong(time.substring(0, time.length() - 2))
                : 1000 * Long.parseLong(time.substring(0, time.length() - 1));
    }

    @Test
    void shouldMeasureEachChannelAndLeaveAResultFolder() throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), PLAN);
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "run mine.yaml --out there").withUsualJvms().run();
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out())
                .startsWith("test and channel")
                .contains("flow on aeron:ipc", "Passed. All 6 trials met their criteria.")
                .contains("Report: there/report.html", "Tables: there/summary.txt")
                .doesNotContain("actual_sends");
        outcome.isOneScreen();
        assertThat(folder.resolve("there/summary.txt"))
                .content()
                .contains("50% us", "actual_sends=1000");
        assertThat(outcome.err())
                .contains("6 trials, about ", "into there", "6/6 flow aeron:ipc")
                .doesNotContain("Exception");
        final Path there = folder.resolve("there");
        final ResultDocument result = ResultDocument.read(there.resolve("result.json"));
        assertThat(result.text("verdict")).isEqualTo("pass");
        assertThat(result.trials()).hasSize(6);
        assertThat(result.trials())
                .allSatisfy(trial -> assertThat(trial.path("received").asInt()).isPositive());
        shouldHaveItsFiles(there);
        shouldLoadNothingFromTheNetwork(Files.readString(there.resolve("report.html")));
        shouldMakeTheReportAgain(there);
        shouldRunAgainAsResolved(there.resolve("plan.yaml"));
        shouldPrintOnAFewPages(there.resolve("report.html"));
    }

    private static void shouldHaveItsFiles(final Path there) throws IOException {
        try (Stream<Path> files = Files.list(there)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains(
                            "plan.yaml",
                            "environment.json",
                            "noise.json",
                            "result.json",
                            "report.html",
                            "live.jsonl",
                            "roles");
        }
        try (Stream<Path> roles = Files.list(there.resolve("roles"))) {
            assertThat(roles.map(role -> role.getFileName().toString()))
                    .hasSize(12)
                    .containsAll(FOLDERS_OF_ROLES);
        }
        for (final String role : FOLDERS_OF_ROLES) {
            assertThat(there.resolve("roles").resolve(role))
                    .isDirectoryContaining("glob:**/summary.txt")
                    .isDirectoryContaining("glob:**/stats.csv")
                    .isDirectoryContaining("glob:**/latency.hlog");
        }
    }

    /** Links a reader may follow are fine; what a page loads by itself is not. */
    private static void shouldLoadNothingFromTheNetwork(final String page) {
        assertThat(page).contains("<!doctype html", "every-channel", "Passed");
        assertThat(page)
                .doesNotContainPattern("(?i)\\bsrc\\s*=\\s*[\"']?(https?:)?//")
                .doesNotContainPattern("(?i)<link\\b[^>]*\\bhref\\s*=\\s*(?![\"']?data:)")
                .doesNotContainPattern("(?i)@import")
                .doesNotContainPattern("(?i)url\\(\\s*[\"']?(https?:)?//")
                .doesNotContainPattern("\\b(fetch|XMLHttpRequest|WebSocket|EventSource)\\b");
    }

    private void shouldMakeTheReportAgain(final Path there) throws IOException {
        Files.delete(there.resolve("report.html"));
        final Launch.Outcome again = Launch.here("report " + there);
        assertThat(again.exitCode()).isZero();
        assertThat(there.resolve("report.html")).isNotEmptyFile();
    }

    /** The plan as resolved is itself a plan: what it lacks here is only another place to run. */
    private void shouldRunAgainAsResolved(final Path plan) {
        final Launch.Outcome again = Launch.here("run " + plan + " --out /dev/null");
        assertThat(again.errLines()).singleElement().asString().contains("/dev/null is a file");
    }

    /**
     * The result was kept of a run of two minutes on a machine that others kept busy, of which
     * there is most to say; only what roles and libraries said of themselves was taken out. When
     * the default plan changes, keep that of {@code ./tickmark run} in its place.
     */
    @Test
    void shouldPrintTheReportOfTheDefaultRunOnAFewPages() throws IOException {
        final Path run = Files.createDirectory(folder.resolve("default"));
        final Path result = run.resolve("result.json");
        try (InputStream kept = new GZIPInputStream(Files.newInputStream(DEFAULT_RUN))) {
            Files.copy(kept, result);
        }
        assertThat(
                        ResultDocument.read(result).trials().stream()
                                .map(trial ->
                                        trial.path("test").asString()
                                                + " on "
                                                + trial.path("channel").asString())
                                .distinct())
                .as("what the default plan measures")
                .containsExactlyElementsOf(
                        new PlanLibrary(RoleCatalog.load())
                                .find("default").tests().stream()
                                        .flatMap(test ->
                                                test.channels().stream()
                                                        .map(channel ->
                                                                test.name() + " on " + channel))
                                        .toList());
        final Launch.Outcome written = Launch.here("report " + run);
        assertThat(written.exitCode()).as(written.err()).isZero();

        shouldPrintOnAFewPages(run.resolve("report.html"));
    }

    /** As a browser prints it of which nobody has clicked on anything. */
    private void shouldPrintOnAFewPages(final Path report) throws IOException {
        assumeTrue(
                Files.exists(CHROMIUM),
                "the package chromium is not installed: nothing to print with");
        final Path printed = folder.resolve("printed.pdf");
        final Launch.Outcome outcome =
                Launch.of(
                                CHROMIUM,
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--user-data-dir=" + folder.resolve("profile"),
                                "--virtual-time-budget=10000",
                                "--print-to-pdf=" + printed,
                                report.toUri().toString())
                        .run();
        assertThat(printed).as(outcome.err()).exists();
        assertThat(
                        PRINTED_PAGE
                                .matcher(Files.readString(printed, StandardCharsets.ISO_8859_1))
                                .results()
                                .count())
                .isBetween(1L, MOST_PRINTED_PAGES);
    }

    @Test
    void shouldPutBothSidesOfAChannelWithinAProcessIntoOne() throws IOException {
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "stream --channel null: --messages 500 --jvm-warm-up 0 --no-noise --no-history"
                                + " --out there");
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("actual_sends=500", "Passed.");
        assertThat(Files.readString(folder.resolve("there/plan.yaml"))).contains("process: all");
    }

    @Test
    void shouldKeepTwoRunsOfOneSecondApart() throws Exception {
        final String line =
                "stream --channel shm: --messages 500 --jvm-warm-up 0 --no-noise --quiet";
        try (Job first = Job.start(Launch.tickmark(folder, line), folder);
                Job second = Job.start(Launch.tickmark(folder, line), folder)) {
            assertThat(first.await().exitCode()).isZero();
            assertThat(second.await().exitCode()).isZero();
        }
        try (Stream<Path> results = Files.list(folder.resolve("results"))) {
            assertThat(results.filter(Files::isDirectory))
                    .hasSize(2)
                    .allSatisfy(result ->
                            assertThat(
                                            ResultDocument.read(result.resolve("result.json"))
                                                    .text("verdict"))
                                    .isEqualTo("pass"));
        }
    }

    @Test
    void shouldGoOnWhereOneEngineIsMissing() throws IOException {
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "stream --channel um:nowhere --channel shm: --messages 500 --jvm-warm-up 0"
                                + " --no-noise --no-history --quiet --out there");
        assertThat(outcome.exitCode()).isEqualTo(1);
        final ResultDocument result = ResultDocument.read(folder.resolve("there/result.json"));
        assertThat(result.trials())
                .extracting(trial -> trial.path("verdict").asString())
                .containsExactly("void", "pass");
        assertThat(result.reasons())
                .singleElement()
                .asString()
                .contains("the Ultra Messaging engine is missing here");
    }

    @Test
    void shouldKeepSecretsOutOfEveryFile() throws IOException {
        Files.writeString(
                folder.resolve("secret.yaml"),
                """
                schema: tickmark.plan/1
                name: secret
                noise: 0
                tests:
                  - name: secret
                    workload: fix
                    channels: ["tickmark:"]
                    settings: {producersPort: 0, consumersPort: 0, storePassword: open-sesame-1}
                    roles:
                      - {role: fix-gateway, settings: {exitAtEnd: true}, environment: {API_TOKEN: open-sesame-2}}
                      - {role: fix-consumers, settings: {consumers: 1}, jvm: {options: [-Dmy.password=open-sesame-3]}}
                      - {role: fix-producers, settings: {producers: 1, messages: 50, rate: 200, every: 5, warmUp: 100ms}}
                    criteria: {minRateHeldPart: 0}
                """);
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "run secret.yaml --set username=jane --set password=open-sesame-4"
                                + " --json --out there");

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("API_TOKEN=***").doesNotContain("open-sesame");
        final Path there = folder.resolve("there");
        assertThat(Files.readString(there.resolve("report.html")))
                .contains("Changed: username=jane, password=***.");
        try (Stream<Path> files = Files.walk(there)) {
            assertThat(files.filter(Files::isRegularFile))
                    .hasSizeGreaterThan(10)
                    .allSatisfy(file ->
                            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                                    .doesNotContain("open-sesame"));
        }
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The fan-out test through the front door: by hand as scripts spell it, and on every engine by a
 * plan.
 */
@Order(4)
class FixTest {
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: engines
            noise: 0
            tests:
              - name: fan-out
                workload: fix
                channels: ["tickmark:", "quickfixj:", "artio:"]
                settings: {producersPort: 0, consumersPort: 0}
                roles:
                  - {role: fix-gateway, settings: {exitAtEnd: true}}
                  - {role: fix-consumers, process: clients, settings: {consumers: 5, progressEvery: 0}}
                  - role: fix-producers
                    process: clients
                    settings: {producers: 2, messages: 400, rate: 400, every: 4, warmUp: 300ms}
                criteria: {minRateHeldPart: 0}
            """;

    private static final String KILLED =
            """
            schema: tickmark.plan/1
            name: killed
            noise: 0
            tests:
              - name: killed
                workload: fix
                channels: ["tickmark:"]
                settings: {producersPort: 0, consumersPort: 0}
                roles:
                  - {role: fix-gateway, settings: {exitAtEnd: true}}
                  - {role: fix-consumers, settings: {consumers: 2, progressEvery: 0}}
                  - {role: fix-producers, settings: {producers: 1, duration: 30s, rate: 200, warmUp: 300ms}}
                faults:
                  - {role: fix-gateway, at: 8s, do: kill}
            """;

    @TempDir private Path folder;

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }

    @Test
    void shouldRunTheGatewayAndItsClientsByHand() throws Exception {
        final int producers = LoopbackAddress.freePort();
        final int consumers = LoopbackAddress.freePort();
        try (Job gateway =
                        start(
                                "fix gateway --exit-at-end --producers-port "
                                        + producers
                                        + " --consumers-port "
                                        + consumers);
                Job receiving = start("fix consumers 127.0.0.1 3 100 --port " + consumers)) {
            receiving.awaitErr("3 consumers are logged on");
            try (Job sending = start("fix producers 127.0.0.1 2 200 400 2 --port " + producers)) {
                final Launch.Outcome sent = sending.await();
                assertThat(sent.out()).containsPattern("all .* 400\n");
                sent.passedOrWasSaturated();
            }
            final Launch.Outcome received = receiving.await();
            assertThat(received.err()).contains("Received 600 messages.");
            assertThat(received.out()).contains("600", "Passed.");
            assertThat(received.exitCode()).isZero();
            final Launch.Outcome passed = gateway.await();
            assertThat(passed.err()).contains("Consumers connect to 127.0.0.1:" + consumers);
            assertThat(passed.exitCode()).as(passed.out() + passed.err()).isZero();
        }
    }

    /** Step 5 of the document that fan-out tests of this field follow: Ctrl-C is no failure. */
    @Test
    void shouldEndTheGatewayOnCtrlCWithoutBlame() throws Exception {
        final int consumers = LoopbackAddress.freePort();
        final int producers = LoopbackAddress.freePort();
        final String gatewayLine =
                "fix gateway --producers-port " + producers + " --consumers-port " + consumers;
        try (Job gateway = start(gatewayLine);
                Job receiving = start("fix consumers 127.0.0.1 2 --port " + consumers)) {
            receiving.awaitErr("2 consumers are logged on at 127.0.0.1:" + consumers + ".");
            try (Job sending = start("fix producers 127.0.0.1 1 100 100 1 --port " + producers)) {
                sending.await().passedOrWasSaturated();
            }
            gateway.signal("INT", false);
            final Launch.Outcome ended = gateway.await();
            assertThat(ended.out()).contains("Passed.");
            assertThat(ended.exitCode()).isZero();
        }
    }

    @Test
    void shouldEndACaptureOnCtrlCWithoutBlame() throws Exception {
        CaptureNeeds.tcpdump(folder);
        try (Job capture =
                Job.start(
                        Launch.tickmark(folder, "capture kept.pcap").and("--filter", "udp port 1"),
                        folder)) {
            capture.awaitErr("Ctrl-C ends it.");
            capture.signal("INT", false);
            final Launch.Outcome ended = capture.await();
            assertThat(ended.out()).contains("packets captured", "0 packets dropped");
            assertThat(ended.exitCode()).isZero();
        }
    }

    @Test
    void shouldSayThatItWaitsForAGatewayAndThatItWasStopped() throws Exception {
        final int port = LoopbackAddress.freePort();
        try (Job receiving = start("fix consumers 127.0.0.1 2 --port " + port)) {
            receiving.awaitErr("Waiting for a gateway at 127.0.0.1:" + port + ", up to 1m...");
            receiving.signal("INT", false);
            final Launch.Outcome ended = receiving.await();
            assertThat(ended.err())
                    .contains(
                            "No gateway accepted the connection to 127.0.0.1:"
                                    + port
                                    + " before this was stopped (");
            assertThat(ended.exitCode()).isEqualTo(3);
        }
    }

    /** Two processes, and each engine that keeps files. */
    @ParameterizedTest
    @ValueSource(strings = {"tickmark", "quickfixj"})
    void shouldRefuseTheFolderOfAnotherGatewaysStore(final String engine) throws Exception {
        final Path kept = folder.resolve("kept");
        final String line =
                "fix gateway --producers-port 0 --consumers-port 0 --store file --store-dir "
                        + kept
                        + " --engine "
                        + engine;
        try (Job first = start(line)) {
            first.awaitErr("Consumers connect to");
            final Launch.Outcome second = Launch.here(line);
            assertThat(second.err())
                    .containsPattern(
                            "--store-dir "
                                    + Pattern.quote(kept.toString())
                                    + ": another gateway uses it \\(process \\d+\\);"
                                    + " name another folder, or end that one\\.");
            assertThat(second.exitCode()).isEqualTo(3);
            assertThat(first.isAlive()).isTrue();
        }
        try (Job third = start(line)) {
            third.awaitErr("Consumers connect to");
        }
    }

    /** As in the scripts: Enter ends the consumers, which then report what they received. */
    @Test
    void shouldEndConsumersOnEnter() throws Exception {
        final int producers = LoopbackAddress.freePort();
        final int consumers = LoopbackAddress.freePort();
        final String line =
                "(while ! [ -e go ]; do sleep 0.05; done; echo) | "
                        + Launch.ROOT.resolve("tickmark");
        try (Job gateway =
                        start(
                                "fix gateway --producers-port "
                                        + producers
                                        + " --consumers-port "
                                        + consumers);
                Job receiving =
                        Job.start(
                                Launch.of(
                                                Path.of("/bin/sh"),
                                                "-c",
                                                line
                                                        + " fix consumers 127.0.0.1 2 --port "
                                                        + consumers)
                                        .with("JAVA_HOME", System.getProperty("java.home"))
                                        .with("TICKMARK_BUILD", "never")
                                        .in(folder),
                                folder)) {
            receiving.awaitErr("2 consumers are logged on");
            try (Job sending = start("fix producers 127.0.0.1 1 50 200 5 --port " + producers)) {
                final Launch.Outcome sent = sending.await();
                assertThat(sent.out()).containsPattern("all .* 50\n");
                sent.passedOrWasSaturated();
            }
            assertThat(receiving.isAlive()).isTrue();
            Files.createFile(folder.resolve("go"));
            final Launch.Outcome received = receiving.await();
            assertThat(received.err()).doesNotContain("stopping");
            assertThat(received.out()).contains("Passed.");
            assertThat(received.exitCode()).isZero();
            assertThat(gateway.isAlive()).isTrue();
        }
    }

    @Test
    void shouldSayWhoIsGoneWhenTheGatewayIsKilledAndKeepEveryFile() throws Exception {
        final Path plan = Files.writeString(folder.resolve("killed.yaml"), KILLED);
        final Path out = folder.resolve("out");
        final Launch.Outcome outcome =
                Launch.here(folder, "run " + plan + " --no-history --out " + out);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.isOneScreen().out())
                .contains(
                        "Void. 1 of 1 trial is not a valid measurement.",
                        "fix-consumers-1: A consumer's session ended:",
                        "fix-producers-1: A producer's session ended:",
                        "Killed as planned after 8s");
        for (final String role : List.of("fix-consumers-1", "fix-producers-1")) {
            final Path files = out.resolve("roles/killed-tickmark-" + role);
            for (final String file :
                    List.of("summary.txt", "stats.csv", "latency.hlog", "role.log")) {
                assertThat(files.resolve(file)).exists();
            }
        }
        final JsonNode row =
                ResultDocument.parse(Files.readString(out.resolve("result.json"))).trials().get(0);
        assertThat(row.path("received").asLong()).isPositive();
        assertThat(out.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void shouldCompareEnginesInOnePlan() throws Exception {
        final Path plan = Files.writeString(folder.resolve("engines.yaml"), PLAN);
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "run " + plan + " --no-history --json --out " + folder.resolve("out"));
        final List<JsonNode> rows = ResultDocument.parse(outcome.out()).trials();
        assertThat(rows)
                .extracting(row -> row.path("channel").asString())
                .containsExactly("tickmark:", "quickfixj:", "artio:");
        for (final JsonNode row : rows) {
            assertThat(row.path("expected").asLong()).as(outcome.err()).isEqualTo(1000);
            assertThat(row.path("received").asLong()).isEqualTo(1000);
            assertThat(row.path("serviceNs").path("count").asLong()).isEqualTo(1000);
            assertThat(row.at("/tail/messages").asLong()).isEqualTo(1000);
            assertThat(row.at("/tail/threads").valueStream())
                    .extracting(thread -> thread.path("thread").asString())
                    .contains("producers-1", "consumers-1");
            assertThat(row.path("verdict").asString()).isEqualTo("pass");
        }
    }

    /** The shipped plan, made small: 2 producers x 100 messages that fan out, 5 consumers. */
    @Test
    void shouldSetTheWireBesideTheApplicationForEveryCopy() throws Exception {
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "run fix-fan-out --noise 0 --no-history --json --out out --set required=true"
                                + " --set consumers=5 --set producers=2 --set messages=400"
                                + " --set rate=400 --set every=4 --set warmUp=300ms");
        assumeTrue(outcome.exitCode() != 3, outcome.err().strip());
        final JsonNode row = ResultDocument.parse(outcome.out()).trial();

        assertThat(row.path("received").asLong()).as(outcome.err()).isEqualTo(1000);
        assertThat(row.path("serviceNs").path("count").asLong()).isEqualTo(1000);
        assertThat(row.path("wireNs").path("count").asLong()).isEqualTo(1000);
        assertThat(row.path("wireFirstCopyNs").path("count").asLong()).isEqualTo(200);
        assertThat(row.path("wireLastCopyNs").path("count").asLong()).isEqualTo(200);
        final JsonNode counts = row.path("counts");
        assertThat(counts.path("wireIn").asLong()).isEqualTo(800);
        assertThat(counts.path("wireInUnmatched").asLong()).as("not marked").isEqualTo(600);
        assertThat(counts.path("wireOut").asLong()).isEqualTo(1000);
        assertThat(counts.path("wireOutUnmatched").asLong()).isZero();
        assertThat(row.path("wireNs").path("p50").asLong())
                .as("a part of the way")
                .isLessThan(row.path("serviceNs").path("p50").asLong());
        assertThat(Files.readString(folder.resolve("out/summary.txt")))
                .contains("Service time", "Wire", "Wire first copy", "Wire last copy");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "fix gateway --engine none; 3; --engine none: is not installed; there are tickmark",
                "fix gateway --version fix-9; 2; --version",
                "fix gateway --schedule noon; 2; --schedule 'noon'",
                "fix gateway --tls; 2; --key-store",
                "fix; 2; there are fix gateway, fix consumers, fix producers.",
                "fix gatway; 2; needs a subcommand",
                "fix gateway --validate all; 2; --validate",
                "fix gateway --engine artio --validate dictionary; 2; --engine artio checks no dictionary",
                "fix gateway --engine quickfixj --third-parties A; 2; --third-parties",
                "fix gateway --slow-sessions C1=stop; 2; --slow-sessions 'C1=stop'",
                "fix gateway --store file --store-dir /dev/null/x; 3; --store-dir /dev/null/x",
                "fix consumers 127.0.0.1 0; 2; CONSUMERS is 0",
                "fix consumers 127.0.0.1 5 --consumers 6; 2; is given twice",
                "fix consumers 127.0.0.1 2 --stalled 2; 2; there are only 2 consumers, and one has to read",
                "fix consumers nowhere.invalid; 3; --host nowhere.invalid",
                "fix producers --message none.fix; 2; --message none.fix",
                "fix producers 127.0.0.1 1 1 1 1 --port 1 --connect-timeout 300ms; 3; tickmark fix gateway",
            })
    void shouldSayWhatIsWrong(final String line, final int exitCode, final String sentence) {
        // consumers look for Enter as soon as they run, and the input here is not theirs
        final boolean reads = line.startsWith("fix consumers") && exitCode == 3;
        final Launch.Outcome outcome =
                reads ? Launch.tickmark(folder, line).run() : Launch.here(line);
        assertThat(outcome.err()).contains(sentence);
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
    }
}

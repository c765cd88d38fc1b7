package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Plans in pods: the mock of the API server that belongs to the client, as a separate process, with
 * real agents behind exec; each pod has a loopback address.
 */
class KubernetesTest {
    private static final Path MODULE = Launch.ROOT.resolve("kubernetes/target");

    private static final String STREAM =
            "stream --channel udp://127.0.0.1:0 --rate 1000 --duration 60s --jvm-warm-up 50ms --out run";
    private static final String PUB_AND_SUB = "jobs: [{name: pub}, {name: sub}]";

    @TempDir private static Path shared;
    private static Cluster cluster;

    @TempDir private Path folder;

    /** The mock, whose start takes longer than most that it is asked for. */
    private static final class Cluster implements AutoCloseable {
        private final Path folder;
        private final Process process;
        private final BufferedReader said;
        private final PrintStream orders;
        private final String kubeconfig;

        Cluster(final Path folder) throws IOException {
            this.folder = folder;
            final String classPath =
                    String.join(
                            ":",
                            MODULE.resolve("test-classes").toString(),
                            MODULE.resolve("classes").toString(),
                            Files.readString(MODULE.resolve("mock-cluster.classpath")).strip());
            process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-XX:TieredStopAtLevel=1",
                                    "-cp",
                                    classPath,
                                    "io.tickmark.kubernetes.MockCluster",
                                    folder.toString())
                            .redirectError(folder.resolve("cluster.err").toFile())
                            .start();
            said =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8));
            orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
            kubeconfig = said.readLine();
            assertThat(kubeconfig).as("the mock starts").isNotNull();
        }

        void order(final String words) {
            orders.println(words);
        }

        String jobs() throws IOException {
            order("jobs");
            return said.readLine();
        }

        /** All that runs in pods has it from them by its environment, roles too. */
        List<String> leftOver() {
            return ProcessHandle.allProcesses()
                    .filter(each -> isOfPod(each.pid()))
                    .map(each -> each.info().commandLine().orElse("process " + each.pid()))
                    .toList();
        }

        private boolean isOfPod(final long pid) {
            try {
                return Files.readString(
                                Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1)
                        .contains("TICKMARK_FOLDER=" + folder + "/");
            } catch (final IOException e) {
                return false; // it has ended
            }
        }

        @Override
        public void close() {
            orders.close();
            process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @BeforeAll
    static void start() throws IOException {
        cluster = new Cluster(shared);
    }

    @AfterAll
    static void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private Path pods(final String more) throws IOException {
        return Files.writeString(
                folder.resolve("pods.yaml"),
                """
                schema: tickmark.kubernetes/1
                image: registry.example/tickmark:1
                home: %s
                %s
                """
                        .formatted(Launch.ROOT, more));
    }

    private Launch on(final String line, final String more) throws IOException {
        return on(cluster, line, more);
    }

    private Launch on(final Cluster there, final String line, final String more)
            throws IOException {
        return Launch.tickmark(folder, line)
                .onHosts("--kubernetes", pods(more))
                .and("--no-noise")
                .with("KUBECONFIG", there.kubeconfig);
    }

    private static void shouldLeaveNothing() throws InterruptedException {
        Job.await("the end of what ran in pods", () -> cluster.leftOver().isEmpty());
    }

    @Test
    void shouldRunThePlanOfOneMachineInPods() throws Exception {
        final Launch.Outcome outcome =
                on(
                                "latency --channel udp://127.0.0.1:0 --sizes 64 --samples 500 --warm-up 50ms --ping-timeout 10s"
                                        + " --idle block --subscribers 2 --out run --json",
                                "jobs: [{name: pub, roles: [latency-pub]}, {name: sub, count: 2, roles: [latency-sub]}]")
                        .runInTime(folder.resolve("run"));

        assertThat(outcome.err()).isEmpty();
        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(result.root().at("/verdict").asString()).isEqualTo("pass");
        final var roles = result.root().at("/trials/0/roles");
        assertThat(roles.at("/0/metrics/host").asString()).isEqualTo("pub-0");
        assertThat(roles.at("/1/metrics/host").asString()).isEqualTo("sub-0");
        assertThat(roles.at("/2/metrics/host").asString()).isEqualTo("sub-1");
        for (int role = 0; role < 3; role++) {
            assertThat(Math.abs(roles.at("/" + role + "/metrics/clockOffsetNs").asLong()))
                    .as("pods on one machine share a clock, so the bound must contain zero")
                    .isLessThanOrEqualTo(roles.at("/" + role + "/metrics/clockBoundNs").asLong());
        }
        assertThat(folder.resolve("run")).isDirectoryRecursivelyContaining("glob:**/latency.hlog");
        assertThat(cluster.jobs()).isEqualTo("jobs 0");
        shouldLeaveNothing();
    }

    /** Nobody says where their servers listen: each pod has an address of its own. */
    @Test
    void shouldFindTheServersOfFixAndMarketPlansInOtherPods() throws Exception {
        Files.writeString(
                folder.resolve("apart.yaml"),
                """
                schema: tickmark.plan/1
                name: apart
                noise: 0s
                tests:
                  - name: fix
                    workload: fix
                    channels: ["tickmark:"]
                    settings: {producersPort: 0, consumersPort: 0}
                    roles:
                      - {role: fix-gateway, settings: {exitAtEnd: true}}
                      - {role: fix-consumers, settings: {consumers: 4, progressEvery: 0}}
                      - {role: fix-producers, settings: {producers: 2, messages: 60, rate: 100, every: 4, warmUp: 200ms}}
                    criteria: {maxLostPart: 0, minRateHeldPart: 0, maxTakenPart: 1}
                  - name: market
                    workload: market
                    settings: {itemCount: 100, updateRate: 1000, steadyStateTime: 10s, delaySteadyStateCalc: 0s}
                    roles:
                      - {role: market-provider, settings: {port: 0, endWithConsumers: true}}
                      - {role: market-consumer}
                    criteria: {maxLostPart: 0, minRateHeldPart: 0, maxTakenPart: 1}
                """);
        final Launch.Outcome outcome =
                on(
                                "run apart.yaml --out run --no-history",
                                "jobs: [{name: one}, {name: two}, {name: three}]")
                        .runInTime(folder.resolve("run"));

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isLessThan(2);
        final List<JsonNode> rows = ResultDocument.read(folder.resolve("run/result.json")).trials();
        assertThat(rows)
                .as(outcome.out() + outcome.err())
                .hasSizeGreaterThanOrEqualTo(2)
                .anySatisfy(row -> assertReceived(row, "fix"))
                .anySatisfy(row -> assertReceived(row, "market"));
        final List<String> hosts =
                rows.stream()
                        .flatMap(row -> row.path("roles").valueStream())
                        .map(role -> role.at("/metrics/host").asString())
                        .distinct()
                        .toList();
        assertThat(hosts).as("the roles are in different pods").hasSizeGreaterThan(1);
        shouldLeaveNothing();
    }

    private static void assertReceived(final JsonNode row, final String test) {
        assertThat(row.path("test").asString()).isEqualTo(test);
        assertThat(row.path("received").asLong()).as(row.toString()).isPositive();
    }

    @Test
    void shouldVoidTheTrialAndKeepTheRestWhenAPodIsEvicted() throws Exception {
        try (Job run = Job.start(on(STREAM, PUB_AND_SUB), folder)) {
            run.awaitReceived(folder.resolve("run"));
            cluster.order("evict sub");
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.out().replaceAll("\\s+", " "))
                    .as(outcome.err())
                    .contains("Host sub-0 was lost")
                    .contains("its pod ended (Evicted: The node was low on");
            assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(1);
        }
        assertThat(folder.resolve("run/result.json")).exists();
        assertThat(cluster.jobs()).isEqualTo("jobs 0");
        shouldLeaveNothing();
    }

    @Test
    void shouldVoidTheTrialWhenAPodIsDeleted() throws Exception {
        try (Job run = Job.start(on(STREAM, PUB_AND_SUB), folder)) {
            run.awaitReceived(folder.resolve("run"));
            cluster.order("delete sub");
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.out().replaceAll("\\s+", " "))
                    .as(outcome.err())
                    .contains("Host sub-0 was lost");
            assertThat(outcome.exitCode()).isEqualTo(1);
        }
        assertThat(folder.resolve("run/result.json")).exists();
        assertThat(cluster.jobs()).isEqualTo("jobs 0");
        shouldLeaveNothing();
    }

    /** On a cluster of its own, which keeps its jobs. */
    @Test
    void shouldEndWhenTheServerRefusesWhileItMeasures() throws Exception {
        try (Cluster refusing = new Cluster(Files.createDirectory(folder.resolve("cluster")));
                Job run = Job.start(on(refusing, STREAM, PUB_AND_SUB), folder)) {
            run.awaitReceived(folder.resolve("run"));
            assertThat(refusing.leftOver())
                    .as("agents, roles and what keeps the pods")
                    .hasSizeGreaterThan(3);
            refusing.order("refuse GET /api/v1/namespaces/bench/pods 500");
            refusing.order("refuse DELETE /apis/batch 403");
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.out().replaceAll("\\s+", " "))
                    .as(outcome.err())
                    .contains("was lost");
            assertThat(outcome.err())
                    .contains("They are still there: 'kubectl delete jobs -n bench -l ")
                    .doesNotContain("Exception");
            assertThat(outcome.exitCode()).isNotZero();
        }
        assertThat(folder.resolve("run/result.json")).exists();
    }

    @Test
    void shouldDeleteTheJobsOnCtrlC() throws Exception {
        try (Job run = Job.start(on(STREAM, PUB_AND_SUB), folder)) {
            run.awaitErr("1/1 stream");
            run.signal("INT", false);
            assertThat(run.await().exitCode()).isEqualTo(1);
        }
        assertThat(cluster.jobs()).isEqualTo("jobs 0");
        shouldLeaveNothing();
    }

    @Test
    void shouldSayWhatIsWrongBeforeAnythingStarts() throws Exception {
        assertThat(refused("latency --hosts hosts.yaml", "jobs: [{name: pub}]"))
                .contains("--hosts and --kubernetes exclude each other");
        assertThat(refused("latency", "jobs: [{name: Pub, colour: red}]"))
                .contains("pods.yaml", "jobs[0].name", "jobs[0].colour is not a key here");
        assertThat(refused("latency", "jobs: [{name: pub, roles: [latency-pup]}]"))
                .contains(
                        "jobs[0].roles",
                        "latency-pup, which is not a role; did you mean latency-pub?");
        assertThat(cluster.jobs()).isEqualTo("jobs 0");
    }

    private String refused(final String line, final String more) throws IOException {
        return Launch.here(line + " --kubernetes " + pods(more)).err();
    }
}

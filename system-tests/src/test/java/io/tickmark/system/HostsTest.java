package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Plans on several hosts: network namespaces on one cable, each with an ssh server; the controller
 * is host 1, the roles' hosts are 2, 3 and 4. True clock offset between them: none.
 */
@Order(1)
class HostsTest {
    private static final int[] MACHINES = {2, 3, 4};

    /**
     * A trial is what these tests want, not its figures: all hosts share the cores of one machine.
     */
    private static final String SHORT = " --warm-up 50ms --ping-timeout 10s --idle block";

    /** What is undecided would spin on hosts, whatever the environment of this process says. */
    private static final String STREAM =
            "stream --rate 200 --idle adaptive --jvm-warm-up 50ms --out run";

    /** Of rows of shipped plans that a busy machine made void. */
    private static final int MOST_TRIES = 3;

    private static final YAMLMapper YAML = new YAMLMapper();

    /** What a machine that is busy with other tests makes of a trial on three hosts. */
    private static final Pattern BUSY =
            Pattern.compile(
                    "Other tasks or the hypervisor used the core of .*|\\S+ on \\S+ began \\d+ ms after the start; .*"
                            + "|.* did not (start|finish \\w+) within .*|The clock of host \\S+ ran unevenly .*"
                            + "|The \\w+ sent \\d+ [\\w ]+/s of the requested \\d+/s; either it sends too slowly, .*");

    /** All that may make a row void here. */
    private static boolean isOfABusyMachine(final String why) {
        return BUSY.matcher(why).matches() || Launch.SILENT.matcher(why).find();
    }

    /** Of what changes from one try to the next. */
    private static final Pattern FIGURE = Pattern.compile("[0-9]+");

    @TempDir private static Path keys;
    @TempDir private static Path plugins;

    private static Namespaces namespaces;
    private static Path client;
    private static final List<SshServer> SERVERS = new ArrayList<>();

    @TempDir private Path folder;

    @BeforeAll
    static void start() throws Exception {
        namespaces = new Namespaces(4);
        client = SshServer.keys(keys);
        SamplePlugins.build(plugins);
        for (final int host : MACHINES) {
            SERVERS.add(SshServer.start(namespaces, host, keys));
        }
    }

    @AfterAll
    static void end() {
        SERVERS.forEach(SshServer::close);
        if (namespaces != null) {
            namespaces.close();
        }
    }

    /** A file of all three hosts. */
    private Path hosts() throws IOException {
        return hosts("", MACHINES);
    }

    /**
     * A file of some hosts, with a line after them: each costs an agent, with a role or without.
     */
    private Path hosts(final String after, final int... machines) throws IOException {
        return Files.writeString(folder.resolve("hosts.yaml"), text(machines) + after);
    }

    private static String text(final int... hosts) {
        final StringBuilder text = new StringBuilder("schema: tickmark.hosts/1\nhosts:\n");
        for (final int host : hosts) {
            text.append(
                    "  - {name: h%d, address: %s, configuration: %s, java: %s, folder: %s }\n"
                            .formatted(
                                    host,
                                    Namespaces.ip4(host),
                                    client,
                                    Path.of(System.getProperty("java.home"), "bin", "java"),
                                    keys.resolve("on-h" + host)));
        }
        return text.toString();
    }

    private Launch on(final String line, final Path hosts) {
        return namespaces.on(
                1,
                Launch.tickmark(folder, line)
                        .onHosts("--hosts", hosts)
                        .and("--no-noise")
                        .with("TICKMARK_PLUGINS", plugins.toString()));
    }

    private static String text(final ResultDocument result, final String pointer) {
        return result.root().at(pointer).asString();
    }

    private static long number(final ResultDocument result, final String pointer) {
        return result.root().at(pointer).asLong();
    }

    private static List<String> leftOver() throws IOException, InterruptedException {
        // agents and roles run from, and write to, the folders of their hosts
        final Process ps = new ProcessBuilder("pgrep", "-af", keys + "/on-h").start();
        final String said = new String(ps.getInputStream().readAllBytes());
        ps.waitFor();
        return said.lines().toList();
    }

    /** With the plug-ins of this machine, which come to the hosts with the build. */
    @Test
    void shouldRunThePlanOfOneMachineOnThree() throws Exception {
        final Launch.Outcome outcome =
                on(
                                "latency --channel udp://127.0.0.1:0 --sizes 64 --samples 1000"
                                        + SHORT
                                        + " --subscribers 2 --out run --json",
                                hosts())
                        .runInTime(folder.resolve("run"));

        assertThat(outcome.err()).isEmpty();
        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(text(result, "/verdict")).as(outcome.out()).isEqualTo("pass");
        assertThat(number(result, "/trials/0/lost")).isZero();
        assertThat(text(result, "/trials/0/roles/0/metrics/host")).isEqualTo("h2");
        assertThat(text(result, "/trials/0/roles/1/metrics/host")).isEqualTo("h3");
        assertThat(text(result, "/trials/0/roles/2/metrics/host")).isEqualTo("h4");
        for (int role = 0; role < 3; role++) {
            final String metrics = "/trials/0/roles/" + role + "/metrics/";
            assertThat(Math.abs(number(result, metrics + "clockOffsetNs")))
                    .as("the hosts share a clock, so the bound must contain zero")
                    .isLessThanOrEqualTo(number(result, metrics + "clockBoundNs"));
        }
        assertThat(text(result, "/environment/host h3/kernel.release")).isNotEmpty();
        assertThat(folder.resolve("run")).isDirectoryRecursivelyContaining("glob:**/latency.hlog");
        shouldLeaveNothing();
        assertThat(keys.resolve("on-h3/runs")).isEmptyDirectory();
    }

    @Test
    void shouldRecordOneWayTimesWithTheBoundOfTheClocks() throws Exception {
        final Launch.Outcome outcome =
                on(
                                STREAM + " --channel tcp://127.0.0.1:0 --duration 1s",
                                hosts("roles: {stream-pub: [h4], stream-sub: [h2]}\n", 2, 4))
                        .runInTime(folder.resolve("run"));

        assertThat(outcome.out())
                .contains("The clocks of the hosts agree within")
                .doesNotContain("Void.");
        assertThat(folder.resolve("run/summary.txt")).content().contains("response 50% us");
        // whether all hosts on one machine hold the rate is that machine's to say
        outcome.passedOrWasSaturated();
    }

    /**
     * The echo on another host is stopped; that is charged with what it delayed, and so it says.
     */
    @Test
    void shouldChargeTheTailToWhoeverStoppedTheEchoOnAnotherHost() throws Exception {
        final Path run = folder.resolve("run");
        final Launch.Outcome outcome;
        try (Job job =
                Job.start(
                        on(
                                "latency --channel udp://127.0.0.1:0 --sizes 64 --rate 1000 --duration 10s --idle"
                                        + " spin --warm-up 50ms --out run",
                                hosts("roles: {latency-pub: [h2], latency-sub: [h3]}\n", 2, 3)),
                        folder)) {
            job.awaitReceived(run);
            final String echo =
                    leftOver().stream()
                            .filter(line -> line.contains("/on-h3") && line.contains("RoleHost"))
                            .map(line -> line.substring(0, line.indexOf(' ')))
                            .collect(Collectors.joining(" "));
            assertThat(echo).isNotEmpty();
            final String stopping =
                    "for stop in $(seq 5); do kill -STOP %s; sleep 0.05; kill -CONT %s; sleep 0.2; done"
                            .formatted(echo, echo);
            assertThat(new ProcessBuilder("/bin/sh", "-c", stopping).start().waitFor()).isZero();
            outcome = job.await();
        }

        final JsonNode tail = ResultDocument.read(run.resolve("result.json")).trial().path("tail");
        assertThat(tail.path("threads").size()).as(outcome.err() + tail).isEqualTo(2);
        assertThat(tail.path("notWatched").toString())
                .contains("latency-sub 1 ran on h3, whose clock agreed within ");
        final double stoppedNs =
                tail.path("bands")
                        .valueStream()
                        .flatMap(band -> band.path("charges").valueStream())
                        .filter(charge -> charge.path("cause").asString().contains("stopped"))
                        .mapToDouble(charge -> charge.path("ns").asDouble())
                        .sum();
        // five stops of 50 ms at least, in which messages wait for half of it in the mean
        assertThat(stoppedNs).as(tail.toString()).isGreaterThan(5 * 50 * 25e6 / 2);
        assertThat(
                        namespaces
                                .on(1, Launch.tickmark(folder, "why run --lines 10000"))
                                .run()
                                .out()
                                .replaceAll("\\s+", " "))
                .contains("the echo was stalled for", "stopped by a signal (dated)");
    }

    /**
     * The shipped plans, made short, as they are: not one of them says where its servers listen.
     * Those that can be made short by the same settings share a command, and so its agents. What a
     * busy machine makes void is run again, and nothing else of it. Each role is elsewhere, but for
     * those of channels that stay on one host. Fan-out that merges delivers once a second, so its
     * window is several of these seconds.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fix fix-fan-out | messages=60 duration=0s rate=100 every=4 warmUp=200ms producers=2 consumers=4"
                        + " idle=adaptive",
                "market market-through-hub | itemCount=100 updateRate=1000"
                        + " steadyStateTime=4s delaySteadyStateCalc=0s idle=adaptive",
                "market-direct market-non-interactive market-posting | itemCount=100 holdUntilItems=100 ownItems=100"
                        + " updateRate=1000 postingRate=1000 steadyStateTime=4s delaySteadyStateCalc=0s idle=adaptive",
                "market-api | itemCount=100 updateRate=1000 steadyStateTime=4s delaySteadyStateCalc=0s idle=adaptive",
                "fan-out market-transport | duration=4s warmUp=300ms clients=10 rate=1000 sessionThreads=2",
                "latency-fan-out | sizes=64 samples=50 pingTimeout=10s warmUp=50ms idle=block",
            })
    void shouldRunShippedPlans(final String plans, final String changes) throws Exception {
        final Measured measured = new Measured();
        measured.run(
                plans
                        + " --set jvm.options=-XX:TieredStopAtLevel=1"
                        + changes.replaceAll("(^| )(?=\\w)", " --set "),
                "run",
                "");
        for (int tries = 1; tries < MOST_TRIES; tries++) {
            for (final String place : measured.late()) {
                final Path again =
                        Files.createDirectories(folder.resolve("again-" + tries).resolve(place));
                measured.writeLate(place, again.resolve("late.yaml"));
                measured.run(again + "/late.yaml", folder.relativize(again) + "/run", place);
            }
        }

        measured.shouldHaveMeasuredWhatTheMachineLetIt();
        assertThat(measured.neverMeasured())
                .as("plans whose every run was void for the same reason")
                .isEmpty();
    }

    /**
     * What the runs of one command said: of its plans, then of those rows alone that a busy machine
     * had made void.
     */
    private final class Measured {
        /**
         * By the place of the result below the folder of the first run and by the names of the
         * rows: what each run said of them.
         */
        private final Map<String, Map<String, List<List<JsonNode>>>> said = new TreeMap<>();

        /** Runs plans; of rows that were run before, the last word counts. */
        void run(final String plans, final String into, final String place) throws IOException {
            final Launch.Outcome outcome;
            final boolean hasStood;
            try (MachineWatch machine = new MachineWatch()) {
                outcome =
                        on("run " + plans + " --no-history --repeats 1 --out " + into, hosts())
                                .run();
                hasStood = machine.hasStood(folder.resolve(into));
            }
            assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isIn(0, 1, 3);
            assertThat(outcome.out() + outcome.err())
                    .doesNotContain("not measured here", "Not done");
            final List<Path> results;
            try (Stream<Path> files = Files.walk(folder.resolve(into))) {
                results = files.filter(file -> file.endsWith("result.json")).toList();
            }
            assertThat(results).isNotEmpty();
            for (final Path file : results) {
                final Path below = folder.resolve(into).relativize(file.getParent());
                final List<JsonNode> rows = ResultDocument.read(file).trials();
                assertThat(rows)
                        .as(file.toString())
                        .isNotEmpty()
                        .allSatisfy(row -> {
                            if (isVoid(row)) {
                                assertThat(ResultDocument.texts(row.path("reasons")))
                                        .as(inShort(row) + "; " + outcome.err())
                                        .isNotEmpty()
                                        .allMatch(why ->
                                                isOfABusyMachine(why)
                                                        || hasStood
                                                                && Launch.EMPTY
                                                                        .matcher(why)
                                                                        .find());
                            } else {
                                assertThat(row.path("received").asLong())
                                        .as(inShort(row))
                                        .isPositive();
                            }
                        });
                rows.stream()
                        .collect(Collectors.groupingBy(HostsTest::name))
                        .forEach((name, each) ->
                                said.computeIfAbsent(place + below, _ -> new TreeMap<>())
                                        .computeIfAbsent(name, _ -> new ArrayList<>())
                                        .add(each));
            }
        }

        /** Places with rows that are void by what was last said of them. */
        List<String> late() {
            return said.keySet().stream().filter(place -> !late(place).isEmpty()).toList();
        }

        private Set<String> late(final String place) {
            return said.get(place).entrySet().stream()
                    .filter(row -> row.getValue().getLast().stream().anyMatch(HostsTest::isVoid))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
        }

        /** The plan as the first run resolved it, with the tests and channels that were late. */
        void writeLate(final String place, final Path file) throws IOException {
            final Set<String> late = late(place);
            final JsonNode plan =
                    YAML.readTree(
                            Files.readString(
                                    folder.resolve("run").resolve(place).resolve("plan.yaml")));
            final ArrayNode tests = (ArrayNode) plan.path("tests");
            for (int test = tests.size() - 1; test >= 0; test--) {
                final String name = tests.path(test).path("name").asString();
                if (tests.path(test).path("channels") instanceof final ArrayNode channels) {
                    for (int channel = channels.size() - 1; channel >= 0; channel--) {
                        if (!late.contains(named(name, channels.path(channel).asString()))) {
                            channels.remove(channel);
                        }
                    }
                    if (channels.isEmpty()) {
                        tests.remove(test);
                    }
                } else if (!late.contains(named(name, ""))) {
                    tests.remove(test);
                }
            }
            Files.writeString(file, YAML.writeValueAsString(plan));
        }

        /** How busy the machine is, is not for this test to say; whatever else is void, it is. */
        void shouldHaveMeasuredWhatTheMachineLetIt() {
            assertThat(said.values().stream().flatMap(rows -> rows.values().stream()))
                    .isNotEmpty()
                    .allSatisfy(runs ->
                            assertThat(runs.getLast())
                                    .filteredOn(HostsTest::isVoid)
                                    .allSatisfy(row ->
                                            assertThat(ResultDocument.texts(row.path("reasons")))
                                                    .as(inShort(row))
                                                    .allMatch(HostsTest::isOfABusyMachine)));
        }

        /**
         * Plans of which no run measured anything, each time for the same reason: one of the roles
         * hangs. A busy machine measures some of it, or makes others late the next time.
         */
        Map<String, List<String>> neverMeasured() {
            final Map<String, List<String>> never = new TreeMap<>();
            said.forEach((place, rows) -> {
                final List<Set<String>> why =
                        rows.values().stream()
                                .map(runs ->
                                        runs.stream()
                                                .flatMap(List::stream)
                                                .map(HostsTest::whyVoid)
                                                .collect(Collectors.toSet()))
                                .toList();
                if (why.stream().allMatch(each -> each.size() == 1 && !each.contains(""))) {
                    never.put(place, why.stream().flatMap(Set::stream).distinct().toList());
                }
            });
            return never;
        }
    }

    private static String name(final JsonNode row) {
        return named(row.path("test").asString(), row.path("channel").asString());
    }

    private static String named(final String test, final String channel) {
        return test + " on " + channel;
    }

    private static boolean isVoid(final JsonNode row) {
        return row.path("verdict").asString().equals("void");
    }

    /** Why a row is void, without its figures; empty where it is not. */
    private static String whyVoid(final JsonNode row) {
        return isVoid(row)
                ? ResultDocument.texts(row.path("reasons")).stream()
                        .filter(HostsTest::isOfABusyMachine)
                        .map(why -> FIGURE.matcher(why).replaceAll("#"))
                        .findFirst()
                        .orElse("")
                : "";
    }

    /** What a log has room for. */
    private static String inShort(final JsonNode row) {
        final StringBuilder words = new StringBuilder();
        for (final String key :
                List.of(
                        "test",
                        "channel",
                        "verdict",
                        "reasons",
                        "sent",
                        "expected",
                        "received",
                        "lost")) {
            words.append(' ').append(key).append(' ').append(row.path(key));
        }
        return words.toString();
    }

    @Test
    void shouldSayWhatStaysOnOneHostAndMeasureTheRest() throws Exception {
        Files.writeString(
                folder.resolve("apart.yaml"),
                """
                schema: tickmark.plan/1
                name: apart
                tests:
                  - name: t
                    workload: latency
                    channels: ["shm:", "mcast://239.192.0.77:0?interface=lo", "dds://0?reliable", "nats:"]
                    settings: {sizes: 64, samples: 10, pingTimeout: 10s, warmUp: 50ms, idle: block}
                    roles: [{role: latency-pub, hosts: [h2]}, {role: latency-sub, hosts: [h3]}]
                """);
        final Launch.Outcome apart =
                on("run apart.yaml --out run", hosts("", 2, 3)).runInTime(folder.resolve("run"));

        assertThat((apart.out() + apart.err()).replaceAll("\\s+", " "))
                .contains(
                        "latency-pub-1 is placed on h2 and latency-sub-1 on h3, but their channel (shm:) works within one"
                                + " host only; place them together.");
        final List<JsonNode> rows = ResultDocument.read(folder.resolve("run/result.json")).trials();
        assertThat(rows)
                .filteredOn(row -> !row.path("channel").asString().equals("shm:"))
                .as("the other channels were measured, each over the cable")
                .hasSize(3)
                .allSatisfy(row -> {
                    assertThat(row.path("verdict").asString())
                            .as(inShort(row))
                            .isIn("pass", "fail");
                    assertThat(row.path("received").asLong()).as(inShort(row)).isPositive();
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "name: h2 | {name: h2, port: 2223 | Host h2 cannot be reached: ssh: connect to host",
                "client | foreign | Host h2 cannot be reached: root@",
                "client | unseen | Host h2 cannot be reached: Host key verification failed",
                "client | changed | Host h2 cannot be reached: Host key verification failed",
                "java | nojava | Host h2 has no Java where it was looked for",
                "name: h3 | name: h2 | is used in line 3 already; give it a name of its own",
                "configuration: | colour: red, configuration: | hosts[0].colour is not a key here",
            })
    void shouldSayWhatIsWrongWithAHost(
            final String before, final String after, final String sentence) throws Exception {
        final Path wrong = folder.resolve("wrong.yaml");
        final String right = before.equals("name: h3") ? text(2, 3) : text(2);
        Files.writeString(wrong, right.replaceFirst(before + "(?=[, ])", after.replace("{", "")));
        final String line = "latency --channel udp://127.0.0.1:0 --sizes 64 --samples 10";
        // of the others the host itself has to be asked
        final Launch.Outcome outcome =
                sentence.startsWith("Host h2")
                        ? on(line, wrong).run()
                        : Launch.here(line + " --hosts " + wrong);

        assertThat(outcome.err()).contains(sentence).doesNotContain("Exception");
        assertThat(outcome.exitCode()).isIn(2, 3);
        shouldLeaveNothing();
    }

    @Test
    void shouldSayThatAHostDoesNotAnswer() throws Exception {
        namespaces.cutOff(4, true);
        try {
            final Launch.Outcome outcome =
                    on("latency --channel udp://127.0.0.1:0 --samples 10", hosts("", 2, 4)).run();
            assertThat(outcome.err())
                    .contains("Host h4 cannot be reached: ssh: connect to host")
                    .contains("timed out");
            assertThat(outcome.exitCode()).isEqualTo(3);
        } finally {
            namespaces.cutOff(4, false);
        }
        shouldLeaveNothing();
    }

    @Test
    void shouldEndAllOnCtrlC() throws Exception {
        try (Job run =
                Job.start(
                        on(STREAM + " --channel udp://127.0.0.1:0 --duration 1h", hosts("", 2, 3)),
                        folder)) {
            run.awaitReceived(folder.resolve("run"));
            shouldNotDisturbTheRunOfAnother();
            run.signal("INT", false);
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.out()).contains("interrupted");
            assertThat(outcome.exitCode()).isEqualTo(1);
        }
        assertThat(folder.resolve("run/result.json")).exists();
        shouldLeaveNothing();
    }

    private void shouldNotDisturbTheRunOfAnother() throws IOException {
        final Launch.Outcome second =
                on("latency --channel udp://127.0.0.1:0 --samples 10", hosts("", 2, 3)).run();
        assertThat(second.err())
                .contains("Host h2 refuses: another run is using it (process ")
                .contains("wait for that to end, or give this run another 'folder:'");
        assertThat(second.exitCode()).isEqualTo(3);
    }

    private static void shouldLeaveNothing() throws Exception {
        Job.await(
                "the end of what ran on the hosts",
                () -> {
                    try {
                        return leftOver().isEmpty();
                    } catch (final IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void shouldLeaveNothingOnAHostWhoseControllerIsKilled() throws Exception {
        try (Job run =
                Job.start(
                        on(STREAM + " --channel udp://127.0.0.1:0 --duration 1h", hosts("", 2, 3)),
                        folder)) {
            run.awaitReceived(folder.resolve("run"));
            assertThat(leftOver())
                    .as("an agent and a role on each of two hosts")
                    .hasSizeGreaterThan(3);
            run.signal("KILL", false);
            run.await();
            shouldLeaveNothing();
        }
    }

    @Test
    void shouldNotMeasureWithAnotherBuildOnAHost() throws Exception {
        final String line = "latency --channel udp://127.0.0.1:0 --sizes 64 --samples 10" + SHORT;
        final Path results = folder.resolve("results");
        final Path there = keys.resolve("on-h3");
        if (jars(there).isEmpty()) { // no other test has brought the build there
            assertThat(on(line, hosts("", 3)).runInTime(results).exitCode()).isZero();
        }
        final Path jar = jars(there).getFirst();
        Files.write(jar, new byte[1], StandardOpenOption.APPEND);

        final Launch.Outcome other = on(line, hosts("", 3)).run();
        assertThat(other.err())
                .contains("Host h3 runs another version of tickmark; remove " + there);
        assertThat(other.exitCode()).isEqualTo(3);
        shouldLeaveNothing();

        assertThat(new ProcessBuilder("rm", "-r", there.toString()).start().waitFor()).isZero();
        assertThat(on(line, hosts("", 3)).runInTime(results).exitCode()).isZero();
    }

    /** Of workloads, in what a host was given. */
    private static List<Path> jars(final Path there) throws IOException {
        if (Files.notExists(there)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(there)) {
            return files.filter(file -> file.getFileName().toString().matches("tickmark-wor.*jar"))
                    .toList();
        }
    }

    @Test
    void shouldVoidTheTrialAndKeepTheRestWhenAHostIsCutOff() throws Exception {
        try (Job run =
                Job.start(
                        on(
                                STREAM + " --channel udp://127.0.0.1:0 --duration 30s --repeats 2",
                                hosts("roles: {stream-pub: [h2], stream-sub: [h3]}\n", 2, 3)),
                        folder)) {
            run.awaitReceived(folder.resolve("run"));
            namespaces.cutOff(3, true);
            final Launch.Outcome outcome = run.await();
            assertThat(outcome.exitCode()).isEqualTo(1);
            final ResultDocument result = ResultDocument.read(folder.resolve("run/result.json"));
            assertThat(text(result, "/trials/0/verdict")).isEqualTo("void");
            assertThat(text(result, "/trials/0/reasons/0"))
                    .contains("stream-sub-1 on h3", "Host h3 was lost");
            assertThat(number(result, "/trials/0/sent")).as("of the other host").isPositive();
            assertThat(folder.resolve("run/report.html")).exists();
            shouldLeaveNothing(); // although that host cannot be ordered to end
        } finally {
            namespaces.cutOff(3, false);
        }
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockSegment;
import io.tickmark.lab.host.RoleHostMain;
import io.tickmark.lab.place.JvmFlags;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.HostRoles;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ToRole;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every test of every shipped plan on three hosts, up to the moment at which its roles would
 * connect: what each is sent, and what those that bind something tell the others, holds no address
 * that only their own host can reach. The hosts are network namespaces with a role process each;
 * the settings and the placing are the controller's own. {@link HostsTest} measures some of them.
 */
class ShippedPlansOnHostsTest {
    private static final List<String> HOSTS = List.of("h2", "h3", "h4");
    private static final long PATIENCE_S = 90L * Launch.PATIENCE;
    private static final Pattern OF_ONE_HOST =
            Pattern.compile(
                    "(?<![\\w.])(127(\\.\\d+){3}|localhost|0\\.0\\.0\\.0)(?![\\w.])|\\[::1?]");

    private static final RoleCatalog CATALOG = RoleCatalog.load();
    private static final PlanLibrary LIBRARY = new PlanLibrary(CATALOG);

    @TempDir private static Path folder;

    private static final Map<String, Host> RUNNING = new LinkedHashMap<>();
    private static final Set<List<String>> SEEN = new HashSet<>();
    private static Namespaces namespaces;
    private static int trials;

    /** A role process on a host; it serves one trial after the other. */
    private static final class Host implements Placement {
        private final String name;
        private final String address;
        private final Process process;
        private final Map<String, BlockingQueue<FromRole>> said = new ConcurrentHashMap<>();

        Host(final int number) throws IOException {
            name = "h" + number;
            address = Namespaces.ip4(number);
            final List<String> words =
                    new ArrayList<>(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin/java")
                                            .toString()));
            words.addAll(JvmFlags.common());
            words.addAll(
                    List.of(
                            "-Xmx512m",
                            "-XX:TieredStopAtLevel=1",
                            "-D" + HostAddress.PROPERTY + "=" + address,
                            "-cp",
                            System.getProperty("java.class.path"),
                            RoleHostMain.class.getName()));
            final Launch launch = namespaces.on(number, new Launch(words, folder, Map.of()));
            process =
                    new ProcessBuilder(launch.command())
                            .directory(folder.toFile())
                            .redirectError(folder.resolve(name + ".log").toFile())
                            .start();
            Thread.ofPlatform().daemon().start(this::listen);
        }

        private void listen() {
            final Lines.Reader lines = new Lines.Reader(process.getInputStream());
            try {
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    switch (Lines.parse(line.get(), FromRole.class)) {
                        case final FromRole.Hello hello -> answers(name).add(hello);
                        case final FromRole.Bound bound -> answers(bound.id()).add(bound);
                        case final FromRole.Failed failed -> answers(failed.id()).add(failed);
                        default -> {} // progress, and words for the user
                    }
                }
            } catch (final IOException e) {
                e.printStackTrace(); // a caller that waits for an answer fails
            }
        }

        void send(final ToRole order) throws IOException {
            Lines.send(process.getOutputStream(), order);
        }

        /** What it says first that the test asks for: of a role, or of itself by its own name. */
        FromRole answer(final String id) throws InterruptedException {
            final FromRole answer = answers(id).poll(PATIENCE_S, TimeUnit.SECONDS);
            assertThat(answer)
                    .as("an answer of %s on %s, which says %s", id, name, log())
                    .isNotNull();
            return answer;
        }

        private String log() {
            try {
                return Files.readString(folder.resolve(name + ".log"));
            } catch (final IOException e) {
                return "nothing: " + e;
            }
        }

        private BlockingQueue<FromRole> answers(final String id) {
            return said.computeIfAbsent(id, _ -> new LinkedBlockingQueue<>());
        }

        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            throw new UnsupportedOperationException("it runs");
        }

        @Override
        public String host() {
            return name;
        }

        @Override
        public Object localised(final Object value) {
            return HostAddress.inPlaceOfLoopback(value, address);
        }

        void end() throws Exception {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    @BeforeAll
    static void start() throws Exception {
        namespaces = new Namespaces(4);
        startProcesses();
    }

    private static void startProcesses() throws Exception {
        for (int number = 2; number <= 4; number++) {
            final Host host = new Host(number);
            RUNNING.put(host.name, host);
        }
        for (final Host host : RUNNING.values()) {
            assertThat(host.answer(host.name)).isInstanceOf(FromRole.Hello.class);
        }
    }

    private static void endProcesses() throws Exception {
        for (final Host host : RUNNING.values()) {
            host.end();
        }
        RUNNING.clear();
    }

    @AfterAll
    static void end() throws Exception {
        endProcesses();
        if (namespaces != null) {
            namespaces.close();
        }
    }

    /** What is looked for would be found. */
    @Test
    void shouldKnowAddressesOfOneHost() {
        assertThat(
                        List.of(
                                "127.0.0.1:1",
                                "udp://127.0.0.1:40123",
                                "tcp://localhost:1",
                                "[::1]:80",
                                "udp://[::1]:1",
                                "aeron:udp?endpoint=127.0.0.2:1",
                                "0.0.0.0:9000"))
                .allMatch(text -> OF_ONE_HOST.matcher(text).find());
        assertThat(
                        List.of(
                                "udp://10.77.0.2:40123",
                                "[fd77::2]:81",
                                "udp://[fd77::1]:81",
                                "mcast://239.192.0.77:4000?interface=10.77.0.2",
                                "shm:/dev/shm/tickmark-1",
                                "dds://0?reliable",
                                "2026-11-25T01:00:01"))
                .noneMatch(text -> OF_ONE_HOST.matcher(text).find());
    }

    @TestFactory
    Stream<DynamicTest> shouldTellNobodyAnAddressOfOneHost() {
        return LIBRARY.names().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> check(LIBRARY.find(name))));
    }

    private static void check(final Plan plan) throws Exception {
        for (final TestPlan test : plan.tests()) {
            final List<String> channels = channels(plan, test);
            for (final String channel : channels.isEmpty() ? List.of("") : channels) {
                check(test, channel);
            }
        }
    }

    private static List<String> channels(final Plan plan, final TestPlan test) {
        if (!plan.matrix().containsKey("channel")) {
            return test.channels();
        }
        return new Transports()
                .kinds().stream()
                        .filter(Transport.Kind::isCompared)
                        .map(Transport.Kind::channel)
                        .filter(ShippedPlansOnHostsTest::isHere)
                        .toList();
    }

    /** Whether its server can be started here, as the matrix asks. */
    private static boolean isHere(final String channel) {
        final String scheme = ChannelUri.parse(channel).scheme();
        return new Transports().all().get(scheme).missing().isEmpty();
    }

    private static void check(final TestPlan test, final String channel) throws Exception {
        final List<RoleInstance> instances = new RoleResolver(CATALOG).resolve(test, channel);
        try {
            for (final RoleInstance role : instances) {
                role.check(instances);
            }
        } catch (final UserError e) {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(UserError.Kind.ENVIRONMENT);
            return; // an engine that is not here
        }
        final Map<String, Placement> placed = new HashMap<>();
        new HostRoles("hosts.yaml", HOSTS, Map.of())
                .place(instances)
                .forEach((role, host) -> placed.put(role, RUNNING.get(host)));
        final Map<String, Map<String, Object>> sent = new LinkedHashMap<>();
        for (final RoleInstance role : instances) {
            final Map<String, Object> settings = Placements.settings(role, instances, placed);
            settings.forEach((key, value) ->
                    assertThat(isOfOneHost(value))
                            .as(
                                    "%s, %s: %s of %s is %s",
                                    test.name(), channel, key, role.id(), value)
                            .isFalse());
            sent.put(role.id(), settings);
        }
        if (SEEN.add(whatMatters(instances, sent))) {
            if (channel.startsWith("dds:")) { // a domain keeps its network while its process lives
                endProcesses();
                startProcesses();
                placed.replaceAll((_, host) -> RUNNING.get(host.host()));
            }
            checkEndpoints(test.name() + " over " + channel, instances, placed, sent);
        }
    }

    private static boolean isOfOneHost(final Object value) {
        return value instanceof final List<?> list
                ? list.stream().anyMatch(ShippedPlansOnHostsTest::isOfOneHost)
                : value instanceof final String text && OF_ONE_HOST.matcher(text).find();
    }

    /** Texts are addresses or change none; tests that differ in rates and sizes bind the same. */
    private static List<String> whatMatters(
            final List<RoleInstance> instances, final Map<String, Map<String, Object>> sent) {
        return instances.stream()
                .map(role -> {
                    final Map<String, Object> texts = new TreeMap<>(sent.get(role.id()));
                    texts.values()
                            .removeIf(value ->
                                    !(value instanceof String) && !(value instanceof List<?>));
                    return role.id() + texts;
                })
                .toList();
    }

    private static void checkEndpoints(
            final String what,
            final List<RoleInstance> instances,
            final Map<String, Placement> placed,
            final Map<String, Map<String, Object>> sent)
            throws Exception {
        final String trial = ++trials + "-";
        for (final RoleInstance role : instances) {
            ((Host) placed.get(role.id()))
                    .send(
                            new ToRole.Prepare(
                                    trial + role.id(),
                                    role.role(),
                                    role.index(),
                                    role.count(),
                                    trials,
                                    1,
                                    sent.get(role.id()),
                                    List.of(),
                                    TimeUnit.SECONDS.toNanos(PATIENCE_S),
                                    "",
                                    ClockSegment.SAME));
        }
        final List<Endpoints.Endpoint> bound = new ArrayList<>();
        final List<String> failed = new ArrayList<>();
        for (final RoleInstance role : instances) {
            switch (((Host) placed.get(role.id())).answer(trial + role.id())) {
                case FromRole.Bound(final String _, final Endpoints endpoints) ->
                        bound.addAll(endpoints.values());
                case final FromRole.Failed e -> failed.add(e.id() + ": " + e.sentence());
                case final FromRole other -> failed.add("unexpected: " + other);
            }
        }
        for (final RoleInstance role : instances) {
            final Host host = (Host) placed.get(role.id());
            if (failed.stream()
                    .noneMatch(sentence -> sentence.startsWith(trial + role.id() + ":"))) {
                host.send(new ToRole.Stop(trial + role.id(), true));
                assertThat(host.answer(trial + role.id()))
                        .as(what)
                        .isInstanceOf(FromRole.Failed.class);
            }
        }
        assertThat(failed).as(what).isEmpty();
        if (instances.size() == 1) {
            return; // its output is not read
        }
        assertThat(bound)
                .as(what)
                .allSatisfy(endpoint ->
                        assertThat(endpoint.value()).doesNotContainPattern(OF_ONE_HOST));
    }
}

package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockSegment;
import io.tickmark.lab.host.RoleHost;
import io.tickmark.lab.place.JvmFlags;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.HostRoles;
import io.tickmark.lab.plan.Matrix;
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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every test of every shipped plan on three hosts: its roles connect, and nothing that they are
 * told holds an address which only the host of another can reach. The hosts are network namespaces
 * with one role process each, which serves all tests; the settings and the placing are the
 * controller's own. Tests that differ only in what happens once they measure are one, and
 * neighbouring rows share servers that take long to start. {@link HostsTest} measures some of them
 * through the front door.
 */
class ShippedPlansOnHostsTest {
    private static final int MACHINES = 3;
    private static final long CONNECT_S = 60L * Launch.PATIENCE;

    /** A role that cannot connect says so by itself. */
    private static final long ANSWER_S = CONNECT_S + 60L * Launch.PATIENCE;

    private static final Pattern OF_ONE_HOST =
            Pattern.compile(
                    "(?<![\\w.])(127(\\.\\d+){3}|localhost|0\\.0\\.0\\.0)(?![\\w.])|\\[::1?]");

    /**
     * How much a test measures: here as little as possible. What it is in the plans makes no
     * difference between two of them.
     */
    private static final Map<String, Object> SMALL =
            Map.ofEntries(
                    Map.entry("sizes", "64"),
                    Map.entry("samples", 10),
                    Map.entry("duration", "1s"),
                    Map.entry("warmUp", "50ms"),
                    Map.entry("jvmWarmUp", "50ms"),
                    Map.entry("storeWarmUp", "50ms"),
                    Map.entry("rate", 1000),
                    Map.entry("messages", 60),
                    Map.entry("every", 4),
                    Map.entry("producers", 2),
                    Map.entry("consumers", 4),
                    Map.entry("clients", 10),
                    Map.entry("symbols", 20),
                    Map.entry("symbolCount", 10),
                    Map.entry("itemCount", 100),
                    Map.entry("holdUntilItems", 100),
                    Map.entry("ownItems", 100),
                    Map.entry("updateRate", 1000),
                    Map.entry("postingRate", 1000),
                    Map.entry("genericMsgRate", 1000),
                    Map.entry("steadyStateTime", 6 * Launch.PATIENCE + "s"),
                    Map.entry("delaySteadyStateCalc", "0s"));

    /** What else makes no difference before a test measures. */
    private static final Set<String> LATER =
            Set.of(
                    "warmUpMessages",
                    "storeTimeout",
                    "sendPath",
                    "pace",
                    "burstOn",
                    "burstOff",
                    "idle",
                    "flush",
                    "conflation",
                    "renderer",
                    "latencyUpdateRate");

    /** Connects when the test measures, which a moment of therefore belongs to its test. */
    private static final String CONNECTS_LATE = "market-consumer";

    /** Servers that take this long to start are started once for neighbouring rows of a plan. */
    private static final long LONG_START_NS = TimeUnit.SECONDS.toNanos(10);

    private static final RoleCatalog CATALOG = RoleCatalog.load();
    private static final PlanLibrary LIBRARY = new PlanLibrary(CATALOG);

    @TempDir private static Path folder;

    private static final Map<String, Host> RUNNING = new LinkedHashMap<>();
    private static final BlockingQueue<Answer> ANSWERS = new LinkedBlockingQueue<>();
    private static final Map<String, Long> RECEIVED = new ConcurrentHashMap<>();
    private static Namespaces namespaces;
    private static int trials;

    /** Has connected, and goes on because the next test uses its servers; null for none. */
    private static Trial lender;

    /** What a role says by its id, or a process by the name of its host. */
    private record Answer(Host from, String id, FromRole said) {}

    /** Where a role of a test belongs. */
    private record Place(String host) implements Placement {
        static String name(final int number) {
            return "h" + number;
        }

        static List<String> names() {
            return Stream.iterate(1, number -> number + 1)
                    .limit(MACHINES)
                    .map(Place::name)
                    .toList();
        }

        private String address() {
            return Namespaces.ip4(Integer.parseInt(host.substring(1)));
        }

        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            throw new UnsupportedOperationException("it runs");
        }

        @Override
        public Object localised(final Object value) {
            return HostAddress.inPlaceOfLoopback(value, address());
        }
    }

    /** The role process of a host. */
    private static final class Host {
        private final String name;
        private final Process process;

        Host(final String name) throws IOException {
            this.name = name;
            final int number = Integer.parseInt(name.substring(1));
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
                            "-D" + HostAddress.PROPERTY + "=" + Namespaces.ip4(number),
                            "-cp",
                            System.getProperty("java.class.path"),
                            RoleHost.class.getName()));
            final Launch launch =
                    namespaces.on(number, new Launch(words, folder, DownloadedServers.homes()));
            final ProcessBuilder builder =
                    new ProcessBuilder(launch.command())
                            .directory(folder.toFile())
                            .redirectError(
                                    ProcessBuilder.Redirect.appendTo(
                                            folder.resolve(name + ".log").toFile()));
            builder.environment().putAll(launch.environment());
            process = builder.start();
            Thread.ofPlatform().daemon().start(this::listen);
        }

        private void listen() {
            final Lines.Reader lines = new Lines.Reader(process.getInputStream());
            try {
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    final FromRole said = Lines.parse(line.get(), FromRole.class);
                    switch (said) {
                        case FromRole.Hello _ -> ANSWERS.add(new Answer(this, name, said));
                        case final FromRole.Bound bound ->
                                ANSWERS.add(new Answer(this, bound.id(), said));
                        case final FromRole.Ready ready ->
                                ANSWERS.add(new Answer(this, ready.id(), said));
                        case final FromRole.Step step ->
                                RECEIVED.merge(
                                        step.id(),
                                        step.step().counts().getOrDefault(Counts.RECEIVED, 0L),
                                        Long::sum);
                        case final FromRole.Result result ->
                                ANSWERS.add(new Answer(this, result.id(), said));
                        case final FromRole.Failed failed ->
                                ANSWERS.add(new Answer(this, failed.id(), said));
                        default -> {} // progress, and words for the user
                    }
                }
            } catch (final IOException e) {
                e.printStackTrace(); // a caller that waits for an answer fails
            }
            ANSWERS.add(new Answer(this, name, new FromRole.Bye()));
        }

        void send(final ToRole order) throws IOException {
            Lines.send(process.getOutputStream(), order);
        }

        private String log() {
            try {
                return Files.readString(folder.resolve(name + ".log"));
            } catch (final IOException e) {
                return "nothing: " + e;
            }
        }

        void end() throws Exception {
            process.getOutputStream().close();
            if (!process.waitFor(ANSWER_S, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    /**
     * Tests of plans whose roles connect in the same way.
     *
     * @param names of the tests with their plans
     * @param channel of all of them, empty for none
     * @param roles of the first
     * @param placed names of the hosts by id of the role
     * @param sent settings of each role by its id
     */
    private record Case(
            Set<String> names,
            String channel,
            List<RoleInstance> roles,
            Map<String, String> placed,
            Map<String, Map<String, Object>> sent) {
        static Case of(final String name, final TestPlan test, final String channel) {
            final List<RoleInstance> roles = new RoleResolver(CATALOG).resolve(test, channel);
            final Map<String, String> placed =
                    new HostRoles("hosts.yaml", Place.names(), Map.of()).place(roles);
            final Map<String, Placement> places = new HashMap<>();
            placed.forEach((role, host) -> places.put(role, new Place(host)));
            final Map<String, Map<String, Object>> sent = new LinkedHashMap<>();
            for (final RoleInstance role : roles) {
                final Map<String, Object> settings = Placements.settings(role, roles, places);
                settings.replaceAll((key, value) -> SMALL.getOrDefault(key, value));
                sent.put(role.id(), settings);
            }
            final Set<String> names = new LinkedHashSet<>();
            names.add(name);
            return new Case(names, channel, roles, placed, sent);
        }

        /** What decides how the roles connect: texts, which are addresses or name a way. */
        String way() {
            return roles.stream()
                    .map(role -> {
                        final Map<String, Object> texts =
                                new TreeMap<>(Settings.toMap(role.settings()));
                        texts.keySet().removeAll(SMALL.keySet());
                        texts.keySet().removeAll(LATER);
                        texts.values()
                                .removeIf(value ->
                                        !(value instanceof String) && !(value instanceof List<?>));
                        return role.id() + texts;
                    })
                    .collect(Collectors.joining(" "));
        }

        String shown() {
            return roles.stream().map(RoleInstance::id).collect(Collectors.joining(", "))
                    + (channel.isEmpty() ? "" : " over " + channel)
                    + ": "
                    + String.join(", ", names);
        }

        /** Why its engine or tool cannot be used here; empty where it can. */
        Optional<String> absence() {
            final Optional<String> missing = transport(channel).flatMap(DownloadedServers::missing);
            if (missing.isPresent()) {
                return missing;
            }
            try {
                for (final RoleInstance role : roles) {
                    role.check(roles);
                }
                return Optional.empty();
            } catch (final UserError e) {
                assertThat(e.kind()).as(e.getMessage()).isEqualTo(UserError.Kind.ENVIRONMENT);
                return Optional.of(e.getMessage());
            }
        }

        /** Whether another one can use the servers that it starts, and starting more takes long. */
        boolean lendsTo(final Case other) {
            return !channel.isEmpty()
                    && !other.channel.isEmpty()
                    && scheme().equals(other.scheme())
                    && placed.equals(other.placed)
                    && Transports.usualStartNs(ChannelUri.parse(channel)) >= LONG_START_NS;
        }

        private String scheme() {
            return ChannelUri.parse(channel).scheme();
        }

        long patienceNs() {
            return roles.stream().mapToLong(RoleInstance::patienceNs).max().orElse(0);
        }
    }

    /** A case on its hosts. A process forgets a role when the next of the same id comes. */
    private static final class Trial {
        private final Case test;
        private final String servers;
        private final int number = ++trials;
        private final Set<RoleInstance> taking;
        private final List<String> failures = new ArrayList<>();
        private final List<String> ends = new ArrayList<>();
        private List<Endpoints.Endpoint> bound = List.of();

        /**
         * Sends nothing yet.
         *
         * @param servers address of those that another trial lends; empty where it starts its own
         */
        Trial(final Case test, final String servers) {
            this.test = test;
            this.servers = servers;
            taking = new LinkedHashSet<>(test.roles());
            ANSWERS.clear();
            RECEIVED.clear();
        }

        private Host host(final RoleInstance role) {
            return RUNNING.get(test.placed().get(role.id()));
        }

        /** Roles of a trial that lends its servers have the usual ids in the same processes. */
        private String id(final RoleInstance role) {
            return servers.isEmpty() ? role.id() : role.id() + "-beside";
        }

        /** A process that is told to start servers where it already runs some shares them. */
        private Map<String, Object> settings(final RoleInstance role) {
            final Map<String, Object> settings = new LinkedHashMap<>(test.sent().get(role.id()));
            if (!servers.isEmpty()) {
                final String there =
                        ChannelUri.parse(test.channel())
                                .withAuthority(servers)
                                .with("start", "true")
                                .toString();
                settings.replaceAll((key, value) -> test.channel().equals(value) ? there : value);
            }
            return settings;
        }

        /** The address of the servers of its channel. */
        String authority() {
            return ChannelUri.parse(new Endpoints(bound).named("channel").getFirst()).authority();
        }

        /** Whether all roles still take part. */
        private boolean isWhole() {
            return failures.isEmpty();
        }

        private void order(final Function<RoleInstance, ToRole> orders) throws IOException {
            for (final RoleInstance role : taking) {
                host(role).send(orders.apply(role));
            }
        }

        /** One answer of each role that takes part; where one fails, the others are stopped. */
        private <T extends FromRole> List<T> answers(final Class<T> expected) throws Exception {
            final List<T> answers = new ArrayList<>();
            final Set<RoleInstance> silent = new LinkedHashSet<>(taking);
            while (!silent.isEmpty()) {
                final Answer answer =
                        ANSWERS.poll(
                                TimeUnit.SECONDS.toNanos(ANSWER_S) + test.patienceNs(),
                                TimeUnit.NANOSECONDS);
                if (answer == null) {
                    silent.forEach(role -> failures.add(role.id() + " says nothing"));
                    taking.removeAll(silent);
                    break;
                }
                final List<RoleInstance> speaking =
                        silent.stream()
                                .filter(role ->
                                        answer.from() == host(role)
                                                && (id(role).equals(answer.id())
                                                        || answer.said() instanceof FromRole.Bye))
                                .toList();
                for (final RoleInstance role : speaking) {
                    silent.remove(role);
                    if (expected.isInstance(answer.said())) {
                        answers.add(expected.cast(answer.said()));
                        continue;
                    }
                    taking.remove(role);
                    failures.add(
                            role.id()
                                    + ": "
                                    + switch (answer.said()) {
                                        case final FromRole.Failed failed -> failed.sentence();
                                        case FromRole.Bye _ ->
                                                "its process has ended: " + host(role).log();
                                        case final FromRole other -> "unexpected: " + other;
                                    });
                    for (final RoleInstance other : silent) {
                        host(other).send(new ToRole.Stop(id(other), true));
                    }
                }
            }
            return answers;
        }

        List<Endpoints.Endpoint> prepare() throws Exception {
            order(role ->
                    new ToRole.Prepare(
                            id(role),
                            role.role(),
                            role.index(),
                            role.count(),
                            number,
                            1,
                            settings(role),
                            List.of(),
                            TimeUnit.SECONDS.toNanos(CONNECT_S) + test.patienceNs(),
                            "",
                            ClockSegment.SAME));
            bound =
                    answers(FromRole.Bound.class).stream()
                            .flatMap(said -> said.endpoints().values().stream())
                            .toList();
            return bound;
        }

        void connect() throws Exception {
            order(role -> new ToRole.Connect(id(role), new Endpoints(bound)));
            answers(FromRole.Ready.class);
        }

        /** Returns what the late ones had received when all had ended. */
        long measure() throws Exception {
            final long startAtNs =
                    SystemNanoClock.INSTANCE.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
            order(role -> new ToRole.StartAt(id(role), startAtNs, List.of()));
            answers(FromRole.Result.class)
                    .forEach(result -> ends.add(result.id() + " ended: " + result.failure()));
            taking.clear();
            return test.roles().stream()
                    .filter(role -> role.role().equals(CONNECTS_LATE))
                    .mapToLong(role -> RECEIVED.getOrDefault(id(role), 0L))
                    .min()
                    .orElse(0);
        }

        /** Whoever still takes part has then closed what it opened. */
        void end() throws Exception {
            order(role -> new ToRole.Stop(id(role), true));
            answers(FromRole.Failed.class);
            taking.clear();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        namespaces = new Namespaces(MACHINES);
        startProcesses();
    }

    /** Those that are not running. */
    private static void startProcesses() throws Exception {
        final Set<String> started = new LinkedHashSet<>();
        for (final String name : Place.names()) {
            if (!RUNNING.containsKey(name) || !RUNNING.get(name).process.isAlive()) {
                RUNNING.put(name, new Host(name));
                started.add(name);
            }
        }
        while (!started.isEmpty()) {
            final Answer answer = ANSWERS.poll(ANSWER_S, TimeUnit.SECONDS);
            assertThat(answer).as("the beginning of %s", started).isNotNull();
            if (answer.said() instanceof FromRole.Hello) {
                started.remove(answer.id());
            }
        }
    }

    private static void endProcesses() throws Exception {
        lender = null;
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
    Stream<DynamicTest> shouldConnectTheRolesOfShippedPlans() {
        final List<Case> cases = cases();
        return IntStream.range(0, cases.size())
                .mapToObj(at -> {
                    final Case test = cases.get(at);
                    final boolean lends = at + 1 < cases.size() && test.lendsTo(cases.get(at + 1));
                    return DynamicTest.dynamicTest(test.shown(), () -> shouldConnect(test, lends));
                });
    }

    private static List<Case> cases() {
        final Map<String, Case> cases = new LinkedHashMap<>();
        for (final String plan : LIBRARY.names()) {
            for (final Case test : cases(LIBRARY.find(plan))) {
                final Case same = cases.putIfAbsent(test.way(), test);
                if (same != null) {
                    same.names().addAll(test.names());
                }
            }
        }
        return List.copyOf(cases.values());
    }

    private static List<Case> cases(final Plan plan) {
        final List<Case> cases = new ArrayList<>();
        for (final Map<String, String> values : Matrix.combinations(plan.matrix())) {
            final Map<String, Object> settings = new HashMap<>(values);
            final boolean isOfEngines = settings.remove("channel") != null;
            for (final TestPlan test : plan.tests()) {
                for (final String channel : isOfEngines ? kinds() : test.channels()) {
                    final String name =
                            plan.name().equals(test.name())
                                    ? plan.name()
                                    : plan.name() + "/" + test.name();
                    cases.add(Case.of(name, test.withSettings(settings), channel));
                }
            }
        }
        return cases;
    }

    /** A channel of each engine, as the plan that compares all of them asks. */
    private static List<String> kinds() {
        return new Transports()
                .kinds().stream()
                        .filter(Transport.Kind::isCompared)
                        .map(Transport.Kind::channel)
                        .toList();
    }

    /** Channels of gateways are none of a transport. */
    private static Optional<Transport> transport(final String channel) {
        return channel.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(
                        new Transports().all().get(ChannelUri.parse(channel).scheme()));
    }

    /**
     * Connects the roles of a test.
     *
     * @param test to do
     * @param lends whether the next one uses its servers, or those that were lent to it
     */
    private static void shouldConnect(final Case test, final boolean lends) throws Exception {
        test.sent()
                .forEach((role, settings) ->
                        settings.forEach((key, value) ->
                                assertThat(isOfOneHost(value))
                                        .as("%s: %s of %s is %s", test.shown(), key, role, value)
                                        .isFalse()));
        final Optional<String> absence = test.absence();
        assumeTrue(absence.isEmpty(), () -> test.shown() + ": " + absence.orElse(""));
        startProcesses();
        if (lender != null && !lender.test.lendsTo(test)) {
            endProcesses(); // whoever would have ended the lender failed before that
            startProcesses();
        }
        final Trial trial = new Trial(test, lender == null ? "" : lender.authority());
        final List<Endpoints.Endpoint> bound = trial.prepare();
        if (trial.isWhole()) {
            trial.connect();
        }
        final boolean isLate =
                test.roles().stream().anyMatch(role -> role.role().equals(CONNECTS_LATE));
        final long received = trial.isWhole() && isLate ? trial.measure() : 0;
        if (lends && lender == null && trial.isWhole()) {
            lender = trial;
        } else {
            trial.end();
        }
        if (!lends && lender != null && trial.isWhole()) {
            lender.end();
            trial.failures.addAll(lender.failures);
            lender = null;
        }
        if (!trial.isWhole()) {
            endProcesses(); // whatever hangs there is not to disturb the next
        }

        assertThat(trial.failures).as(test.shown()).isEmpty();
        assertThat(received > 0)
                .as("%s: %s received something; %s", test.shown(), CONNECTS_LATE, trial.ends)
                .isEqualTo(isLate);
        if (test.roles().size() > 1) { // the output of one alone is read by nobody
            assertThat(bound)
                    .as(test.shown())
                    .allSatisfy(endpoint ->
                            assertThat(endpoint.value()).doesNotContainPattern(OF_ONE_HOST));
        }
    }

    private static boolean isOfOneHost(final Object value) {
        return value instanceof final List<?> list
                ? list.stream().anyMatch(ShippedPlansOnHostsTest::isOfOneHost)
                : value instanceof final String text && OF_ONE_HOST.matcher(text).find();
    }
}

package io.tickmark.bench.scale;

import com.sun.management.OperatingSystemMXBean;
import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.lab.control.RunControl;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.control.RunOutcome;
import io.tickmark.lab.control.TrialKey;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.StepLine;
import io.tickmark.lab.protocol.ToRole;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A controller before many roles that another process simulates, one connection for each: {@code
 * COUNT SECONDS FOLDER}. The plan, the links, the trial and the merge are those of every run.
 * Prints {@code cpu_percent} of one core while lines come, the most memory that was resident, and
 * {@code merge_s} from the last line to the merged row.
 */
public final class ControllerLoad implements RunListener {
    private static final Duration NEVER = Duration.ofSeconds(60);
    private static final double NS_PER_S = 1e9;
    private static final int PERCENT = 100;

    /** Looked up once: it is asked at every line, and a look-up costs more than the answer. */
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Roles that start are no part of it. */
    private static final int FIRST_TICK = 3;

    private int ticks;
    private long lines;
    private long firstNs;
    private long firstCpuNs;
    private long lastCpuNs;
    private long lastLineNs;
    private long mergedNs;

    private ControllerLoad() {}

    private static long cpuNs() {
        return PROCESS.getProcessCpuTime();
    }

    /**
     * Measures once.
     *
     * @param arguments roles, seconds, an empty folder
     * @throws IOException if the simulation cannot be started
     */
    public static void main(final String[] arguments) throws IOException {
        final int count = Integer.parseInt(arguments[0]);
        final ControllerLoad load = new ControllerLoad();
        try (ServerSocket server = new ServerSocket(0, count, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout((int) NEVER.toMillis());
            final Process roles =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    SimulatedRoles.class.getName(),
                                    Integer.toString(server.getLocalPort()),
                                    arguments[0])
                            .redirectError(Redirect.INHERIT)
                            .redirectOutput(Redirect.DISCARD)
                            .start();
            try {
                final RunOutcome outcome =
                        new RunControl(
                                        plan(count, arguments[1]),
                                        options(server, Path.of(arguments[2])),
                                        load)
                                .run();
                load.print(count, outcome);
            } finally {
                roles.destroyForcibly();
            }
        }
    }

    private static Plan plan(final int count, final String seconds) {
        return Plan.named("controller-load")
                .withNoise(Duration.ZERO)
                .with(
                        TestPlan.builder("load", "simulated")
                                .role(
                                        new RolePlan(
                                                SimulatedFactory.NAME,
                                                count,
                                                Map.of("duration", seconds + "s"),
                                                null,
                                                null,
                                                null,
                                                null,
                                                null,
                                                null))
                                .build());
    }

    private static RunOptions options(final ServerSocket server, final Path folder) {
        return new RunOptions(
                folder,
                Optional.of(folder),
                new RoleCatalog(List.of(new SimulatedFactory())),
                Placements.all(new Connections(server)),
                new ClassPaths(),
                _ -> List.of(),
                "bench",
                Map.of(),
                NEVER,
                SystemEpochNanoClock.INSTANCE);
    }

    private void print(final int count, final RunOutcome outcome) throws IOException {
        final TrialResult row = outcome.result().trials().getFirst();
        final long values =
                row.latencies().values().stream().mapToLong(latency -> latency.count()).sum();
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "tool=controller roles=%d lines=%d latencies=%d cpu_percent=%.2f resident_bytes=%d merge_s=%.3f",
                        count,
                        lines,
                        values,
                        PERCENT * (lastCpuNs - firstCpuNs) / Math.max(1.0, lastLineNs - firstNs),
                        mostResidentBytes(),
                        (mergedNs - lastLineNs) / NS_PER_S));
        row.reasons().forEach(System.err::println);
    }

    private static long mostResidentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                << 10;
    }

    @Override
    public void progressed(final TrialKey trial, final RoleInstance role, final Progress progress) {
        lines++;
        lastLineNs = SystemNanoClock.INSTANCE.nanoTime();
        lastCpuNs = cpuNs();
    }

    @Override
    public void ticked(final LiveTick tick) {
        if (tick.roles().isEmpty()) {
            return;
        }
        if (++ticks == FIRST_TICK) {
            firstNs = SystemNanoClock.INSTANCE.nanoTime();
            firstCpuNs = cpuNs();
        }
    }

    @Override
    public void rowFinished(final TrialResult row) {
        mergedNs = SystemNanoClock.INSTANCE.nanoTime();
    }

    /** Takes each role that connects for a process that was started. */
    private record Connections(ServerSocket server) implements Placement {
        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            try {
                return new Connected(server.accept());
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A role at the other end of a connection. */
    private record Connected(Socket socket) implements PlacedProcess {
        @Override
        public Thread.Builder threads() {
            return Thread.ofVirtual(); // as where an agent's one link carries the roles of a host
        }

        @Override
        public OutputStream input() {
            try {
                return socket.getOutputStream();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public InputStream output() {
            try {
                return socket.getInputStream();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public InputStream errors() {
            return InputStream.nullInputStream();
        }

        @Override
        public OptionalInt awaitEnd(final Duration atMost) {
            return OptionalInt.of(0);
        }

        @Override
        public void inject(final FaultPlan.Action action, final long pid) {
            throw new IllegalStateException("no faults are planned");
        }

        @Override
        public void kill() {
            try {
                socket.close();
            } catch (final IOException e) {
                // it is closed
            }
        }
    }

    /** A role that is never created: {@link SimulatedRoles} sends its lines. */
    private static final class SimulatedFactory implements RoleFactory<SimulatedFactory.Settings> {
        static final String NAME = "simulated-sub";

        /**
         * What the simulation needs to know.
         *
         * @param duration for which lines are told
         */
        record Settings(
                @Setting(help = "Time for which lines are reported.", byDefault = "10s")
                        Duration duration) {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String summary() {
            return "Sends a subscriber's report lines without measuring.";
        }

        @Override
        public Class<Settings> settings() {
            return Settings.class;
        }

        @Override
        public List<HotThread> hotThreads(
                final Settings settings, final int index, final int count) {
            return List.of();
        }

        @Override
        public long expectedDurationNs(final Settings settings) {
            return settings.duration().toNanos() + TimeUnit.SECONDS.toNanos(1);
        }

        @Override
        public Role create(final Settings settings, final RoleContext context) {
            throw new IllegalStateException("simulated roles are never created");
        }
    }

    /**
     * Many roles in one process that send what real ones send, at the same times: {@code PORT
     * COUNT}. Each has its own connection.
     */
    public static final class SimulatedRoles {
        private static final int VALUES = 20_000;
        private static final int MESSAGES_A_SECOND = 1_000;
        private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

        private final Histogram histogram = new Histogram(1, TimeUnit.HOURS.toNanos(1), 3);
        private final LatencyInterval interval;

        private SimulatedRoles() {
            final SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < VALUES; i++) {
                histogram.recordValue(1 + (long) Math.exp(9 + 4 * random.nextDouble()));
            }
            interval = LatencyInterval.of(histogram);
        }

        /**
         * Says all there is to say, and ends.
         *
         * @param arguments port of the controller on loopback, and how many roles
         * @throws InterruptedException if it is to end
         */
        public static void main(final String[] arguments) throws InterruptedException {
            final SimulatedRoles roles = new SimulatedRoles();
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                threads.add(
                        Thread.startVirtualThread(
                                () -> roles.play(Integer.parseInt(arguments[0]))));
            }
            for (final Thread thread : threads) {
                thread.join();
            }
        }

        private void play(final int port) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
                Lines.send(
                        out,
                        new FromRole.Hello(FromRole.PROTOCOL, ProcessHandle.current().pid(), "25"));
                final Lines.Reader orders = new Lines.Reader(socket.getInputStream());
                long durationNs = 0;
                for (Optional<String> line = orders.next();
                        line.isPresent();
                        line = orders.next()) {
                    switch (Lines.parse(line.get(), ToRole.class)) {
                        case final ToRole.Prepare prepare -> {
                            durationNs =
                                    Durations.parse(
                                                    prepare.settings().get("duration").toString(),
                                                    "duration")
                                            .toNanos();
                            Lines.send(out, new FromRole.Bound(prepare.id(), Endpoints.NONE));
                        }
                        case final ToRole.Connect connect ->
                                Lines.send(out, new FromRole.Ready(connect.id()));
                        case final ToRole.StartAt start -> measure(out, start, durationNs);
                        case final ToRole.Bye _ -> {
                            return;
                        }
                        default -> {}
                    }
                }
            } catch (final IOException e) {
                // the controller is gone, and says why
            }
        }

        private void measure(
                final OutputStream out, final ToRole.StartAt start, final long durationNs)
                throws IOException {
            // as real ones do, each at a different moment
            final long spread = Math.floorMod(start.id().hashCode() * 7_919L, SECOND_NS);
            for (long atNs = spread; atNs < durationNs; atNs += SECOND_NS) {
                final long waitNs = start.startAtNs() + atNs - SystemNanoClock.INSTANCE.nanoTime();
                LockSupport.parkNanos(Math.max(0, waitNs));
                Lines.send(out, progress(start.id(), atNs));
            }
            final long received = MESSAGES_A_SECOND * durationNs / SECOND_NS;
            Lines.send(
                    out,
                    new FromRole.Step(
                            start.id(),
                            StepLine.of(
                                    new StepResult(
                                            0,
                                            "64B",
                                            64,
                                            Map.of(Counts.RECEIVED, received),
                                            durationNs,
                                            0,
                                            0,
                                            Map.of(
                                                    Latencies.RESPONSE_NS, histogram,
                                                    Latencies.SERVICE_NS, histogram),
                                            List.of()))));
            Lines.send(out, new FromRole.Result(start.id(), Map.of(), List.of(), ""));
        }

        private FromRole.Progress progress(final String id, final long elapsedNs) {
            return new FromRole.Progress(
                    id,
                    0,
                    "64B",
                    true,
                    elapsedNs,
                    Map.of(Counts.RECEIVED, MESSAGES_A_SECOND * elapsedNs / SECOND_NS),
                    Map.of(),
                    Map.of(Latencies.RESPONSE_NS, interval, Latencies.SERVICE_NS, interval));
        }
    }
}

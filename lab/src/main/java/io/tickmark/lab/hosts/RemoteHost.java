package io.tickmark.lab.hosts;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.host.TimeSync;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.kernel.time.ClockSteering;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.RoleLaunch;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.NanoClock;

/** One other host: its agent, and the requests to it. The run's thread, and those of its roles. */
final class RemoteHost implements Placement, AutoCloseable {
    private static final int EXCHANGES = 50;
    private static final int GLANCES = 4;
    private static final long ANSWER_S = 20;

    private final HostAccess machine;
    private final NanoClock clock;
    private final AgentLink link;
    private final FromHost.Welcome welcome;
    private final ClockSteering steering = new ClockSteering();
    private final long glanceToken = ClockProbe.token();
    private final int glancePort;
    private final Map<Path, String> names = new HashMap<>();
    private final Map<Path, Integer> results = new HashMap<>();

    /** Folders that could not be created there, and why. */
    private final Map<Path, String> notMade = new HashMap<>();

    /**
     * Whether datagrams get through; known after the first short measurement, and used only by
     * these.
     */
    private boolean isGlancedByDatagrams;

    private boolean isGlancedOverLink;

    /** Starts the agent. */
    RemoteHost(
            final HostAccess machine, final Build build, final String run, final NanoClock clock) {
        this.machine = machine;
        this.clock = clock;
        link = new AgentLink(machine);
        try {
            link.send(new ToHost.Greet(run, machine.address()));
            welcome = link.await(FromHost.Welcome.class, 2 * ANSWER_S);
            check(build);
            glancePort =
                    link.ask(new ToHost.Echo(glanceToken, true), FromHost.EchoAt.class, ANSWER_S)
                            .port();
            steering.read(clock()); // the older it is, the better its rate is known
        } catch (final UserError e) {
            link.close();
            throw e;
        }
    }

    private void check(final Build build) {
        if (!welcome.protocol().equals(FromHost.PROTOCOL)
                || !welcome.version().equals(build.version())) {
            throw UserError.environment(machine.otherVersion());
        }
    }

    /** The environment of its machine. */
    Map<String, Map<String, Object>> environment() {
        return welcome.environment();
    }

    @Override
    public String host() {
        return machine.name();
    }

    @Override
    public int cores() {
        return welcome.cores();
    }

    /**
     * Roles on it share the controller's time line, which {@link #clock()} ensures, and bind to its
     * address where none is configured.
     */
    @Override
    public PlacedProcess start(final RoleLaunch launch) {
        final List<String> foreign =
                launch.jars().stream().filter(jar -> jar.contains("/")).toList();
        if (!foreign.isEmpty()) {
            throw UserError.environment(
                    "%s is not part of this build and its plug-ins, and so not on host %s; roles of another build run here only."
                            .formatted(foreign.getFirst(), machine.name()));
        }
        return link.start(
                launch.with("-D" + HostId.PROPERTY + "=" + HostId.text())
                        .with("-D" + HostAddress.PROPERTY + "=" + machine.address()));
    }

    @Override
    public Object localised(final Object value) {
        return HostAddress.inPlaceOfLoopback(value, machine.address());
    }

    @Override
    public String folder(final Path folder) {
        final FromHost.FolderCreated made =
                link.ask(
                        new ToHost.Folder(names.computeIfAbsent(folder, this::nameOf)),
                        FromHost.FolderCreated.class,
                        ANSWER_S);
        if (made.trouble().isEmpty()) {
            notMade.remove(folder);
        } else {
            notMade.put(folder, made.trouble());
        }
        return made.path();
    }

    /**
     * The name in the result, so that a role knows its neighbours; results that take turns use the
     * same names, and each has a number here.
     */
    private String nameOf(final Path folder) {
        results.putIfAbsent(folder.getParent(), results.size() + 1);
        final String name = results.get(folder.getParent()) + "-" + folder.getFileName();
        return HostFolder.NAME.matcher(name).matches() ? name : "files-" + (names.size() + 1);
    }

    @Override
    public void collect(final Path folder) {
        final String trouble = notMade.get(folder);
        if (trouble != null) {
            throw UserError.environment(
                    "What a role wrote on host %s is missing: there was no folder for it (%s); make room or allow writing there."
                            .formatted(host(), trouble));
        }
        final String name = names.get(folder);
        if (name != null) {
            link.collect(name, folder);
        }
    }

    @Override
    public ClockReading clock() {
        final long token = ClockProbe.token();
        final int port =
                link.ask(new ToHost.Echo(token, false), FromHost.EchoAt.class, ANSWER_S).port();
        if (port > 0) {
            final var found =
                    ClockProbe.measure(
                            new InetSocketAddress(machine.address(), port), token, clock);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return overLink(EXCHANGES);
    }

    private ClockReading overLink(final int exchanges) {
        final ClockOffset.Estimator estimator = new ClockOffset.Estimator();
        for (int i = 0; i < exchanges; i++) {
            final long sentNs = clock.nanoTime();
            final FromHost.TimeIs answer =
                    link.ask(new ToHost.Time(), FromHost.TimeIs.class, ANSWER_S);
            estimator.add(sentNs, answer.receivedNs(), answer.sentNs(), clock.nanoTime());
        }
        return estimator.reading();
    }

    @Override
    public Optional<ClockReading> glance() {
        if (glancePort > 0 && !isGlancedOverLink) {
            final Optional<ClockReading> found =
                    ClockProbe.glance(
                            new InetSocketAddress(machine.address(), glancePort),
                            glanceToken,
                            clock);
            isGlancedByDatagrams |= found.isPresent();
            if (isGlancedByDatagrams) {
                return found; // where they did get through, a single lost one is no reason to
                // change
            }
            isGlancedOverLink = true;
        }
        try {
            return link.isOpen() ? Optional.of(overLink(GLANCES)) : Optional.empty();
        } catch (final UserError e) {
            return Optional
                    .empty(); // the caller counts it; why a host is lost is reported elsewhere
        }
    }

    @Override
    public Optional<ClockSteering> steering() {
        return Optional.of(steering);
    }

    @Override
    public String timeSync() {
        return TimeSync.state(environment());
    }

    /**
     * Ends everything that runs there; reports what is left running. An agent that has lost us ends
     * it by itself.
     */
    @Override
    public void close() {
        try {
            final int left = link.isOpen() ? left() : 0;
            if (left > 0) {
                throw UserError.environment(
                        "Host %s still runs %d processes of this run; look for 'RoleHost' there."
                                .formatted(machine.name(), left));
            }
        } finally {
            link.close();
        }
    }

    private int left() {
        try {
            return link.ask(new ToHost.Bye(), FromHost.Bye.class, ANSWER_S).left();
        } catch (final UserError e) {
            if (link.isOpen()) {
                throw e;
            }
            return 0; // it was just being lost, which the trial has reported
        }
    }
}

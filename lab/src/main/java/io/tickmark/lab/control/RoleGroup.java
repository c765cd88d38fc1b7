package io.tickmark.lab.control;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.lab.control.RunEvents.LinkEvent;
import io.tickmark.lab.host.RoleHost;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.ToRole;
import io.tickmark.lab.tail.Pauses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * The processes of the roles of one test on one channel; they serve all its repeats, until one of
 * them is lost.
 */
final class RoleGroup implements AutoCloseable {
    /** The first process with a class path then writes an archive of its classes. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Map<String, RoleLink> byProcess = new LinkedHashMap<>();
    private final Map<String, RoleLink> byRole = new HashMap<>();
    private final List<RoleInstance> instances = new ArrayList<>();

    /** Where the JVM of each process logs its pauses: in the folder of its first role. */
    private final Map<String, Path> pauses = new HashMap<>();

    private final Map<String, Path> folders;
    private final Map<String, Placement> placements;
    private final Consumer<UserError> lacks;

    private RoleGroup(
            final Map<String, Path> folders,
            final Map<String, Placement> placements,
            final Consumer<UserError> lacks) {
        this.folders = folders;
        this.placements = placements;
        this.lacks = lacks;
    }

    /**
     * Starts the processes.
     *
     * @param instances roles of the trial
     * @param modules of the channel's engine
     * @param folders of the roles by id; a role without one writes no files
     * @param explain whether they query the kernel for what ran instead of their threads
     * @param options where they start, with which class paths
     * @param events receives their events
     * @param lacks called with the files that could not be fetched
     */
    static RoleGroup start(
            final List<RoleInstance> instances,
            final List<String> modules,
            final Map<String, Path> folders,
            final boolean explain,
            final RunOptions options,
            final BlockingQueue<LinkEvent> events,
            final Consumer<UserError> lacks) {
        final Map<String, Placement> placements = options.placements().place(instances);
        final RoleGroup group = new RoleGroup(Map.copyOf(folders), Map.copyOf(placements), lacks);
        final Set<String> dating = new HashSet<>(); // hosts with a role that dates its controller
        group.instances.addAll(instances);
        try {
            for (final RoleInstance role : instances) {
                if (!group.byProcess.containsKey(role.process())) {
                    final List<Class<?>> classes = new ArrayList<>();
                    classes.add(RoleHost.class);
                    instances.stream()
                            .filter(other -> other.process().equals(role.process()))
                            .forEach(other -> classes.add(other.factory().getClass()));
                    final Placement place = placements.get(role.id());
                    RoleLaunch launch =
                            RoleLaunch.of(
                                    role.process(),
                                    role.plan(),
                                    options.classPaths().of(classes, modules));
                    final Optional<Path> log = group.pausesOf(role, place);
                    if (log.isPresent()) {
                        launch = launch.with(Pauses.flag(log.get()));
                    }
                    if (dating.add(place.host())) {
                        launch = launch.with("-D" + StallRecording.CONTROLLER_PROPERTY + "=true");
                    }
                    if (explain) {
                        launch = launch.with("-D" + StallRecording.EXPLAIN_PROPERTY + "=true");
                    }
                    final PlacedProcess process = place.start(launch);
                    group.byProcess.put(
                            role.process(),
                            new RoleLink(role.process(), process, group.log(role), events));
                }
                group.byRole.put(role.id(), group.byProcess.get(role.process()));
            }
            return group;
        } catch (final RuntimeException e) {
            group.kill();
            throw e;
        }
    }

    /** The log of a new process, as the host of the process names it. */
    private Optional<Path> pausesOf(final RoleInstance role, final Placement place) {
        final Optional<Path> folder = folder(role);
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        final Path log = Pauses.next(folder.get()).toAbsolutePath();
        if (!place.host().equals(HostsPlan.LOCAL)) {
            final String there = place.folder(folder.get());
            pauses.put(role.process(), log);
            return there.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Path.of(there, log.getFileName().toString()));
        }
        try {
            // here, because a JVM that cannot open its log file does not start
            pauses.put(role.process(), Files.createFile(log));
            return Optional.of(log);
        } catch (final IOException e) {
            return Optional.empty(); // the tail reports that there is none
        }
    }

    /** What the JVM of a role logs of its pauses; none where it logs them elsewhere, or nothing. */
    List<Path> pauses(final RoleInstance role) {
        final Path log = pauses.get(role.process());
        return log != null && placement(role).host().equals(HostsPlan.LOCAL)
                ? List.of(log)
                : List.of();
    }

    /** Roles that share a process each get its log, in which their folders are read later. */
    private void share(final Consumer<UserError> lacking) {
        for (final RoleInstance role : instances) {
            final Path log = pauses.get(role.process());
            final Optional<Path> folder = folder(role);
            if (log == null || folder.isEmpty() || !Files.exists(log)) {
                continue;
            }
            final Path own = folder.get().toAbsolutePath().resolve(log.getFileName());
            try {
                if (!Files.exists(own)) {
                    Files.copy(log, own);
                }
            } catch (final IOException e) {
                lacking.accept(
                        UserError.environment(
                                "%s could not be copied into %s (%s): causes of stalls there are partly unknown."
                                        .formatted(log, own.getParent(), IoReason.of(e))));
            }
        }
    }

    private Optional<Path> log(final RoleInstance role) {
        return folder(role).map(folder -> folder.resolve(RoleFiles.LOG));
    }

    Optional<Path> folder(final RoleInstance role) {
        return Optional.ofNullable(folders.get(role.id()));
    }

    RoleLink link(final RoleInstance role) {
        return byRole.get(role.id());
    }

    /** Where a role runs. */
    Placement placement(final RoleInstance role) {
        return placements.get(role.id());
    }

    /** The settings sent to a role. */
    Map<String, Object> settings(final RoleInstance role, final List<RoleInstance> instances) {
        return Placements.settings(role, instances, placements);
    }

    /** A process on each machine, in the order of the roles. */
    Map<Placement, RoleLink> firstOnEach(final List<RoleInstance> instances) {
        final Map<Placement, RoleLink> first = new LinkedHashMap<>();
        instances.forEach(role -> first.putIfAbsent(placement(role), link(role)));
        return first;
    }

    /** Fetches the files of remote roles. */
    private void collect(final Consumer<UserError> lacking) {
        folders.forEach((id, folder) -> {
            if (placements.containsKey(id)) {
                try {
                    placements.get(id).collect(folder);
                } catch (final UserError e) {
                    lacking.accept(e);
                }
            }
        });
    }

    Collection<RoleLink> links() {
        return byProcess.values();
    }

    /** Ends the processes of a void trial. */
    void kill() {
        byProcess.values().forEach(RoleLink::kill);
        collect(_ -> {}); // the trial reports what was lost
        share(_ -> {});
    }

    /** Shuts down the processes in an orderly way. */
    void end() {
        byProcess.values().forEach(link -> link.send(new ToRole.Bye()));
        byProcess.values().forEach(link -> link.end(GRACE));
    }

    /** Shuts down the processes in an orderly way, and fetches their files. */
    @Override
    public void close() {
        end();
        collect(lacks);
        share(lacks);
    }
}

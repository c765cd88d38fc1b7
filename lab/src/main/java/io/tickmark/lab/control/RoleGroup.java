package io.tickmark.lab.control;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.lab.host.RoleHostMain;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.RoleCommand;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.ToRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;

/**
 * The processes of the roles of one test on one channel; they serve all its repeats, until one of
 * them is lost.
 */
final class RoleGroup implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(3);

    private final Map<String, RoleLink> byProcess = new LinkedHashMap<>();
    private final Map<String, RoleLink> byRole = new HashMap<>();
    private final Map<String, Path> folders;

    private RoleGroup(final Map<String, Path> folders) {
        this.folders = folders;
    }

    /**
     * Starts the processes.
     *
     * @param cast roles of the trial
     * @param modules of the channel's engine
     * @param folders of the roles by id; a role that has none writes no files
     * @param placement where they start
     * @param events where they are heard
     */
    static RoleGroup start(
            final List<RoleInstance> cast,
            final List<String> modules,
            final Map<String, Path> folders,
            final Placement placement,
            final BlockingQueue<LinkEvent> events) {
        final RoleGroup group = new RoleGroup(Map.copyOf(folders));
        try {
            for (final RoleInstance role : cast) {
                if (!group.byProcess.containsKey(role.process())) {
                    final List<Class<?>> classes = new ArrayList<>();
                    classes.add(RoleHostMain.class);
                    cast.stream()
                            .filter(other -> other.process().equals(role.process()))
                            .forEach(other -> classes.add(other.factory().getClass()));
                    final PlacedProcess process =
                            placement.start(
                                    RoleCommand.of(
                                            role.process(),
                                            role.plan(),
                                            new ClassPaths().of(classes, modules)));
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

    private Optional<Path> log(final RoleInstance role) {
        return folder(role).map(folder -> folder.resolve(RoleFiles.LOG));
    }

    Optional<Path> folder(final RoleInstance role) {
        return Optional.ofNullable(folders.get(role.id()));
    }

    RoleLink link(final RoleInstance role) {
        return byRole.get(role.id());
    }

    Collection<RoleLink> links() {
        return byProcess.values();
    }

    void kill() {
        byProcess.values().forEach(RoleLink::kill);
    }

    /** Ends the processes in good order. */
    @Override
    public void close() {
        byProcess.values().forEach(link -> link.send(new ToRole.Bye()));
        byProcess.values().forEach(link -> link.end(GRACE));
    }
}

package io.tickmark.lab.host;

import io.tickmark.kernel.host.ResourceSampler;
import io.tickmark.kernel.record.Deliveries;
import io.tickmark.kernel.record.Progress.ProgressListener;
import io.tickmark.kernel.record.RecordingOptions;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.SummaryFile;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Secrets;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * One role from its creation to its close, with its recording; used under a controller and by hand.
 * All on one thread except {@link #stop}.
 */
final class RoleRun implements AutoCloseable {
    /**
     * The listeners.
     *
     * @param lines for the user
     * @param progress once a second while measuring, on the reporter's thread
     */
    record Listeners(Consumer<String> lines, ProgressListener progress) {}

    private static final EpochNanoClock WALL_CLOCK = new SystemEpochNanoClock();

    private final ResourceSampler resources;
    private final RoleRecording recording;
    private final HostedContext context;

    /** The settings that belong to the role. */
    private final List<HotThread> hotThreads;

    private final Role role;
    private final Summary summary;

    /** Where and with which title the summary is written. */
    private record Summary(Optional<Path> directory, String title, Record settings) {}

    private <S extends Record> RoleRun(
            final RoleFactory<S> factory,
            final S settings,
            final HostedContext.Place place,
            final RecordingOptions options,
            final ResourceSampler resources,
            final Listeners listeners) {
        this.resources = resources;
        recording = new RoleRecording(options);
        context = new HostedContext(place, options, recording, listeners.lines());
        hotThreads =
                factory.isPlaceable()
                        ? factory.hotThreads(settings, place.index(), place.count())
                        : List.of();
        role = factory.create(settings, context);
        summary =
                new Summary(
                        options.directory(),
                        "%s %d, repeat %d"
                                .formatted(factory.name(), place.index(), options.repeat()),
                        settings);
    }

    /** Creates a role with a recording into {@code directory}. */
    static <S extends Record> RoleRun of(
            final RoleFactory<S> factory,
            final S settings,
            final HostedContext.Place place,
            final Optional<Path> directory,
            final int repeat,
            final NanoClock clock,
            final Listeners listeners) {
        final ResourceSampler resources = new ResourceSampler(clock);
        try {
            final RecordingOptions options =
                    new RecordingOptions(
                            directory, repeat, clock, WALL_CLOCK, resources, listeners.progress());
            return new RoleRun(factory, settings, place, options, resources, listeners);
        } catch (final RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    Endpoints prepare() {
        return role.prepare();
    }

    void connect(final Endpoints endpoints) {
        role.connect(endpoints);
    }

    /** Measures, and returns the result with what the host adds. */
    RoleResult run(final long startAtNs, final List<Long> faultsNs) {
        recording.watchFaults(faultsNs.stream().mapToLong(after -> startAtNs + after).toArray());
        resources.begin();
        recording.start();
        context.pinOwnThread(hotThreads);
        final RoleResult result = role.run(startAtNs);
        recording.close();
        final Map<String, Object> metrics = new LinkedHashMap<>(result.metrics());
        addIdle(metrics);
        metrics.putAll(resources.metrics());
        final List<String> warnings = new ArrayList<>(result.warnings());
        warnings.addAll(context.warnings());
        warnings.addAll(recording.warnings());
        return summed(
                new RoleResult(result.steps(), metrics, warnings, result.failure()), warnings);
    }

    /** How the hot threads waited, and why where the user did not choose it. */
    private void addIdle(final Map<String, Object> metrics) {
        final Set<IdleMode> modes = new LinkedHashSet<>();
        hotThreads.forEach(thread -> modes.add(context.idleMode(thread)));
        if (modes.isEmpty()) {
            return;
        }
        metrics.put(
                RoleSummary.IDLE,
                modes.stream().map(SettingDescriptor::word).collect(Collectors.joining(" and ")));
        hotThreads.stream()
                .map(context::idleReason)
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .ifPresent(reason -> metrics.put(RoleSummary.IDLE_REASON, reason));
    }

    /** A summary that cannot be written causes a warning and does not affect the result. */
    private RoleResult summed(final RoleResult result, final List<String> warnings) {
        try {
            if (summary.directory().isPresent()) {
                SummaryFile.append(
                        summary.directory().get(),
                        summary.title(),
                        Secrets.hidden(Settings.toMap(summary.settings())),
                        result);
            }
            return result;
        } catch (final IOException e) {
            warnings.add("The role's summary could not be written (" + IoReason.of(e) + ").");
            return new RoleResult(result.steps(), result.metrics(), warnings, result.failure());
        }
    }

    /** When messages arrived after the planned faults, by latency. */
    Map<String, List<Deliveries.AfterFault>> deliveries() {
        return recording.deliveries();
    }

    /** When the last of the role's threads began to measure; empty where it does not report it. */
    OptionalLong beganNs() {
        return context.beganNs();
    }

    /** Injects a planned fault into a process of the role; any thread. */
    void inject(final MemberFault fault) {
        role.inject(fault);
    }

    /** Asks the role to end soon; any thread. */
    void stop(final boolean isBrokenOff) {
        context.stop(isBrokenOff);
    }

    @Override
    public void close() {
        try {
            role.close();
        } finally {
            recording.close();
            resources.close();
        }
    }
}

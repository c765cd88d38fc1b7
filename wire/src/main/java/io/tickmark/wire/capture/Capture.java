package io.tickmark.wire.capture;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.wire.SessionsFile;
import io.tickmark.wire.WireContext;
import io.tickmark.wire.WireReader;
import io.tickmark.wire.WireResult;
import io.tickmark.wire.WireRoleResult;
import io.tickmark.wire.WireSettings;
import io.tickmark.wire.match.ApplicationLog;
import io.tickmark.wire.match.EpochOffset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * Captures from before the others bind until they have ended, then reads what was captured: its
 * latencies stand in the same row as theirs. Where it cannot capture nothing is run, unless the
 * user has said that the run can do without.
 */
public final class Capture implements Role {
    /** Of a repeat: all of them have one folder. */
    private static final String FILE = "capture-r%d.pcap";

    /** Folders of roles that log their latencies, behind the name of the trial. */
    private static final Pattern LOGGING_ROLE = Pattern.compile("(latency-pub|stream-sub)-\\d+");

    private static final long LOOK_MS = 20;

    /** Where a FIX gateway says that producers and consumers find it. */
    private static final String IN_ENDPOINT = "fixProducers";

    private static final String OUT_ENDPOINT = "fixConsumers";

    /** Where a publisher of pings says how many each of its steps will have. */
    private static final String PINGS_ENDPOINT = "expectedPings";

    private final CaptureSettings settings;
    private final RoleContext context;
    private Optional<Tcpdump> tcpdump = Optional.empty();
    private Optional<Path> ownFolder = Optional.empty();
    private WireSettings wire;
    private Path file;
    private String unavailable = "";
    private long beginOffsetNs;

    /** About how many pings each step has; 0 where the run has none. */
    private long expectedPings;

    Capture(final CaptureSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        wire = settings.wire();
    }

    @Override
    public Endpoints prepare() {
        try {
            file = folder().resolve(FILE.formatted(context.repeat()));
            beginOffsetNs = offsetNs();
            tcpdump = Optional.of(Tcpdump.start(settings.tcpdump(), file));
        } catch (final UserError e) {
            if (settings.required() || e.kind() == UserError.Kind.USAGE) {
                throw e;
            }
            unavailable = e.getMessage();
            context.log("Nothing is captured: " + unavailable);
        } catch (final IOException e) {
            throw UserError.environment(
                    "The folder for the capture cannot be made (" + IoReason.of(e) + ").", e);
        }
        return Endpoints.NONE;
    }

    /** Without a folder of the run, one that is removed in the end. */
    private Path folder() throws IOException {
        if (context.directory().isPresent()) {
            return context.directory().get();
        }
        ownFolder = Optional.of(Files.createTempDirectory("tickmark-capture"));
        return ownFolder.get();
    }

    private long offsetNs() {
        return EpochOffset.measure(context.clock(), SystemEpochNanoClock.INSTANCE);
    }

    /** A gateway that chose its ports itself says which. */
    @Override
    public void connect(final Endpoints endpoints) {
        wire =
                wire.withPorts(
                        port(endpoints, IN_ENDPOINT, wire.inPort()),
                        port(endpoints, OUT_ENDPOINT, wire.outPort()));
        expectedPings =
                endpoints.named(PINGS_ENDPOINT).stream()
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElse(0);
    }

    private static int port(final Endpoints endpoints, final String name, final int otherwise) {
        return endpoints.named(name).stream()
                .map(address -> address.substring(address.lastIndexOf(':') + 1))
                .filter(port -> port.matches("[0-9]{1,5}"))
                .map(Integer::valueOf)
                .findFirst()
                .orElse(otherwise);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        if (tcpdump.isEmpty()) {
            awaitStop();
            return new RoleResult(
                    List.of(),
                    Map.of("captured", "no"),
                    List.of("Nothing was captured: " + unavailable),
                    "");
        }
        awaitStop();
        final List<String> warnings = new ArrayList<>();
        final CaptureCounts counts = tcpdump.get().stop();
        final String ownEnd = tcpdump.get().ownEnd();
        String fault = "";
        if (!ownEnd.isEmpty()) {
            fault =
                    "tcpdump ended before the run did (%s); what came later was not captured."
                            .formatted(ownEnd);
            warnings.add(fault);
        }
        final RoleResult result =
                result(counts, new EpochOffset(beginOffsetNs, offsetNs()), warnings);
        if (fault.isEmpty() && result.steps().isEmpty()) {
            fault =
                    "No message that can be timed was captured: neither FIX on the gateway's ports nor messages with our"
                            + " stamp; check device and filter.";
            warnings.add(fault);
        }
        return new RoleResult(
                result.steps(),
                result.metrics(),
                List.copyOf(warnings),
                result.failure().isEmpty() && settings.required() ? fault : result.failure());
    }

    private void awaitStop() {
        while (!context.isStopped() && tcpdump.map(Tcpdump::isRunning).orElse(true)) {
            pause();
        }
        while (!context.isStopped()) {
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while capturing", e);
        }
    }

    private RoleResult result(
            final CaptureCounts counts, final EpochOffset offset, final List<String> warnings) {
        final WireContext known =
                new WireContext(
                        context.directory(),
                        context.repeat(),
                        context.trialId(),
                        Optional.of(offset),
                        applicationLog(),
                        counts.dropped() < 0
                                ? OptionalLong.empty()
                                : OptionalLong.of(counts.dropped()),
                        step ->
                                expectedPings == 0
                                        ? MessageLog.off()
                                        : context.recording()
                                                .stalls()
                                                .messages(
                                                        step,
                                                        expectedPings,
                                                        MessageLog.Kind.CAPTURED));
        // the stop that ended the capture is not one of the reading
        final WireResult result = new WireReader(wire, known, () -> false).read(file);
        context.directory()
                .ifPresent(folder -> {
                    result.fix()
                            .ifPresent(fix ->
                                    SessionsFile.write(folder, context.repeat(), fix.sessions()));
                    if (settings.keep()) {
                        new CaptureFacts(counts, Optional.of(offset)).write(file);
                    }
                });
        final RoleResult read = WireRoleResult.of(result, false);
        final Map<String, Object> metrics = new LinkedHashMap<>(read.metrics());
        known(metrics, "capturedPackets", counts.captured());
        known(metrics, "receivedByFilter", counts.received());
        warnings.addAll(read.warnings());
        return new RoleResult(read.steps(), metrics, List.copyOf(warnings), read.failure());
    }

    /** A count of tcpdump, where it has reported it. */
    private static void known(
            final Map<String, Object> metrics, final String name, final long count) {
        if (count >= 0) {
            metrics.put(name, count);
        }
    }

    /** Logs of the other roles of the trial, which lie beside this one's folder. */
    private Optional<ApplicationLog> applicationLog() {
        if (context.directory().isEmpty()) {
            return Optional.empty();
        }
        final Path folder = context.directory().get();
        final String own = folder.getFileName().toString();
        final int ownName = own.lastIndexOf("capture-");
        if (ownName < 0) {
            return Optional.empty(); // whose folders lie beside it cannot be told
        }
        final String trial = own.substring(0, ownName);
        try (Stream<Path> folders = Files.list(folder.resolveSibling("."))) {
            final List<Path> logs =
                    folders.filter(other -> isOf(trial, other.getFileName().toString()))
                            .map(other -> other.resolve(RoleFiles.EACH_LATENCY))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .toList();
            if (logs.isEmpty()) {
                return Optional.empty();
            }
            final ApplicationLog all = new ApplicationLog(context.repeat());
            logs.forEach(all::add);
            return Optional.of(all);
        } catch (final IOException e) {
            throw UserError.environment(
                    "The roles' folders cannot be read (" + IoReason.of(e) + ").", e);
        }
    }

    /** A name may begin like the trial's and be of another one, of a longer channel. */
    private static boolean isOf(final String trial, final String folder) {
        return folder.startsWith(trial)
                && LOGGING_ROLE.matcher(folder.substring(trial.length())).matches();
    }

    @Override
    public void close() {
        tcpdump.ifPresent(Tcpdump::close);
        try {
            if (file != null && !settings.keep()) {
                Files.deleteIfExists(file);
            }
            if (ownFolder.isPresent()) {
                Files.deleteIfExists(file);
                Files.deleteIfExists(ownFolder.get());
            }
        } catch (final IOException e) {
            context.log("The capture file %s could not be removed.".formatted(file));
        }
    }

    /** Makes captures of a run. */
    public static final class Factory extends RoleFactory.Declared<CaptureSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "capture",
                    "Captures packets while the other roles of a trial measure, and reads wire latency from them.",
                    CaptureSettings.class);
        }

        /** tcpdump sleeps until there is a block of packets; this process does until the end. */
        @Override
        public List<HotThread> hotThreads(
                final CaptureSettings settings, final int index, final int count) {
            return List.of();
        }

        @Override
        public long expectedDurationNs(final CaptureSettings settings) {
            return 0;
        }

        @Override
        public boolean isObserver() {
            return true;
        }

        @Override
        public void check(final CaptureSettings settings) {
            if (settings.required() && Tcpdump.find().isEmpty()) {
                throw UserError.environment(
                        "tcpdump is not installed: install it (Debian: apt-get install tcpdump).");
            }
        }

        @Override
        public Role create(final CaptureSettings settings, final RoleContext context) {
            return new Capture(settings, context);
        }
    }

    /**
     * Settings of a capture during a run.
     *
     * @param tcpdump what is captured
     * @param required whether the run cannot do without
     * @param keep whether the file is kept
     * @param wire how it is read
     */
    public record CaptureSettings(
            TcpdumpOptions tcpdump,
            @Setting(
                            help =
                                    "Do not run where capturing is not possible, and fail where nothing was captured or tcpdump"
                                            + " broke off (true); with false the run only warns. What a"
                                            + " capture lost is a warning in both cases.",
                            byDefault = "true")
                    boolean required,
            @Setting(help = "Keep the capture file in the role's folder.") boolean keep,
            WireSettings wire) {}
}

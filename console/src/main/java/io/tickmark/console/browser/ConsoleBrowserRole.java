package io.tickmark.console.browser;

import io.tickmark.console.BrowserRow;
import io.tickmark.console.ConsoleServer;
import io.tickmark.console.ConsoleSettings;
import io.tickmark.console.RowListener;
import io.tickmark.console.RunSource;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.HistogramIterationValue;

/** Serves the console, opens it in a browser that measures one row by itself, and takes the row. */
public final class ConsoleBrowserRole implements Role {
    /** Time in which a browser starts and reports its row, in addition to the measured time. */
    static final long BROWSER_NS = 60_000_000_000L;

    private static final long NAP_NS = 20_000_000;
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;

    private final ConsoleBrowserSettings settings;
    private final RoleContext context;
    private final LatencyRecorder response;
    private final AtomicReference<BrowserRow> row = new AtomicReference<>();
    private volatile String brokenOff = "";
    private ConsoleServer server;
    private Chromium browser;

    ConsoleBrowserRole(final ConsoleBrowserSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        response = context.recording().latency(Latencies.RESPONSE_NS);
    }

    @Override
    public Endpoints prepare() {
        final Map<String, Object> values = new LinkedHashMap<>(Settings.toMap(settings.feed()));
        values.put("port", 0);
        values.put("host", "127.0.0.1"); // the browser is on this host wherever others are
        server =
                new ConsoleServer(
                        Settings.read(ConsoleSettings.class, values, key -> key),
                        "",
                        _ -> "",
                        new RowListener() {
                            @Override
                            public void measured(final BrowserRow measured) {
                                row.set(measured);
                            }

                            @Override
                            public void brokenOff(final String reason) {
                                brokenOff = reason;
                            }
                        },
                        RunSource.NONE);
        return Endpoints.of(Map.of("server", server.address()));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        // the browser connects when the trial starts: it measures as soon as the page is loaded
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.recording().beginStep(0, "row");
        browser = new Chromium(settings.chromium(), address());
        final long endNs =
                context.clock().nanoTime()
                        + settings.warmUp().toNanos()
                        + settings.duration().toNanos()
                        + BROWSER_NS;
        while (row.get() == null
                && brokenOff.isEmpty()
                && browser.isAlive()
                && context.clock().nanoTime() - endNs < 0
                && !context.isStopped()) {
            LockSupport.parkNanos(NAP_NS);
        }
        final BrowserRow measured = row.get();
        if (measured == null) {
            context.recording().endStep();
            return new RoleResult(List.of(), Map.of(), List.of(), whyNoRow());
        }
        take(measured, response);
        final StepRecording recorded = context.recording().endStep();
        final long fromArrival = server.fromArrival();
        return new RoleResult(
                List.of(step(measured, recorded)),
                measured.figures(),
                fromArrival == 0
                        ? List.of()
                        : List.of(
                                CountSentence.of(
                                        "Response times of %d message{|s} count from when {it|they} arrived at the server:"
                                                + " {its|their} source is on another host, whose clock is not this one's.",
                                        fromArrival)),
                notKnown(measured));
    }

    /** The messages have arrived at some time before: no time to recover is known. */
    static void take(final BrowserRow measured, final LatencyRecorder response) {
        for (final HistogramIterationValue value : measured.latency().recordedValues()) {
            for (long i = value.getCountAtValueIteratedTo(); i > 0; i--) {
                response.record(value.getValueIteratedTo());
            }
        }
    }

    private String whyNoRow() {
        if (!brokenOff.isEmpty()) {
            return "The page aborted its row: " + brokenOff;
        }
        return server.sessionsOpened() == 0
                ? "The page was not opened in time; does " + settings.chromium() + " start here?"
                : "The page was opened, but reported no row in time.";
    }

    /** Why the row is void; empty where all is known, or something is known to have failed. */
    static String notKnown(final BrowserRow measured) {
        return reasons(measured).isEmpty()
                ? String.join(" ", sentences(measured.notKnown().stream()))
                : "";
    }

    private static List<String> reasons(final BrowserRow measured) {
        return sentences(Stream.concat(measured.notKeptUp().stream(), measured.broken().stream()));
    }

    private static List<String> sentences(final Stream<String> clauses) {
        return clauses.map(why ->
                        why.substring(0, 1).toUpperCase(Locale.ROOT) + why.substring(1) + ".")
                .toList();
    }

    private StepResult step(final BrowserRow measured, final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        measured.feedPerSecond()
                .ifPresent(made -> counts.put(Counts.SENT, Math.round(made * measured.seconds())));
        counts.put(Counts.EXPECTED, measured.messages() + measured.lost());
        counts.put(Counts.RECEIVED, measured.messages());
        counts.put(Counts.LOST, measured.lost());
        counts.putAll(recorded.counts());
        counts.merge(Counts.NOT_POSITIVE, measured.notPositive(), Long::sum);
        counts.merge(
                Counts.of(Latencies.RESPONSE_NS, Counts.NOT_POSITIVE),
                measured.notPositive(),
                Long::sum);
        return new StepResult(
                0,
                settings.feedChannel()
                        + (settings.flush().isZero()
                                ? ", one message a frame, "
                                : ", flush " + Durations.format(settings.flush()) + ", ")
                        + (settings.rendering()
                                ? SettingDescriptor.word(settings.renderer())
                                : "no rendering"),
                settings.feed().messageBytes(),
                counts,
                (long) (measured.seconds() * NS_PER_S),
                settings.feed().rate(),
                measured.feedPerSecond().orElse(0),
                recorded.latencies(),
                reasons(measured));
    }

    /** The page takes its settings from behind the # and measures by itself. */
    private String address() {
        final FeedSettings feed = settings.feed();
        return server.address()
                + "&benchmark=%s&warmup=%s#"
                        .formatted(
                                settings.duration().toNanos() / NS_PER_S,
                                settings.warmUp().toNanos() / NS_PER_S)
                + "symbols=%d&threads=%d&sleepMs=%s&rate=%s&messageBytes=%d"
                        .formatted(
                                feed.symbols(),
                                feed.threads(),
                                feed.sleep().toNanos() / NS_PER_MS,
                                feed.rate(),
                                feed.messageBytes())
                + "&channel=%s&maxFrequency=%s&conflation=%s&flushMs=%s"
                        .formatted(
                                settings.feedChannel(),
                                settings.maxFrequency(),
                                settings.conflation(),
                                settings.flush().toNanos() / NS_PER_MS)
                + "&guaranteed=%s&framesPerSecond=%d&rendering=%s&renderer=%s"
                        .formatted(
                                settings.guaranteed(),
                                settings.frameRate(),
                                settings.rendering(),
                                SettingDescriptor.word(settings.renderer()));
    }

    @Override
    public void close() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** A browser without a window, with its own profile, which is deleted when it ends. */
    static final class Chromium implements AutoCloseable {
        private static final List<String> FLAGS =
                List.of(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--window-size=1440,900");
        private static final long PATIENCE_S = 5;

        /**
         * Where it makes temporary files, among them a socket, whose path has a limit (unix(7)).
         */
        private static final String TEMPORARY = "TMPDIR";

        private static final int LONGEST_TEMPORARY =
                107 - "/org.chromium.Chromium.XXXXXX/SingletonSocket".length();

        private final Path profile;
        private final Process process;

        Chromium(final String program, final String address) {
            try {
                profile = Files.createTempDirectory("tickmark-chromium-");
                final List<String> command = new ArrayList<>(List.of(program));
                command.addAll(FLAGS);
                command.add("--user-data-dir=" + profile);
                command.add(address);
                final ProcessBuilder builder =
                        new ProcessBuilder(command)
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
                if (profile.toString().length() <= LONGEST_TEMPORARY) {
                    builder.environment().put(TEMPORARY, profile.toString());
                }
                process = builder.start();
            } catch (final IOException e) {
                throw UserError.environment(
                        "--chromium %s: cannot be started: %s.".formatted(program, IoReason.of(e)),
                        e);
            }
        }

        boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public void close() {
            final List<ProcessHandle> children = process.descendants().toList();
            process.destroy();
            try {
                if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor(PATIENCE_S, TimeUnit.SECONDS);
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            children.forEach(ProcessHandle::destroyForcibly);
            for (final ProcessHandle child : children) { // while they live they may write
                child.onExit().completeOnTimeout(child, PATIENCE_S, TimeUnit.SECONDS).join();
            }
            delete(profile);
        }

        private static void delete(final Path folder) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (final IOException | UncheckedIOException _) {
                // a helper of the browser still writes; the folder is in /tmp
            }
        }
    }

    /** Makes roles that measure a real browser. */
    public static final class Factory extends RoleFactory.Declared<ConsoleBrowserSettings> {
        private static final List<HotThread> THREADS =
                List.of(new HotThread("feed"), new HotThread("sessions"), new HotThread("browser"));

        /** For the service loader. */
        public Factory() {
            super(
                    "console-browser",
                    "Opens the console's page in a real browser and reports the row that the page measures.",
                    ConsoleBrowserSettings.class);
        }

        @Override
        public String workload() {
            return "browser";
        }

        @Override
        public List<HotThread> hotThreads(
                final ConsoleBrowserSettings settings, final int index, final int count) {
            return THREADS;
        }

        @Override
        public long expectedDurationNs(final ConsoleBrowserSettings settings) {
            return settings.warmUp().toNanos()
                    + settings.duration().toNanos()
                    + ConsoleBrowserRole.BROWSER_NS;
        }

        @Override
        public void check(final ConsoleBrowserSettings settings) {
            ChannelList.shipped().get(settings.feedChannel());
            new ConflationPolicies().find(settings.conflation());
            if (!Files.isExecutable(Path.of(settings.chromium()))) {
                throw UserError.environment(
                        "--chromium %s: does not exist; install the package 'chromium', or name another browser."
                                .formatted(settings.chromium()));
            }
        }

        @Override
        public Role create(final ConsoleBrowserSettings settings, final RoleContext context) {
            return new ConsoleBrowserRole(settings, context);
        }
    }

    /**
     * Settings of the browser role: the parameters of a benchmark row.
     *
     * @param feed what it makes
     * @param feedChannel that messages come by
     * @param maxFrequency most messages a second of one symbol
     * @param conflation what becomes of messages that may not be sent yet
     * @param flush how long messages are collected for one frame
     * @param guaranteed whether messages are kept until acknowledged, and sent again after a
     *     reconnect
     * @param frameRate of the page
     * @param rendering whether the page draws
     * @param renderer what it draws with
     * @param warmUp before it is measured
     * @param duration that is measured
     * @param chromium to start
     */
    public record ConsoleBrowserSettings(
            FeedSettings feed,
            @Setting(help = "Channel of the page.", byDefault = "ws-binary", label = "NAME")
                    String feedChannel,
            @Setting(
                            help = "Most messages per second of one symbol; 0: all of them.",
                            byDefault = "0",
                            unit = "msg/s",
                            min = 0,
                            max = 1_000_000)
                    double maxFrequency,
            @Setting(
                            help = "What happens to messages that may not be sent yet.",
                            byDefault = "merge",
                            label = "POLICY")
                    String conflation,
            @Setting(
                            help =
                                    "How long messages are collected for one frame; 0: one message a frame.",
                            byDefault = "1ms",
                            min = 0,
                            max = 6e10)
                    Duration flush,
            @Setting(
                            help =
                                    "Number messages, keep them until they are acknowledged, and send them again "
                                            + "after a reconnect.",
                            byDefault = "false")
                    boolean guaranteed,
            @Setting(
                            help =
                                    "Frames that the page draws per second; 0: as many as the display.",
                            byDefault = "0",
                            min = 0,
                            max = 60)
                    int frameRate,
            @Setting(help = "Draw the messages as they arrive.", byDefault = "true")
                    boolean rendering,
            @Setting(help = "What the page draws with.", byDefault = "table") Renderer renderer,
            @Setting(
                            help = "Time for which the page receives before it is measured.",
                            byDefault = "3s",
                            min = 0,
                            max = 3.6e12)
                    Duration warmUp,
            @Setting(help = "Time that is measured.", byDefault = "10s", min = 1e9, max = 3.6e12)
                    Duration duration,
            @Setting(
                            help = "Browser to start: Chromium, or one that takes its flags.",
                            byDefault = "/usr/bin/chromium",
                            label = "FILE")
                    String chromium) {

        /** What the page draws with. */
        public enum Renderer {
            /** Rows of the document. */
            TABLE,
            /** Tiles on a canvas, drawn in the worker. */
            CANVAS
        }
    }
}

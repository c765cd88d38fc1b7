package io.tickmark.lab.mock;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.mock.MockSettings.Trouble;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Pretends to measure, and fails in the configured way. */
final class MockRole implements Role {
    private static final long ROUND_TRIP_NS = 10_000;

    private final MockSettings settings;
    private final RoleContext context;
    private final boolean sends;
    private final LatencyRecorder latency;
    private final Counter messages;
    private String heard = "";

    MockRole(final MockSettings settings, final RoleContext context, final boolean sends) {
        this.settings = settings;
        this.context = context;
        this.sends = sends;
        final Recording recording = context.recording();
        latency = recording.latency(Latencies.ROUND_TRIP_NS);
        messages = recording.counter(sends ? Counts.SENT : Counts.RECEIVED);
    }

    private boolean has(final Trouble trouble) {
        return settings.trouble() == trouble
                && (settings.troubleOf() == 0 || settings.troubleOf() == context.index());
    }

    @Override
    public Endpoints prepare() {
        if (has(Trouble.PREPARE_FAILS)) {
            throw UserError.environment("--channel: port 7 is in use; choose another.");
        }
        return sends
                ? Endpoints.of(Map.of("channel", settings.channel() + "#bound"))
                : Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        if (has(Trouble.CONNECT_FAILS)) {
            throw UserError.environment("--channel: nobody answers; start the peer.");
        }
        heard = String.join(",", endpoints.named("channel"));
        context.log("connected to " + heard);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        while (context.clock().nanoTime() < startAtNs && !context.isStopped()) {
            LockSupport.parkNanos(100_000);
        }
        trouble();
        final List<StepResult> steps = new ArrayList<>();
        for (int step = 0; step < settings.sizes().size() && !context.isStopped(); step++) {
            steps.add(step(step));
        }
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("heard", heard);
        metrics.put("connectTimeoutNs", context.connectTimeoutNs());
        metrics.put("thread", Thread.currentThread().getName());
        metrics.put("pid", ProcessHandle.current().pid());
        metrics.put("mockVariable", String.valueOf(System.getenv("MOCK")));
        metrics.put("mockProperty", String.valueOf(System.getProperty("mock")));
        metrics.put("niceness", niceness());
        return new RoleResult(steps, metrics, List.of(), has(Trouble.FAILS) ? "Nothing came." : "");
    }

    private StepResult step(final int step) {
        final int size = settings.sizes().get(step);
        context.recording().beginStep(step, size + "B");
        final long startNs = context.clock().nanoTime();
        final long lost = !sends && has(Trouble.LOSES) ? 1 : 0;
        for (long i = lost; i < settings.samples(); i++) {
            messages.increment();
            if (sends) {
                latency.record(ROUND_TRIP_NS + i);
            }
        }
        final long endNs = startNs + settings.lasting().toNanos();
        while (context.clock().nanoTime() < endNs && !context.isStopped()) {
            LockSupport.parkNanos(1_000_000);
        }
        final Map<String, Histogram> latencies = context.recording().endStep().latencies();
        return new StepResult(
                step,
                "",
                size,
                Map.of(sends ? Counts.SENT : Counts.RECEIVED, settings.samples() - lost),
                context.clock().nanoTime() - startNs,
                0,
                sends ? 1000 : 0,
                latencies,
                List.of());
    }

    private void trouble() {
        if (has(Trouble.RUN_FAILS)) {
            throw UserError.usage("--sizes: too long for this channel; give smaller ones.");
        }
        if (has(Trouble.RUN_BREAKS)) {
            throw new IllegalStateException("a defect");
        }
        if (has(Trouble.DIES)) {
            System.err.println("last words");
            Runtime.getRuntime().halt(42);
        }
        if (has(Trouble.NEVER_ENDS)) {
            forever();
        }
        if (has(Trouble.HANGS)) {
            suspend();
            forever();
        }
        if (has(Trouble.FLOODS)) {
            flood();
        }
        if (has(Trouble.PRINTS)) {
            System.out.println("printed by a library");
        }
        if (has(Trouble.GARBAGE)) {
            garbage();
        }
    }

    private static void forever() {
        for (int i = 0; i < 60_000; i++) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void suspend() {
        try {
            new ProcessBuilder("sh", "-c", "kill -STOP " + ProcessHandle.current().pid()).start();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void flood() {
        final String line = "x".repeat(1000);
        for (int i = 0; i < 1_000_000 && !context.isStopped(); i++) {
            System.err.println(line);
        }
    }

    private static void garbage() {
        try (FileOutputStream out = new FileOutputStream("/proc/self/fd/1")) {
            out.write("{\"no\": \"message\"\n\u0000rubbish\n".getBytes(StandardCharsets.UTF_8));
        } catch (final IOException e) {
            System.err.println(e);
        }
    }

    private static String niceness() {
        try {
            final String stat =
                    java.nio.file.Files.readString(java.nio.file.Path.of("/proc/self/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16];
        } catch (final IOException e) {
            return "unknown";
        }
    }

    @Override
    public void close() {}
}

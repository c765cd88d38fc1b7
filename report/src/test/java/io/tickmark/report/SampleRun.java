package io.tickmark.report;

import io.tickmark.kernel.record.HistogramTag;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.verdict.Headline;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.NoiseRule;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A result folder like that of a default run, generated from a fixed seed. */
final class SampleRun {
    private static final List<String> CHANNELS =
            List.of("udp://127.0.0.1:0", "tcp://127.0.0.1:0", "shm:", "aeron:ipc", "aeron:udp");
    private static final long[] BASE_NS = {8_900, 13_400, 240, 520, 17_800};
    private static final long NOISE_NS = 14_200;
    private static final long START_MS = Instant.parse("2026-11-20T08:30:00Z").toEpochMilli();

    private final Path folder;
    private final int samples;
    private final Random random = new Random(42);
    private final List<TrialResult> rows = new ArrayList<>();
    private long nowMs = START_MS;

    private SampleRun(final Path folder, final int samples) {
        this.folder = folder;
        this.samples = samples;
    }

    /** For a look at the page: {@code SampleRun FOLDER}. */
    public static void main(final String[] args) throws IOException {
        ReportFiles.write(Path.of(args[0]), in(Path.of(args[0]), 20_000));
    }

    /** With as many latencies for each size, and each second of the open loop. */
    static RunResult in(final Path folder, final int samples) throws IOException {
        final SampleRun sample = new SampleRun(folder, samples);
        for (int channel = 0; channel < CHANNELS.size(); channel++) {
            sample.closedLoop(channel);
        }
        for (int channel = 0; channel < 3; channel++) {
            sample.openLoop(channel);
        }
        for (int channel = 0; channel < CHANNELS.size(); channel++) {
            sample.stream("stream-paced", channel, 100_000, channel == 4 ? 0 : 100_000);
            sample.stream("stream-max", channel, 0, 5e9 / (BASE_NS[channel] + 900));
        }
        final RunResult run = sample.result();
        Files.writeString(folder.resolve("result.json"), ResultJson.write(run));
        Files.writeString(
                folder.resolve("plan.yaml"),
                "schema: tickmark.plan/1\nname: default\ndescription: Latency and streaming on"
                        + " every built-in channel and on Aeron.\nnoise: 1s\ntests:\n  - name: latency\n"
                        + "    workload: latency\n    channels: [\"udp://127.0.0.1:0\", \"shm:\"]\n");
        return run;
    }

    private RunResult result() {
        final Map<String, Map<String, Object>> environment = new LinkedHashMap<>();
        environment.put("host", Map.of("name", "lab-3"));
        final Map<String, Object> cpu = new LinkedHashMap<>();
        cpu.put("model", "AMD EPYC 7B13");
        cpu.put("logicalCores", 2);
        cpu.put("l3CacheBytes", 33_554_432);
        cpu.put("governor", "performance");
        cpu.put("idleStates", List.of("POLL 0 us", "C1 2 us"));
        environment.put("cpu", cpu);
        environment.put("kernel", Map.of("release", "6.1.0-28-amd64", "clockSource", "kvm-clock"));
        environment.put(
                "memory", Map.of("totalBytes", 8_335_114_240L, "transparentHugePages", "madvise"));
        environment.put("virtualisation", Map.of("virtualMachine", true, "hypervisor", "KVM"));
        environment.put("jvm", Map.of("version", "25.0.3+9-LTS", "collector", "Parallel"));
        environment.put(
                "libraries", Map.of("aeron", "1.51.0", "agrona", "2.6.0", "hdrHistogram", "2.2.2"));
        final RunResult run = Trials.run(rows, List.of());
        return new RunResult(
                run.schema(),
                "0.1.0",
                "2026-11-20T09:30:00+01:00",
                "default",
                run.verdict(),
                List.of(
                        "stream-paced on aeron:udp: 1,204 of 150,000 messages were lost, none may be"),
                rows,
                List.of(),
                List.of(),
                run.noise(),
                environment,
                null);
    }

    private void closedLoop(final int channel) throws IOException {
        try (RoleFolder pub = new RoleFolder("latency", channel, "latency-pub")) {
            for (int repeat = 1; repeat <= 3; repeat++) {
                for (int step = 0; step < 10; step++) {
                    final int bytes = 16 << step;
                    final Histogram histogram = new Histogram(3);
                    final long base = BASE_NS[channel] + bytes * (channel == 2 ? 40L : 300) / 1_000;
                    fill(histogram, base, samples);
                    pub.interval(
                            Latencies.ROUND_TRIP_NS, repeat, step, 500, histogram, samples / 0.5);
                    add(
                            trial("latency", "latency", channel, repeat)
                                    .size(step, bytes)
                                    .sent(samples)
                                    .rate(0, 1e9 / base)
                                    .labels("closed-loop")
                                    .roundTrip(LatencySummary.of(histogram)));
                }
            }
        }
    }

    private void openLoop(final int channel) throws IOException {
        final double rate = samples;
        try (RoleFolder pub = new RoleFolder("latency-open", channel, "latency-pub")) {
            final Histogram response = new Histogram(3);
            final Histogram service = new Histogram(3);
            for (int second = 0; second < 8; second++) {
                final Histogram one = new Histogram(3);
                fill(one, BASE_NS[channel], (int) rate);
                service.add(one);
                pub.interval(Latencies.SERVICE_NS, 1, 0, 0, one, rate);
                final long stall = second == 5 ? 3_100_000 : 90_000;
                for (int late = 0; late < rate * stall / 1e9; late++) {
                    one.recordValue(BASE_NS[channel] + (long) (late * 1e9 / rate));
                }
                response.add(one);
                pub.interval(
                        Latencies.RESPONSE_NS, 1, 0, 1000, one, second == 5 ? rate * 0.996 : rate);
            }
            add(
                    trial("latency-open", "latency", channel, 1)
                            .sent((long) rate * 8)
                            .rate(rate, rate - 3)
                            .tightSends(62)
                            .labels(channel == 1 ? new String[] {"saturated"} : new String[0])
                            .response(LatencySummary.of(response))
                            .service(LatencySummary.of(service)));
        }
    }

    private void stream(
            final String test, final int channel, final double offered, final double sent)
            throws IOException {
        final double achieved = sent > 0 ? sent : offered;
        final boolean loses = sent == 0;
        try (RoleFolder sub = new RoleFolder(test, channel, "stream-sub");
                RoleFolder pub = new RoleFolder(test, channel, "stream-pub")) {
            final Histogram total = new Histogram(3);
            for (int second = 0; second < 6; second++) {
                final Histogram one = new Histogram(3);
                fill(one, offered > 0 ? BASE_NS[channel] : 40 * BASE_NS[channel], samples);
                total.add(one);
                final double now = achieved * (0.985 + 0.03 * random.nextDouble());
                pub.stats("sent", 1, 0, offered > 0 ? achieved : now);
                sub.stats("received", 1, 0, now * (loses ? 0.992 : 1));
                sub.interval(Latencies.RESPONSE_NS, 1, 0, 1000, one, 0);
            }
            final Trials trial =
                    trial(test, "stream", channel, 1)
                            .sent(150_000)
                            .rate(offered, achieved)
                            .tightSends(offered > 0 ? 33 : 149_806)
                            .response(LatencySummary.of(total))
                            .lost(loses ? 1_204 : 0);
            if (offered == 0) {
                trial.labels("as-fast-as-possible");
            }
            if (loses) {
                trial.verdict(Verdict.FAIL, "1,204 of 150,000 messages were lost, none may be");
            }
            add(trial);
        }
    }

    private Trials trial(
            final String test, final String workload, final int channel, final int repeat) {
        final String pub = workload + "-pub";
        final String sub = workload + "-sub";
        return Trials.closedLoop()
                .roundTrip(null)
                .labels()
                .test(test)
                .workload(workload)
                .channel(CHANNELS.get(channel))
                .repeat(repeat)
                .noise(NOISE_NS)
                .roles(
                        new TrialResult.RoleSummary(pub, 1, Map.of(), List.of()),
                        new TrialResult.RoleSummary(sub, 1, Map.of(), List.of()));
    }

    /** Labels rows that noise could explain, as the lab does. */
    private void add(final Trials trial) {
        final TrialResult row = trial.row();
        final List<String> labels = new ArrayList<>(row.labels());
        if (NoiseRule.isNoisy(Headline.of(row).orElse(null), row.noiseBefore(), row.noiseAfter())) {
            labels.add(Labels.NOISY);
        }
        rows.add(trial.labels(labels.toArray(String[]::new)).row());
    }

    /** A narrow body, a shoulder, and occasionally a gap of the machine. */
    private void fill(final Histogram histogram, final long baseNs, final int count) {
        for (int i = 0; i < count; i++) {
            double ns = baseNs * (1 + 0.04 * Math.abs(random.nextGaussian()));
            if (random.nextInt(40) == 0) {
                ns *= 1.1 + 0.5 * random.nextDouble();
            }
            if (random.nextInt(4_000) == 0) {
                ns += 15_000 / Math.sqrt(random.nextDouble() + 0.004);
            }
            histogram.recordValue((long) ns);
        }
    }

    /** What one role writes. */
    private final class RoleFolder implements AutoCloseable {
        private final PrintStream log;
        private final PrintStream stats;
        private final HistogramLogWriter writer;
        private String header = "";

        RoleFolder(final String test, final int channel, final String role) throws IOException {
            final Path roles = folder.resolve(ResultFolder.ROLES);
            final String name = CHANNELS.get(channel);
            final Path path = roles.resolve(ResultFolder.nameOf(test, name, role + "-1"));
            Files.createDirectories(path);
            if (role.equals("latency-pub")) {
                final Path sub = roles.resolve(ResultFolder.nameOf(test, name, "latency-sub-1"));
                Files.createDirectories(sub);
                Files.writeString(sub.resolve(RoleFiles.HISTOGRAMS), "");
                Files.writeString(sub.resolve(RoleFiles.STATS), "");
            }
            log = stream(path.resolve(RoleFiles.HISTOGRAMS));
            stats = stream(path.resolve(RoleFiles.STATS));
            writer = new HistogramLogWriter(log);
            writer.outputLogFormatVersion();
            writer.outputStartTime(nowMs);
            writer.outputLegend();
        }

        private static PrintStream stream(final Path file) throws IOException {
            return new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8);
        }

        void interval(
                final String latency,
                final int repeat,
                final int step,
                final long lengthMs,
                final Histogram histogram,
                final double perSecond) {
            histogram.setTag(new HistogramTag(latency, repeat, step).toString());
            writer.outputIntervalHistogram(nowMs / 1e3, (nowMs + 1_000) / 1e3, histogram);
            if (perSecond > 0 && lengthMs > 0) {
                stats("sent", repeat, step, perSecond);
            }
            nowMs += lengthMs;
        }

        void stats(final String counter, final int repeat, final int step, final double perSecond) {
            final String columns =
                    "time,repeat,step,label,seconds,"
                            + (counter + "," + counter + "PerSecond,cpuPercent,residentBytes");
            if (!columns.equals(header)) {
                header = columns;
                stats.println(columns);
            }
            stats.printf(
                    Locale.ROOT,
                    "%s,%d,%d,\"64B, \"\"x\"\"\",1.000,0,%.3f,98.500,157286400%n",
                    Instant.ofEpochMilli(nowMs + 1_000),
                    repeat,
                    step,
                    perSecond);
        }

        @Override
        public void close() {
            writer.close();
            stats.close();
        }
    }
}

package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Consumers: the first thread is the role's own, its latencies are recorded second by second. */
final class Consumers implements Role {
    private final ConsumersSettings settings;
    private final RoleContext context;
    private final List<ConsumerLoop> loops = new ArrayList<>();
    private final List<Histogram> responses = new ArrayList<>();
    private final List<Histogram> services = new ArrayList<>();
    private final Counter counter;
    private final ProgressLines progress;
    private final LoopGroup group;

    Consumers(final ConsumersSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        group = new LoopGroup(context, "consumer thread");
        counter = context.recording().counter(Counts.RECEIVED);
        progress =
                new ProgressLines(
                        settings.progressEvery(),
                        this::received,
                        count -> context.tell("Received " + count + " messages."),
                        counter);
        final int threads = Math.min(settings.client().threads(), settings.consumers());
        final AtomicInteger reading = new AtomicInteger();
        int first = 1;
        for (int i = 0; i < threads; i++) {
            final int count =
                    settings.consumers() / threads + (i < settings.consumers() % threads ? 1 : 0);
            loops.add(
                    new ConsumerLoop(
                            settings,
                            group,
                            received(i, count),
                            first,
                            count,
                            context.idleMode(ConsumersFactory.thread(i)),
                            reading));
            first += count;
        }
    }

    private Received received(final int thread, final int count) {
        if (thread == 0) {
            return new Received(
                    context,
                    count,
                    Received.Latency.of(context.recording().latency(Latencies.RESPONSE_NS)),
                    Received.Latency.of(context.recording().latency(Latencies.SERVICE_NS)),
                    () -> context.recording().beginStep(0, "fan-out"));
        }
        final Histogram response = histogram(responses);
        final Histogram service = histogram(services);
        return new Received(
                context,
                count,
                into(response),
                into(service),
                () -> {
                    response.reset();
                    service.reset();
                });
    }

    private static Histogram histogram(final List<Histogram> list) {
        list.add(new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS));
        return list.getLast();
    }

    private static Received.Latency into(final Histogram histogram) {
        return ns -> histogram.recordValue(Math.clamp(ns, 1, LatencyRecorder.HIGHEST_NS));
    }

    private long received() {
        return loops.stream().mapToLong(loop -> loop.received().received()).sum();
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final String bound = endpoints.named("fixConsumers").stream().findFirst().orElse("");
        final InetSocketAddress address =
                settings.client().address(bound, settings.consumersPort());
        loops.forEach(loop -> loop.connect(address));
        context.tell(
                settings.consumers()
                        + " consumers are logged on at "
                        + ClientSessions.text(address)
                        + ".");
    }

    @Override
    public RoleResult run(final long startAtNs) {
        progress.start();
        group.run(
                "fix-consumers",
                number ->
                        ClientSessions.settle(context, number, ConsumersFactory.thread(number - 1)),
                loops.stream().<Runnable>map(loop -> loop::run).toList());
        progress.stop();
        counter.set(received());
        final List<String> warnings = new ArrayList<>();
        final List<StepResult> steps = new ArrayList<>();
        if (received() > 0) {
            steps.add(step(warnings));
        }
        return new RoleResult(steps, metrics(), warnings, failure());
    }

    private StepResult step(final List<String> warnings) {
        final StepRecording recorded = context.recording().endStep();
        final Map<String, Histogram> latencies = new LinkedHashMap<>(recorded.latencies());
        responses.forEach(more -> add(latencies, Latencies.RESPONSE_NS, more));
        services.forEach(more -> add(latencies, Latencies.SERVICE_NS, more));
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.RECEIVED, received());
        counts.put(Counts.EXPECTED, expected());
        counts.put(Counts.DUPLICATED, sum(loop -> loop.received().duplicated()));
        counts.put(Counts.CORRUPTED, sum(ConsumerLoop::garbled));
        counts.put("sequenceGaps", sum(ConsumerLoop::missed));
        counts.putAll(recorded.counts());
        if (loops.stream().anyMatch(loop -> loop.received().isForeignHost())) {
            warnings.add("One-way times were not measured: producers are on another host.");
        }
        final long durationNs =
                loops.stream().mapToLong(loop -> loop.received().durationNs()).max().orElse(0);
        final int bytes =
                loops.stream().mapToInt(loop -> loop.received().messageBytes()).max().orElse(0);
        return new StepResult(0, "", bytes, counts, durationNs, 0, 0, latencies, List.of());
    }

    /**
     * Each session was to get what any of them knows the producers to have sent. How many messages
     * a symbol had, producers do not say: what the sessions never got is lost then.
     */
    private long expected() {
        return settings.symbols().isEmpty()
                ? ProducerNumbers.total(
                                loops.stream().flatMap(loop -> loop.received().numbers()).toList())
                        * sum(ConsumerLoop::counted)
                : received() + sum(ConsumerLoop::missing);
    }

    private static void add(
            final Map<String, Histogram> latencies, final String name, final Histogram more) {
        if (more.getTotalCount() > 0) {
            final Histogram there = latencies.putIfAbsent(name, more);
            if (there != null) {
                there.add(more);
            }
        }
    }

    private long sum(final java.util.function.ToLongFunction<ConsumerLoop> figure) {
        return loops.stream().mapToLong(figure).sum();
    }

    private Map<String, Object> metrics() {
        final long durationNs =
                loops.stream().mapToLong(loop -> loop.received().durationNs()).max().orElse(0);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("consumers", settings.consumers());
        if (settings.stalled() > 0) {
            metrics.put("stalled", settings.stalled());
        }
        metrics.put("receivedPerSecond", durationNs == 0 ? 0 : received() * 1e9 / durationNs);
        metrics.put("warmUpReceived", sum(loop -> loop.received().warmUps()));
        metrics.put("unmarkedReceived", sum(loop -> loop.received().unmarked()));
        metrics.put("foreignMessages", sum(loop -> loop.received().foreign()));
        return metrics;
    }

    private String failure() {
        return Stream.concat(
                        Stream.of(group.failure()),
                        loops.stream()
                                .map(loop -> loop.received().ended())
                                .filter(reason -> !reason.isEmpty())
                                .map(reason -> "a consumer's session ended: " + reason + "."))
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        progress.stop();
        loops.forEach(ConsumerLoop::close);
    }
}

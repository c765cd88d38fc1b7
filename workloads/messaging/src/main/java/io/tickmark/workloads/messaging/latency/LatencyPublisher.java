package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.Silence;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.WireRate;
import io.tickmark.workloads.messaging.session.PublisherSession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends pings of each size in turn and times their echoes. */
final class LatencyPublisher implements Role {
    private final LatencyPubSettings settings;
    private final RoleContext context;
    private final List<String> warnings = new ArrayList<>();
    private ChannelUri channel;
    private Exchange exchange;
    private PublisherSession session;
    private Pinger pinger;

    /** Looked up while the subscribers are there: they may be gone once they have heard the end. */
    private WireRate wire;

    LatencyPublisher(final LatencyPubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        channel = settings.uri();
    }

    @Override
    public Endpoints prepare() {
        final Transport transport = new Transports().of(channel);
        settings.checkSizes(transport.traits(channel).maxPayloadBytes(), channel);
        final boolean external = settings.echo() == EchoKind.EXTERNAL;
        exchange =
                transport.exchange(
                        channel,
                        new Topic(settings.topic(), 1),
                        external ? transport.sideTowardsForeignEcho() : ExchangeSide.BIND,
                        1);
        exchange.note()
                .ifPresent(note -> {
                    context.tell(note);
                    warnings.add(note);
                });
        EngineFacts.told(exchange).ifPresent(context::tell);
        if (external) {
            return Endpoints.NONE;
        }
        channel = exchange.channel();
        return Endpoints.of(Map.of("channel", channel.toString()))
                .and(
                        Silence.tell(
                                settings.pace().longestGapNs() + settings.pingTimeout().toNanos()));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final boolean external = settings.echo() == EchoKind.EXTERNAL;
        session =
                new PublisherSession(
                        List.of(exchange), external ? 0 : settings.subscribers(), context);
        final OutgoingMessage message =
                new OutgoingMessage(settings.maxSize(), session.trialId(), settings.verify());
        pinger = new Pinger(exchange, session, message, settings, context);
        if (external) {
            pinger.findEcho(channel);
        } else {
            session.countIn(channel);
            session.requireEcho();
        }
        wire = WireRate.ofPings(exchange);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        warnings.addAll(settings.thread().settle(context, LatencyPubFactory.THREAD));
        pinger.waitUntil(startAtNs);
        context.began();
        warmUp();
        final List<Integer> sizes = settings.sweep();
        final List<StepResult> steps = new ArrayList<>();
        boolean last = false;
        for (int step = 0; step < sizes.size() && !context.isStopped(); step++) {
            final StepResult measured = measure(step, sizes.get(step));
            last = step == sizes.size() - 1 || context.isStopped();
            tellEnd(step, last);
            steps.add(withLossesToldOf(measured));
        }
        if (!last) {
            // Stopped in the warm-up, or while an end was told, which said that more would follow.
            tellEnd(steps.isEmpty() ? StepReceiver.WARM_UP_STEP : steps.size() - 1, true);
        }
        exchange.note().filter(note -> !warnings.contains(note)).ifPresent(warnings::add);
        return new RoleResult(steps, metrics(), warnings, "");
    }

    /** The warm-up goes through the measuring code and ends like a step, here and there. */
    private void warmUp() {
        if (settings.warmUp().isZero()) {
            return;
        }
        final long endNs = context.clock().nanoTime() + settings.warmUp().toNanos();
        if (settings.isOpenLoop()) {
            new OpenLoop(pinger, settings, context).warmUp(endNs);
        } else {
            new ClosedLoop(pinger, settings, context).warmUp(endNs);
        }
        tellEnd(StepReceiver.WARM_UP_STEP, false);
    }

    private void tellEnd(final int step, final boolean last) {
        if (settings.echo() == EchoKind.SUBSCRIBER
                && !session.end(step, new long[] {0, pinger.sent()}, last)) {
            warnings.add(
                    "not every subscriber acknowledged the end of "
                            + (step == StepReceiver.WARM_UP_STEP
                                    ? "the warm-up."
                                    : "step " + step + "."));
        }
    }

    /** Each subscriber says with its word for the end what it missed. */
    private StepResult withLossesToldOf(final StepResult measured) {
        if (settings.echo() != EchoKind.SUBSCRIBER) {
            return measured;
        }
        final Map<String, Long> counts = new LinkedHashMap<>(measured.counts());
        counts.put(Counts.LOST_AT_SUBSCRIBERS, session.lostAtSubscribers());
        return new StepResult(
                measured.step(),
                measured.label(),
                measured.payloadBytes(),
                counts,
                measured.durationNs(),
                measured.offeredRatePerSecond(),
                measured.achievedRatePerSecond(),
                measured.latencies(),
                measured.reasons());
    }

    private StepResult measure(final int step, final int payloadBytes) {
        context.recording().beginStep(step, payloadBytes + "B");
        final Map<String, Long> counts = new LinkedHashMap<>();
        final double offered;
        final double achieved;
        final long durationNs;
        if (settings.isOpenLoop()) {
            final OpenLoop loop = new OpenLoop(pinger, settings, context);
            durationNs = loop.run(step, payloadBytes);
            offered = loop.pacer().ratePerSecond();
            achieved = loop.achievedRatePerSecond();
            counts.put(Counts.MAX_TIGHT_SENDS, loop.pacer().maxTightSends());
            counts.put(Counts.MAX_LAG_NS, loop.pacer().maxLagNs());
            counts.put(Counts.TIMED_OUT, loop.timedOut());
        } else {
            final ClosedLoop loop = new ClosedLoop(pinger, settings, context);
            durationNs = loop.run(step, payloadBytes);
            counts.put(Counts.TIMED_OUT, loop.timedOut());
            offered = 0;
            achieved = durationNs > 0 ? pinger.sent() * 1e9 / durationNs : 0;
        }
        addCounts(counts);
        wire.addTo(counts, payloadBytes, pinger.sent());
        wire.caution(counts, durationNs).ifPresent(warnings::add);
        final StepRecording recorded = context.recording().endStep();
        counts.putAll(recorded.counts());
        return new StepResult(
                step,
                "",
                payloadBytes,
                counts,
                durationNs,
                offered,
                achieved,
                recorded.latencies(),
                List.of());
    }

    /**
     * Of an external echo nobody but the publisher knows what it received; of ours, its role tells.
     */
    private void addCounts(final Map<String, Long> counts) {
        counts.put(Counts.SENT, pinger.sent());
        counts.put(Counts.BACK_PRESSURED, pinger.refused());
        counts.put(Counts.STALE, pinger.stale());
        if (settings.echo() == EchoKind.EXTERNAL) {
            counts.put(Counts.RECEIVED, pinger.inTime());
            counts.put(Counts.DUPLICATED, pinger.echoes().duplicated());
            counts.put(Counts.REORDERED, pinger.echoes().reordered());
        } else {
            counts.put(Counts.COUNTED_IN, (long) settings.subscribers());
        }
        if (settings.verify()) {
            counts.put(Counts.CORRUPTED, pinger.corrupted());
        }
    }

    private Map<String, Object> metrics() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("loop", settings.isOpenLoop() ? "open" : "closed");
        if (settings.isOpenLoop()) {
            metrics.put(RoleSummary.PACE, settings.pace().word());
        }
        metrics.put("threadPriority", ThreadPriority.describe());
        metrics.put("echo", SettingDescriptor.word(settings.echo()));
        metrics.put("idle", SettingDescriptor.word(context.idleMode(LatencyPubFactory.THREAD)));
        wire.describe(metrics, settings.sweep().getFirst());
        metrics.putAll(EngineFacts.of(exchange));
        return metrics;
    }

    @Override
    public void close() {
        if (exchange != null) {
            exchange.close();
        }
    }
}

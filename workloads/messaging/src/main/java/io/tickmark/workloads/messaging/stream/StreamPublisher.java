package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.Buckets;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.session.Exchanges;
import io.tickmark.workloads.messaging.session.PublisherSession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Sends a stream: JVM warm-up, warm-up loops, the measured messages, the end, the linger. */
final class StreamPublisher implements Role {
    /** Receivers drain the warm-up before the first measured message comes. */
    private static final long SETTLE_NS = 100_000_000;

    /** Thirty years, with room for sums. */
    private static final double LONGEST_NS = 1e18;

    private final StreamPubSettings settings;
    private final RoleContext context;
    private final List<Topic> topics;
    private final List<String> warnings = new ArrayList<>();
    private ChannelUri channel;
    private boolean claims;
    private List<Exchange> exchanges = List.of();
    private PublisherSession session;
    private SendLoop loop;

    StreamPublisher(final StreamPubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        topics = Topic.of(settings.topics());
        channel = ChannelUri.parse(settings.channel());
    }

    @Override
    public Endpoints prepare() {
        final Transport transport = new Transports().of(channel);
        final TransportTraits traits = transport.traits(channel);
        settings.checkAgainst(traits, channel);
        claims = traits.claims() && !settings.generic() && settings.sendPath() != SendPath.OFFER;
        exchanges = Exchanges.open(transport, channel, topics, ExchangeSide.BIND, 0);
        channel = exchanges.getFirst().channel();
        return Endpoints.of(Map.of("channel", channel.toString()));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        session = new PublisherSession(exchanges, settings.subscribers(), context);
        final OutgoingMessage message =
                new OutgoingMessage(settings.payloadBytes(), session.trialId(), settings.verify());
        final long seed = settings.pace().seed();
        loop =
                new SendLoop(
                        exchanges,
                        topics.size(),
                        message,
                        claims,
                        settings.payloadBytes(),
                        seed,
                        context);
        loop.group(settings.sendPath() == SendPath.AUTO && !settings.generic());
        session.countIn(channel);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        warnings.addAll(settings.thread().settle(context, StreamPubFactory.THREAD));
        session.linger(startAtNs - context.clock().nanoTime());
        loop.measureSends(!settings.sendHistogram().isEmpty());
        warmUp();
        context.recording().beginStep(0, settings.payloadBytes() + "B");
        loop.lose(settings.lossPercent());
        final long startNs = context.clock().nanoTime();
        loop.run(0, 0, settings.pace().schedule(), startNs, settings.limit(), endNs(startNs));
        final long durationNs = loop.lastSentNs() - startNs;
        final String failure =
                loop.isStalled()
                        ? channel + " took no message for 10 s: its receivers are gone."
                        : "";
        if (!session.end(0, loop.sentByTopic(), true)) {
            warnings.add("not every subscriber acknowledged the end.");
        }
        final StepRecording recorded = context.recording().endStep();
        session.linger(settings.lingerMs() * 1_000_000);
        return new RoleResult(
                List.of(step(durationNs, recorded)), metrics(recorded), warnings, failure);
    }

    private void warmUp() {
        final long nowNs = context.clock().nanoTime();
        if (!settings.jvmWarmUp().isZero()) {
            loop.run(
                    StepReceiver.WARM_UP_STEP,
                    Stamp.WARM_UP,
                    settings.pace().schedule(),
                    nowNs,
                    Long.MAX_VALUE,
                    nowNs + settings.jvmWarmUp().toNanos());
        }
        if (settings.warmUpLoops() > 0) {
            final double rate = settings.warmUpRatePerSecond();
            loop.run(
                    StepReceiver.WARM_UP_STEP,
                    Stamp.WARM_UP,
                    rate > 0 ? Schedules.fixedRate(rate) : Schedules.asFastAsPossible(),
                    context.clock().nanoTime(),
                    settings.warmUpLoops(),
                    Long.MAX_VALUE);
        }
        if (LongStream.of(loop.sentByTopic()).sum() > 0
                && !session.end(StepReceiver.WARM_UP_STEP, loop.sentByTopic(), false)) {
            warnings.add("not every subscriber acknowledged the end of the warm-up.");
        }
        session.linger(SETTLE_NS);
    }

    /**
     * A count that is out of reach ends after three times its time: the rate was not held, and that
     * is the result.
     */
    private long endNs(final long startNs) {
        if (!settings.duration().isZero()) {
            return startNs + settings.duration().toNanos();
        }
        if (!settings.pace().isPaced()) {
            return Long.MAX_VALUE;
        }
        final double plannedNs = 1e9 * settings.messages() / settings.pace().meanRatePerSecond();
        return startNs + 1_000_000_000L + (long) Math.min(LONGEST_NS, 3 * plannedNs);
    }

    private StepResult step(final long durationNs, final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.SENT, loop.sent());
        counts.put(Counts.MAX_TIGHT_SENDS, loop.pacer().maxTightSends());
        counts.put(Counts.MAX_LAG_NS, loop.pacer().maxLagNs());
        counts.put(Counts.BACK_PRESSURED, loop.refused());
        counts.putAll(recorded.counts());
        return new StepResult(
                0,
                "",
                settings.payloadBytes(),
                counts,
                durationNs,
                loop.pacer().ratePerSecond(),
                loop.achievedRatePerSecond(),
                recorded.latencies(),
                List.of());
    }

    private Map<String, Object> metrics(final StepRecording recorded) {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("idle", SettingDescriptor.word(IdleMode.SPIN));
        metrics.put("threadPriority", ThreadPriority.describe());
        metrics.put("sendPath", loop.isGrouped() ? "offer-all" : claims ? "claim" : "offer");
        if (loop.isGrouped()) {
            metrics.put("messagesPerClockRead", loop.messagesPerClockRead());
        }
        metrics.put(RoleSummary.PACE, settings.pace().word());
        metrics.put("topics", topics.size());
        metrics.put("maxFlightSize", "n/a");
        if (settings.lossPercent() > 0) {
            metrics.put("artificiallyLost", loop.artificiallyLost());
        }
        if (!settings.sendHistogram().isEmpty()
                && recorded.latencies().containsKey(Latencies.SEND_NS)) {
            metrics.put(
                    "sendHistogram",
                    Buckets.text(
                            recorded.latencies().get(Latencies.SEND_NS), settings.sendHistogram()));
        }
        metrics.putAll(EngineFacts.of(exchanges.getFirst()));
        return metrics;
    }

    @Override
    public void close() {
        Exchanges.close(exchanges);
    }
}

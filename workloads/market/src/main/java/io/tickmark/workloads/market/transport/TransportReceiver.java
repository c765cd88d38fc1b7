package io.tickmark.workloads.market.transport;

import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ConnectOptions;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.rssl.Rssl;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Connects to a sender, counts and times its messages. */
public final class TransportReceiver implements Role {
    private static final HotThread THREAD = new HotThread("transport-receiver");

    private static final String LABEL = "transport";

    private final TransportTestSettings settings;
    private final RoleContext context;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final SequenceTracker sequences = new SequenceTracker();
    private OpaqueChannel channel;
    private OtherClock otherClock;
    private boolean isOtherClock;
    private boolean started;
    private long announced = -1;
    private long stale;
    private boolean isWarmUp;

    TransportReceiver(final TransportTestSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        TransportSender.startLibrary();
        started = true;
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        otherClock = OtherClock.of(context, endpoints, TransportTestFactory.ENDPOINT);
        final Peer peer =
                endpoints.named(TransportTestFactory.ENDPOINT).stream()
                        .findFirst()
                        .map(Peer::parse)
                        .orElse(new Peer(settings.host(), settings.port()));
        isOtherClock = otherClock.isElsewhere(peer.host()); // until the sender says it
        if (peer.port() == 0) {
            throw UserError.usage("--port is needed: the port that the sender listens on.");
        }
        final ConnectOptions options =
                Rssl.connectTo(
                                peer.host(),
                                peer.port(),
                                settings.connection(),
                                Duration.ofSeconds(1))
                        .connectionList()
                        .getFirst()
                        .connectOptions();
        final Error error = TransportFactory.createError();
        final long beginNs = context.clock().nanoTime();
        while (channel == null || !channel.isUp()) {
            if (channel == null) {
                final Channel connected = Transport.connect(options, error);
                channel =
                        connected == null
                                ? null
                                : new OpaqueChannel(connected, settings.connection());
            }
            if (context.isStopped()
                    || context.clock().nanoTime() - beginNs > context.connectTimeoutNs()) {
                throw UserError.environment(
                        "The sender %s cannot be reached: %s."
                                .formatted(peer, error.text() == null ? "" : error.text().strip()));
            }
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public RoleResult run(final long startAtNs) {
        final LatencyRecorder response = context.recording().latency(Latencies.RESPONSE_NS);
        final LatencyRecorder service = context.recording().latency(Latencies.SERVICE_NS);
        final Counter received = context.recording().counter(Counts.RECEIVED);
        final IdleStrategy idle = context.idleStrategy(THREAD);
        final long silenceNs = settings.longestSilenceNs();
        boolean warm = false;
        long firstNs = 0;
        long lastNs = context.clock().nanoTime();
        while (announced < 0 && !channel.isGone() && !context.isStopped()) {
            final TransportBuffer buffer = channel.read();
            final long nowNs = context.clock().nanoTime();
            if (buffer != null) {
                idle.reset();
                final boolean isData = isData(buffer);
                if (isData && !warm) {
                    warm = true;
                    received.set(0); // the warm-up's are not of the step
                    context.recording().beginStep(0, LABEL);
                }
                if (isData || isWarmUp) { // the warm-up takes the same path and is discarded
                    received.increment();
                    if (!isOtherClock) {
                        response.recordDelivery(Stamp.intendedNs(message, 0), nowNs, 0);
                        service.record(nowNs - Stamp.sentNs(message, 0));
                    }
                    firstNs = firstNs == 0 && isData ? nowNs : firstNs;
                }
                lastNs = nowNs;
            } else if (nowNs - lastNs > silenceNs && nowNs - startAtNs > silenceNs) {
                break;
            } else {
                idle.idle();
            }
        }
        if (!warm) {
            context.recording().beginStep(0, LABEL);
        }
        return result(context.recording().endStep(), lastNs - (firstNs == 0 ? lastNs : firstNs));
    }

    private boolean isData(final TransportBuffer buffer) {
        isWarmUp = false;
        final int length = buffer.length();
        message.wrap(buffer.data(), buffer.data().position(), length);
        if (length < Stamp.FULL_LENGTH || !Stamp.isStamped(message, 0, length)) {
            stale++;
            return false;
        }
        if ((Stamp.flags(message, 0) & Stamp.HELLO) != 0) {
            isOtherClock = Stamp.sentNs(message, 0) != HostId.VALUE;
            return false;
        }
        if ((Stamp.flags(message, 0) & Stamp.WARM_UP) != 0) {
            isWarmUp = true;
            return false;
        }
        if ((Stamp.flags(message, 0) & Stamp.END) != 0) {
            announced = extended(Stamp.sequence(message, 0));
            return false;
        }
        return sequences.onMessage(Stamp.sequence(message, 0));
    }

    /** The 32 bits on the wire as a count: of all that were sent, so none below those received. */
    private long extended(final int sequence) {
        final long atLeast = sequences.sentAtLeast();
        return atLeast + Integer.toUnsignedLong(sequence - (int) atLeast);
    }

    private RoleResult result(final StepRecording recorded, final long durationNs) {
        final long sent = announced < 0 ? sequences.sentAtLeast() : announced;
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.RECEIVED, sequences.received());
        counts.put(Counts.LOST, sequences.lost(sent));
        counts.put(Counts.DUPLICATED, sequences.duplicated());
        counts.put(Counts.REORDERED, sequences.reordered());
        counts.put(Counts.STALE, stale);
        counts.putAll(otherClock.counts(recorded));
        return new RoleResult(
                List.of(
                        StepResult.received(
                                0,
                                LABEL,
                                settings.payloadBytes(),
                                counts,
                                durationNs,
                                recorded.latencies())),
                Map.of(),
                isOtherClock || otherClock.isBehind(recorded)
                        ? List.of(OtherClock.WARNING)
                        : List.of(),
                announced < 0 && !context.isStopped() ? missingEnd() : "");
    }

    private String missingEnd() {
        return channel.isGone()
                ? "The sender disconnected before it announced the end of its messages."
                : ("The sender fell silent: it is still connected, but sent nothing for %s and did not announce "
                                + "the end of its messages.")
                        .formatted(Durations.format(Duration.ofNanos(settings.longestSilenceNs())));
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close();
            channel = null;
        }
        if (started) {
            started = false;
            Transport.uninitialize();
        }
    }

    /** Makes the receiver of the transport-only test. */
    public static final class Factory extends TransportTestFactory {
        /** Found by name. */
        public Factory() {
            super(
                    "market-transport-receiver",
                    "Receives opaque messages over the RSSL transport, counts and times them.",
                    THREAD);
        }

        @Override
        public Role create(final TransportTestSettings settings, final RoleContext context) {
            return new TransportReceiver(settings, context);
        }
    }
}

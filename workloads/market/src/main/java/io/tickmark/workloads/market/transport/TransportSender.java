package io.tickmark.workloads.market.transport;

import com.refinitiv.eta.transport.AcceptOptions;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.InitArgs;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.Pacer;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.workloads.market.rssl.Rssl;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** Listens, then sends opaque messages to the one receiver that connects. */
public final class TransportSender implements Role {
    private static final HotThread THREAD = new HotThread("transport-sender");

    private static final long LINGER_NS = 2_000_000_000L;
    private static final String LABEL = "transport";

    private final TransportTestSettings settings;
    private final RoleContext context;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private Server server;
    private OpaqueChannel channel;
    private boolean started;

    TransportSender(final TransportTestSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    /**
     * The library counts its users, and they must agree on its locks: as the Reactor and the
     * Message API have it, around its lists of channels, not around a message.
     */
    static void startLibrary() {
        final Error error = TransportFactory.createError();
        final InitArgs arguments = TransportFactory.createInitArgs();
        arguments.globalLocking(true);
        if (Transport.initialize(arguments, error) < 0) {
            throw UserError.environment(
                    "The Real-Time SDK cannot be started: %s.".formatted(error.text().strip()));
        }
    }

    @Override
    public Endpoints prepare() {
        startLibrary();
        started = true;
        server =
                Rssl.bind(
                        settings.host(),
                        "--host",
                        settings.port(),
                        "--port",
                        settings.connection());
        final String endpoint = settings.host() + ":" + server.portNumber();
        context.log("Listening on " + endpoint + ".");
        return Endpoints.of(Map.of(TransportTestFactory.ENDPOINT, endpoint));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final long beginNs = context.clock().nanoTime();
        final AcceptOptions options = TransportFactory.createAcceptOptions();
        options.sysSendBufSize(settings.connection().socketSendBytes());
        final Error error = TransportFactory.createError();
        while (channel == null || !channel.isUp()) {
            if (channel == null) {
                channel =
                        Rssl.accept(server, options, error)
                                .map(accepted -> new OpaqueChannel(accepted, settings.connection()))
                                .orElse(null);
            }
            if (context.isStopped()
                    || context.clock().nanoTime() - beginNs > context.connectTimeoutNs()) {
                throw UserError.environment(
                        "No receiver has connected to %s:%d; start one with --port."
                                .formatted(settings.host(), server.portNumber()));
            }
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public RoleResult run(final long startAtNs) {
        final long beginNs = startAtNs + settings.warmUp().toNanos();
        introduce();
        send(startAtNs, beginNs, Stamp.WARM_UP, new Sent());
        context.recording().counter(Counts.SENT).set(0);
        context.recording().beginStep(0, LABEL);
        final Sent sent = new Sent();
        final Pacer pacer = send(beginNs, beginNs + settings.duration().toNanos(), 0, sent);
        end(sent.number);
        context.recording().endStep();
        return result(pacer, sent, beginNs);
    }

    /** The result of sending. */
    private static final class Sent {
        private long number;
        private long refused;
        private long lastNs;

        /** What is due from then on is not asked for. */
        private long endedNs;
    }

    private Pacer send(final long beginNs, final long endNs, final int flags, final Sent sent) {
        final Pacer pacer =
                new Pacer(
                        settings.rate() == 0
                                ? Schedules.asFastAsPossible()
                                : Schedules.fixedRate(settings.rate()));
        final Idle idle = context.idleStrategy(THREAD);
        final Counter counter = context.recording().counter(Counts.SENT);
        pacer.start(beginNs);
        sent.lastNs = beginNs;
        long nowNs = context.clock().nanoTime();
        while (nowNs - endNs < 0 && !context.isStopped() && !channel.isGone()) {
            if (!pacer.isDue(nowNs) || nowNs - beginNs < 0) {
                channel.flush();
                idle.awaitDue(Math.max(pacer.intendedNs(), beginNs) - nowNs);
            } else if (send(pacer.intendedNs(), nowNs, sent.number, flags)) {
                pacer.sent(nowNs);
                sent.number++;
                counter.increment();
                sent.lastNs = nowNs;
            } else {
                sent.refused++;
            }
            nowNs = context.clock().nanoTime();
        }
        sent.endedNs = nowNs - endNs < 0 ? nowNs : endNs;
        return pacer;
    }

    private RoleResult result(final Pacer pacer, final Sent sent, final long beginNs) {
        final StepResult step =
                new StepResult(
                        0,
                        LABEL,
                        settings.payloadBytes(),
                        Counts.ofSender(
                                sent.number, pacer.maxTightSends(), pacer.maxLagNs(), sent.refused),
                        (sent.number > 0 ? pacer.untilNs(sent.endedNs) : sent.lastNs) - beginNs,
                        settings.rate(),
                        pacer.achievedRatePerSecond(sent.endedNs),
                        Map.of(),
                        List.of());
        return new RoleResult(
                List.of(step),
                Map.of(),
                List.of(),
                channel.isGone() ? "The receiver disconnected before the end." : "");
    }

    private boolean send(
            final long intendedNs, final long sentNs, final long number, final int flags) {
        final TransportBuffer buffer = channel.begin(settings.payloadBytes());
        if (buffer == null) {
            return false;
        }
        final ByteBuffer bytes = buffer.data();
        final int at = bytes.position();
        message.wrap(bytes, at, settings.payloadBytes());
        Stamp.write(message, 0, intendedNs, (int) number, flags, 0, 0);
        Stamp.writeSentNs(message, 0, sentNs);
        bytes.position(at + settings.payloadBytes());
        channel.end(buffer);
        return true;
    }

    /**
     * Says first whose clock the times are of: in place of the send time, as in other hellos. A
     * receiver that does not know it takes it for a message of the warm-up.
     */
    private void introduce() {
        boolean isSent = false;
        while (!isSent && !context.isStopped() && !channel.isGone()) {
            isSent = send(context.clock().nanoTime(), HostId.VALUE, 0, Stamp.HELLO | Stamp.WARM_UP);
            channel.flush();
        }
    }

    /** Announces how many messages there were, and waits until that has been sent. */
    private void end(final long number) {
        final long beginNs = context.clock().nanoTime();
        boolean isAnnounced = false;
        while (!channel.isGone() && context.clock().nanoTime() - beginNs < LINGER_NS) {
            isAnnounced = isAnnounced || send(beginNs, beginNs, number, Stamp.END);
            channel.flush();
            if (isAnnounced && !channel.isUnflushed()) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close();
            channel = null;
        }
        if (server != null) {
            server.close(TransportFactory.createError());
            server = null;
        }
        if (started) {
            started = false;
            Transport.uninitialize();
        }
    }

    /** Makes the sender of the transport-only test. */
    public static final class Factory extends TransportTestFactory {
        /** Found by name. */
        public Factory() {
            super(
                    "market-transport-sender",
                    "Sends opaque messages over the RSSL transport, without any message model.",
                    THREAD);
        }

        @Override
        public Role create(final TransportTestSettings settings, final RoleContext context) {
            return new TransportSender(settings, context);
        }
    }
}

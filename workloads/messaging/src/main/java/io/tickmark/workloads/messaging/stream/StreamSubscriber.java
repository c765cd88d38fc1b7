package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.transport.Topic;
import io.tickmark.workloads.messaging.Receiving;
import io.tickmark.workloads.messaging.StepReceiver;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Receives, counts and times a stream. One-way times need one clock: they are recorded only on the
 * publisher's host.
 */
final class StreamSubscriber implements Role {
    private final StreamSubSettings settings;
    private final RoleContext context;
    private final Receiving receiving;
    private final Counter received;
    private final OneWayTimes oneWay;
    private StepReceiver steps;
    private boolean times;

    /** Written for each pass of the empty loop, so that the compiler keeps it. */
    private volatile int spins;

    StreamSubscriber(final StreamSubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        receiving =
                new Receiving(
                        settings.channel(),
                        Topic.of(settings.topics()),
                        settings.cookie() == 0 ? context.index() : settings.cookie(),
                        settings.thread(),
                        StreamSubFactory.THREAD,
                        context);
        received = context.recording().counter(Counts.RECEIVED);
        oneWay = new OneWayTimes(context, settings.logLatencies());
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        receiving.open(endpoints);
        steps =
                new StepReceiver(
                        context, receiving.session(), settings.topics().size(), settings.verify());
        receiving.introduce(this::onMessage);
        steps.begin();
        times = settings.recordLatency() && receiving.session().isPublisherOnThisHost();
    }

    @Override
    public RoleResult run(final long startAtNs) {
        return receiving.run(
                steps,
                this::onMessage,
                settings.exitAtEnd(),
                settings.idleTimeout().toNanos(),
                this::addMetrics);
    }

    private void addMetrics(final Map<String, Object> metrics) {
        metrics.put("cookie", receiving.cookie());
        metrics.put("oneWay", times ? "measured" : oneWayAbsence());
        if (settings.spinCount() > 0) {
            metrics.put("spinCount", settings.spinCount());
        }
    }

    private String oneWayAbsence() {
        return settings.recordLatency()
                ? "not measured: the publisher is on another host"
                : "not asked for";
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final long nowNs = context.clock().nanoTime();
        if (!steps.onMessage(buffer, offset, length, nowNs)) {
            return;
        }
        received.increment();
        if (times) {
            oneWay.record(buffer, offset, length, nowNs);
        }
        for (int i = 0; i < settings.spinCount(); i++) {
            spins = i;
        }
    }

    @Override
    public void close() {
        receiving.close();
    }
}

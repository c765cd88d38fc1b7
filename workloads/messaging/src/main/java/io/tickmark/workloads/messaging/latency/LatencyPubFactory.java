package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.Company;
import io.tickmark.workloads.messaging.PaceCheck;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes latency publishers. */
public final class LatencyPubFactory implements RoleFactory<LatencyPubSettings> {
    static final HotThread THREAD = new HotThread("publisher", true);

    /** A round trip's time for planning only: slow enough for blocking ends on a busy machine. */
    private static final long GUESSED_ROUND_TRIP_NS = 30_000;

    /** For the service loader. */
    public LatencyPubFactory() {}

    @Override
    public String name() {
        return "latency-pub";
    }

    @Override
    public String summary() {
        return "Sends pings and times their echoes.";
    }

    @Override
    public Class<LatencyPubSettings> settings() {
        return LatencyPubSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final LatencyPubSettings settings, final int index, final int count) {
        return List.of(settings.thread().of(THREAD));
    }

    @Override
    public long expectedDurationNs(final LatencyPubSettings settings) {
        final double eachNs;
        if (!settings.duration().isZero()) {
            eachNs = settings.duration().toNanos();
        } else if (settings.isOpenLoop()) {
            eachNs = settings.samples() / settings.pace().meanRatePerSecond() * 1e9;
        } else {
            eachNs = (double) settings.samples() * GUESSED_ROUND_TRIP_NS;
        }
        return (long) (settings.warmUp().toNanos() + settings.sweep().size() * eachNs);
    }

    @Override
    public void checkGiven(
            final Map<String, Object> values,
            final Set<String> later,
            final UnaryOperator<String> naming) {
        PaceCheck.check(values, later, naming);
    }

    @Override
    public void check(final LatencyPubSettings settings) {
        Topic.of(List.of(settings.topic()));
        final ChannelUri channel = settings.uri();
        settings.checkSizes(
                new Transports().of(channel).traits(channel).maxPayloadBytes(), channel);
    }

    @Override
    public String channel(final LatencyPubSettings settings) {
        return settings.uri().toString();
    }

    /** An external echo is no role of the plan. */
    @Override
    public void checkCompany(
            final LatencyPubSettings settings,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {
        if (settings.echo() != EchoKind.EXTERNAL) {
            Company.needSubscribers(name(), "latency-sub", settings.subscribers(), counts, naming);
        }
    }

    @Override
    public boolean staysOnOneHost(final LatencyPubSettings settings) {
        return Transports.stayOnOneHost(ChannelUri.parse(channel(settings)));
    }

    @Override
    public Role create(final LatencyPubSettings settings, final RoleContext context) {
        return new LatencyPublisher(settings, context);
    }
}

package io.tickmark.wire;

import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.StampMatcher;
import io.tickmark.wire.match.Timeline;
import io.tickmark.wire.net.IpHandler;
import io.tickmark.wire.net.IpPacket;
import io.tickmark.wire.tcp.ByteStream;
import io.tickmark.wire.tcp.StreamFactory;
import io.tickmark.wire.tcp.TcpFlow;
import io.tickmark.wire.tcp.TcpFlows;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Hands datagrams and streams to those who look for messages in them. Single thread. */
final class Traffic implements IpHandler, StreamFactory {
    /** Enough to show the user which port to name. */
    private static final int MOST_PORTS = 5;

    private final WireSettings settings;
    private final Timeline timeline;
    private final StampMatcher stamps;
    private final TcpFlows tcp;
    private final SortedSet<Integer> fixPortsElsewhere = new TreeSet<>();
    private FixMatcher fix;
    private long udp;
    private long otherProtocols;

    Traffic(final WireSettings settings, final WireContext context, final Timeline timeline) {
        this.settings = settings;
        this.timeline = timeline;
        tcp = new TcpFlows(this, settings.holeTimeout().toNanos());
        stamps =
                new StampMatcher(
                        timeline,
                        context.trialId(),
                        context.offset(),
                        context.log(),
                        settings.decode() == Decode.STAMPED);
    }

    @Override
    public void onDatagram(final IpPacket ip, final long timeNs, final long position) {
        timeline.moveTo(timeNs);
        switch (ip.protocol()) {
            case IpPacket.TCP -> tcp.onDatagram(ip, timeNs, position);
            case IpPacket.UDP -> {
                udp++;
                if (settings.decode() != Decode.FIX) {
                    stamps.onDatagram(ip, timeNs);
                }
            }
            default -> otherProtocols++;
        }
    }

    @Override
    public ByteStream open(final TcpFlow flow) {
        final Optional<ByteStream> ofGateway =
                settings.decode() == Decode.STAMPED ? Optional.empty() : fixStream(flow);
        return ofGateway.orElseGet(() ->
                new FirstLook(
                        settings.decode() == Decode.FIX ? ByteStream.NONE : stamps.open(flow),
                        () -> fixElsewhere(flow)));
    }

    /** The matcher is made for the first stream of the gateway: it takes some memory. */
    private Optional<ByteStream> fixStream(final TcpFlow flow) {
        if (!settings.rules().concerns(flow.sourcePort(), flow.destinationPort())) {
            return Optional.empty();
        }
        if (fix == null) {
            fix = new FixMatcher(settings.rules(), timeline, tcp.counts()::isWaiting);
        }
        return fix.open(flow);
    }

    private void fixElsewhere(final TcpFlow flow) {
        if (fixPortsElsewhere.size() < MOST_PORTS) {
            // the service's port is the lower one, nearly always
            fixPortsElsewhere.add(Math.min(flow.sourcePort(), flow.destinationPort()));
        }
    }

    /** Nothing more comes. */
    void finish(final long timeNs) {
        tcp.finish();
        if (fix != null) {
            fix.finish();
        }
        stamps.finish(timeNs);
    }

    TcpFlows tcp() {
        return tcp;
    }

    Optional<FixMatcher> fix() {
        return Optional.ofNullable(fix);
    }

    StampMatcher stamps() {
        return stamps;
    }

    SortedSet<Integer> fixPortsElsewhere() {
        return fixPortsElsewhere;
    }

    long udp() {
        return udp;
    }

    long otherProtocols() {
        return otherProtocols;
    }
}

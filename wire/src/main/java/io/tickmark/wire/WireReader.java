package io.tickmark.wire;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.WireSettings.Decode;
import io.tickmark.wire.file.CaptureEnd;
import io.tickmark.wire.file.CaptureFile;
import io.tickmark.wire.file.Packet;
import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.StampMatcher;
import io.tickmark.wire.match.Timeline;
import io.tickmark.wire.net.IpDecoder;
import io.tickmark.wire.net.IpDecoder.IpHandler;
import io.tickmark.wire.net.IpPacket;
import io.tickmark.wire.tcp.ByteStream;
import io.tickmark.wire.tcp.TcpFlow;
import io.tickmark.wire.tcp.TcpFlows;
import io.tickmark.wire.tcp.TcpFlows.StreamFactory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/**
 * Reads a capture from its first packet to its last: file, link layer, IP, TCP, messages, matching.
 * One thread; memory does not grow with the file.
 */
public final class WireReader {
    /** Asking whether to stop costs more than a packet. */
    private static final long STOP_EVERY = 0xffff;

    private final WireSettings settings;
    private final WireContext context;
    private final BooleanSupplier isStopped;

    /** Ends the reading from within a handler. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped", null, false, false);
        }
    }

    /**
     * A reader.
     *
     * @param settings how to read
     * @param context what is known besides
     * @param isStopped asked now and then; ends the reading with what was read by then
     */
    public WireReader(
            final WireSettings settings,
            final WireContext context,
            final BooleanSupplier isStopped) {
        this.settings = settings;
        this.context = context;
        this.isStopped = isStopped;
    }

    /**
     * Reads a file.
     *
     * @param file pcap or pcapng
     * @return what is in it
     * @throws UserError if it cannot be read, is no capture, or is of a link layer that is not
     *     known
     */
    public WireResult read(final Path file) {
        final Timeline timeline = new Timeline(context.directory(), context.repeat());
        final Traffic traffic = new Traffic(settings, context, timeline);
        final IpDecoder packets = new IpDecoder(traffic, settings.duplicates());
        final CaptureFile capture = new CaptureFile(file);
        final Optional<CaptureEnd> ending;
        try {
            ending = read(capture, packets);
            traffic.finish(packets.lastNs());
        } finally {
            timeline.close();
        }
        if (packets.packets() > 0 && packets.unknownLink() == packets.packets()) {
            throw UserError.usage(
                    ("%s: its packets have link type %d, which is not supported; Ethernet, Linux cooked, null, loopback and"
                                    + " raw IP are.")
                            .formatted(file, packets.unknownLinkType()));
        }
        return new WireResult(
                file,
                settings,
                context,
                ending,
                capture.dropped().isPresent() ? capture.dropped() : context.dropped(),
                packets,
                traffic.tcp(),
                traffic.udp(),
                traffic.otherProtocols(),
                traffic.fix(),
                traffic.stamps(),
                traffic.fixPortsElsewhere(),
                timeline.warnings());
    }

    /** Empty where it was stopped. */
    private Optional<CaptureEnd> read(final CaptureFile capture, final IpDecoder packets) {
        try {
            return Optional.of(capture.read(packet -> take(packets, packet)));
        } catch (final Stopped e) {
            return Optional.empty();
        }
    }

    private void take(final IpDecoder packets, final Packet packet) {
        packets.onPacket(packet);
        if ((packets.packets() & STOP_EVERY) == 0 && isStopped.getAsBoolean()) {
            throw new Stopped();
        }
    }

    /**
     * Passes datagrams and streams to the matchers that search them for messages. Single-threaded.
     */
    private static final class Traffic implements IpHandler, StreamFactory {
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
                            context.kept(),
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
            // the service's port is the lower one, nearly always
            fixPortsElsewhere.add(Math.min(flow.sourcePort(), flow.destinationPort()));
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

    /** Says so when a stream begins with FIX; hands on all bytes. Single thread. */
    private static final class FirstLook implements ByteStream {
        private static final byte[] START = {'8', '=', 'F', 'I', 'X'};

        private final ByteStream next;
        private final Runnable onFix;
        private boolean hasLooked;

        FirstLook(final ByteStream next, final Runnable onFix) {
            this.next = next;
            this.onFix = onFix;
        }

        @Override
        public void onBytes(
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final long timeNs,
                final long position) {
            if (!hasLooked) {
                hasLooked = true;
                if (isFix(buffer, offset, length)) {
                    onFix.run();
                }
            }
            next.onBytes(buffer, offset, length, timeNs, position);
        }

        private static boolean isFix(
                final DirectBuffer buffer, final int offset, final int length) {
            for (int i = 0; i < START.length; i++) {
                if (i >= length || buffer.getByte(offset + i) != START[i]) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void onGap() {
            next.onGap();
        }
    }
}

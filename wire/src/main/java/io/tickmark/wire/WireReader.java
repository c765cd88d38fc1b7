package io.tickmark.wire;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.file.CaptureFile;
import io.tickmark.wire.file.Ending;
import io.tickmark.wire.file.Packet;
import io.tickmark.wire.match.Timeline;
import io.tickmark.wire.net.IpDecoder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

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
        final Optional<Ending> ending;
        try {
            ending = read(capture, packets);
            traffic.finish(packets.lastNs());
        } finally {
            timeline.close();
        }
        if (packets.packets() > 0 && packets.unknownLink() == packets.packets()) {
            throw UserError.usage(
                    ("%s: its packets have link type %d, which is not known here;"
                                    + " Ethernet, Linux cooked, null, loopback and raw IP are.")
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
    private Optional<Ending> read(final CaptureFile capture, final IpDecoder packets) {
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
}

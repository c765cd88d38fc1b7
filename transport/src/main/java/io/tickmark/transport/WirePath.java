package io.tickmark.transport;

import io.tickmark.kernel.host.NetworkLink;

/**
 * How messages are framed on a network, from which their rate on the wire is derived: datagrams of
 * one message, datagrams that hold several, or a byte stream. Ethernet frames without VLAN tags are
 * assumed. What an engine adds on its own (acknowledgements, heartbeats, repairs) is not included.
 *
 * @param link by which messages leave
 * @param ipv6 whether the network is IPv6
 * @param form how messages become packets
 * @param messageHeaderBytes what the engine puts before each message, or each fragment of one
 * @param alignmentBytes a message with its header occupies a multiple of this
 * @param datagramBytes most bytes of the engine in a datagram; only for {@link Form#ENGINE}
 * @param copies how often each message is sent: once for each receiver in unicast
 */
public record WirePath(
        NetworkLink link,
        boolean ipv6,
        Form form,
        int messageHeaderBytes,
        int alignmentBytes,
        int datagramBytes,
        int copies) {
    /** Preamble and start 8, header 14, check sequence 4, gap 12 (IEEE 802.3). */
    private static final int FRAME_BYTES = 38;

    /** Shorter ones are padded (IEEE 802.3). */
    private static final int LEAST_FRAME_PAYLOAD_BYTES = 46;

    private static final int IPV4_HEADER_BYTES = 20;
    private static final int IPV6_HEADER_BYTES = 40;

    /** RFC 8200, section 4.5. */
    private static final int IPV6_FRAGMENT_BYTES = 8;

    private static final int UDP_HEADER_BYTES = 8;

    /** Header and the time stamp option that Linux always uses (RFC 7323). */
    private static final int TCP_HEADER_BYTES = 32;

    /** How messages become packets. */
    public enum Form {
        /** UDP, one datagram for each message. */
        DATAGRAM,
        /** UDP, an engine that splits long messages and may combine short ones. */
        ENGINE,
        /** TCP, segments as full as possible. */
        STREAM
    }

    /**
     * What a message costs.
     *
     * @param bytes on the wire for each message: headers, frames and gaps, all copies
     * @param frames for each message, all copies; a fraction where several share one
     * @param atLeast whether the real cost may be higher, because messages need not be packed as
     *     tightly
     */
    public record Cost(double bytes, double frames, boolean atLeast) {
        private Cost times(final int copies) {
            return new Cost(bytes * copies, frames * copies, atLeast);
        }
    }

    /**
     * What a message of this length costs.
     *
     * @param payloadBytes of the message
     * @return bytes and frames
     */
    public Cost cost(final int payloadBytes) {
        return switch (form) {
            case DATAGRAM -> {
                final int frames = frames(payloadBytes);
                yield new Cost(wireBytes(payloadBytes), frames, false).times(copies);
            }
            case ENGINE -> engine(payloadBytes, Integer.MAX_VALUE).times(copies);
            case STREAM -> {
                final int header = ipHeaderBytes() + TCP_HEADER_BYTES;
                final double bytes = messageHeaderBytes + payloadBytes;
                final double frames = bytes / (link.mtuBytes() - header);
                yield new Cost(bytes + frames * (FRAME_BYTES + header), frames, true).times(copies);
            }
        };
    }

    /**
     * What a message costs that shares no packet with another one, for example because it is
     * answered before the next is sent.
     *
     * @param payloadBytes of the message
     * @return bytes and frames
     */
    public Cost costAlone(final int payloadBytes) {
        return switch (form) {
            case DATAGRAM -> cost(payloadBytes);
            case ENGINE -> engine(payloadBytes, 1).times(copies);
            case STREAM -> {
                final int header = ipHeaderBytes() + TCP_HEADER_BYTES;
                final int bytes = messageHeaderBytes + payloadBytes;
                final int room = link.mtuBytes() - header;
                final int frames = (bytes + room - 1) / room;
                yield new Cost(bytes + (double) frames * (FRAME_BYTES + header), frames, false)
                        .times(copies);
            }
        };
    }

    private Cost engine(final int payloadBytes, final int mostTogether) {
        final int whole = aligned(messageHeaderBytes + payloadBytes);
        if (whole <= datagramBytes) {
            final int together = Math.min(mostTogether, datagramBytes / whole);
            return new Cost(
                    (double) wireBytes(together * whole) / together,
                    (double) frames(together * whole) / together,
                    together > 1);
        }
        final int room = datagramBytes - messageHeaderBytes;
        final int full = payloadBytes / room;
        final int rest = payloadBytes % room;
        final int last = rest == 0 ? 0 : aligned(messageHeaderBytes + rest);
        return new Cost(
                (double) full * wireBytes(datagramBytes) + (rest == 0 ? 0 : wireBytes(last)),
                (double) full * frames(datagramBytes) + (rest == 0 ? 0 : frames(last)),
                false);
    }

    private int aligned(final int bytes) {
        return (bytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
    }

    private int ipHeaderBytes() {
        return ipv6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES;
    }

    /** Payload of an IP fragment that is not the last: a multiple of eight (RFC 791). */
    private int fragmentBytes() {
        final int header = ipHeaderBytes() + (ipv6 ? IPV6_FRAGMENT_BYTES : 0);
        return (link.mtuBytes() - header) / 8 * 8;
    }

    private boolean isFragmented(final int datagram) {
        return datagram > link.mtuBytes() - ipHeaderBytes();
    }

    /** Frames of a datagram that holds a given number of bytes of an engine. */
    private int frames(final int engineBytes) {
        final int datagram = UDP_HEADER_BYTES + engineBytes;
        return isFragmented(datagram) ? (datagram + fragmentBytes() - 1) / fragmentBytes() : 1;
    }

    private long wireBytes(final int engineBytes) {
        final int datagram = UDP_HEADER_BYTES + engineBytes;
        if (!isFragmented(datagram)) {
            return FRAME_BYTES + Math.max(LEAST_FRAME_PAYLOAD_BYTES, ipHeaderBytes() + datagram);
        }
        final int header = ipHeaderBytes() + (ipv6 ? IPV6_FRAGMENT_BYTES : 0);
        final int frames = frames(engineBytes);
        final int last = datagram - (frames - 1) * fragmentBytes();
        return (long) (frames - 1) * (FRAME_BYTES + header + fragmentBytes())
                + FRAME_BYTES
                + Math.max(LEAST_FRAME_PAYLOAD_BYTES, header + last);
    }

    /**
     * Datagrams of one message each.
     *
     * @param link by which messages leave
     * @param ipv6 whether the network is IPv6
     * @param copies one for each receiver in unicast
     * @return the path
     */
    public static WirePath datagrams(final NetworkLink link, final boolean ipv6, final int copies) {
        return new WirePath(link, ipv6, Form.DATAGRAM, 0, 1, 0, copies);
    }

    /**
     * A byte stream.
     *
     * @param link by which messages leave
     * @param ipv6 whether the network is IPv6
     * @param headerBytes before each message
     * @param copies one for each receiver
     * @return the path
     */
    public static WirePath stream(
            final NetworkLink link, final boolean ipv6, final int headerBytes, final int copies) {
        return new WirePath(link, ipv6, Form.STREAM, headerBytes, 1, 0, copies);
    }
}

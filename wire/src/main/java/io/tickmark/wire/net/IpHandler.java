package io.tickmark.wire.net;

/** Takes whole IP datagrams. */
@FunctionalInterface
public interface IpHandler {
    /**
     * A datagram.
     *
     * @param ip valid until this returns
     * @param timeNs when it, or its last fragment, was captured, since the epoch
     * @param position of that packet in the file
     */
    void onDatagram(IpPacket ip, long timeNs, long position);
}

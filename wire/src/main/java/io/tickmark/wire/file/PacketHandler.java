package io.tickmark.wire.file;

/** Takes packets one by one. */
@FunctionalInterface
public interface PacketHandler {
    /**
     * A packet.
     *
     * @param packet valid until this returns
     */
    void onPacket(Packet packet);
}

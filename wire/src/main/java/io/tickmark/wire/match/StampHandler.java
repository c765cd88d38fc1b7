package io.tickmark.wire.match;

import org.agrona.DirectBuffer;

/** Takes stamped messages, however they travelled. */
interface StampHandler {
    /**
     * A message of at least the short stamp; its payload beyond the full stamp may not be there.
     *
     * @param way where it comes from and goes to
     * @param buffer that holds the stamp
     * @param offset of the stamp
     * @param length of the whole message
     * @param there bytes of it that can be read
     * @param timeNs when its last byte was captured
     */
    void onStamped(Way way, DirectBuffer buffer, int offset, int length, int there, long timeNs);

    /**
     * Two ends, each as a hash of address and port.
     *
     * @param source end
     * @param destination end
     */
    record Way(long source, long destination) {}
}

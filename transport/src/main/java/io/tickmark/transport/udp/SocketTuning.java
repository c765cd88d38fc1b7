package io.tickmark.transport.udp;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;

/**
 * Options requested for a socket, of either scheme; 0 leaves the system's own value.
 *
 * @param batch messages per kernel batch; 0 and 1 for none
 * @param sendBufferBytes size of the send buffer
 * @param receiveBufferBytes size of the receive buffer
 * @param busyPollUs busy polling of the network card by the kernel
 * @param tos type-of-service byte
 * @param kernelTimes whether the kernel stamps each datagram
 */
public record SocketTuning(
        @Setting(
                        help =
                                "Messages of equal length sent in one kernel batch (UDP_SEGMENT) and received"
                                        + " as one (UDP_GRO); 0 or 1 sends each by itself.",
                        byDefault = "0",
                        unit = "messages",
                        min = 0,
                        max = SocketNumbers.MAX_SEGMENTS)
                int batch,
        @Setting(
                        help =
                                "Send buffer of the socket (SO_SNDBUF), at most the system's net.core.wmem_max"
                                        + " unless tickmark has CAP_NET_ADMIN; 0 leaves the system's default.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = Integer.MAX_VALUE)
                int sendBufferBytes,
        @Setting(
                        help =
                                "Receive buffer of the socket (SO_RCVBUF), at most the system's net.core.rmem_max"
                                        + " unless tickmark has CAP_NET_ADMIN; 0 leaves the system's default.",
                        byDefault = "4M",
                        unit = "bytes",
                        min = 0,
                        max = Integer.MAX_VALUE)
                int receiveBufferBytes,
        @Setting(
                        help = "Busy polling of the network card by the kernel (SO_BUSY_POLL).",
                        byDefault = "0",
                        unit = "us",
                        min = 0,
                        max = 1_000_000)
                int busyPollUs,
        @Setting(
                        help = "Type-of-service byte (IP_TOS), traffic class on IPv6.",
                        byDefault = "0",
                        min = 0,
                        max = 255)
                int tos,
        @Setting(
                        help =
                                "Have the kernel stamp each datagram when it goes to the network device and when it comes"
                                        + " from it (SO_TIMESTAMPING), so that results split latency into its stages; costs three"
                                        + " system calls for each message.",
                        byDefault = "false")
                boolean kernelTimes) {
    /** Nothing is requested. */
    static final SocketTuning NONE = new SocketTuning(0, 0, 0, 0, 0, false);

    /**
     * Refuses what does not go together.
     *
     * @throws UserError of kind usage
     */
    SocketTuning checked(final ChannelUri channel) {
        if (kernelTimes && isBatched()) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": kernelTimes=true needs datagrams that are sent one by one; leave out batch.");
        }
        return this;
    }

    boolean isBatched() {
        return batch > 1;
    }
}

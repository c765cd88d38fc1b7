package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;

/**
 * Parameters of a {@code tcp} channel.
 *
 * @param sendBufferBytes of each socket
 * @param receiveBufferBytes of each socket
 * @param noDelay whether small messages are sent at once
 * @param batchBytes gathered before they are written
 * @param kernelTimes whether the kernel stamps messages
 */
public record TcpParameters(
        @Setting(
                        help = "Send buffer of each socket; 0 leaves it to the system.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int sendBufferBytes,
        @Setting(
                        help = "Receive buffer of each socket; 0 leaves it to the system.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int receiveBufferBytes,
        @Setting(help = "Send small messages at once (TCP_NODELAY).", byDefault = "true")
                boolean noDelay,
        @Setting(
                        help =
                                "Bytes of messages gathered before a write, unless flushed; 0 writes each message.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 20)
                int batchBytes,
        @Setting(
                        help =
                                "Have the kernel stamp the last byte of each message when it goes to the network device and"
                                        + " when it comes from it (SO_TIMESTAMPING), so that results split latency into its"
                                        + " stages; costs three system calls for each message.",
                        byDefault = "false")
                boolean kernelTimes) {
    /**
     * Refuses what does not go together.
     *
     * @throws UserError of kind usage
     */
    TcpParameters checked(final ChannelUri channel) {
        if (kernelTimes && batchBytes > 0) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": kernelTimes=true needs messages that are written one by one; leave out batchBytes.");
        }
        return this;
    }
}

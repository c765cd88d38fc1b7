package io.tickmark.engines.aeron;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.Optional;
import org.agrona.SystemUtil;

/**
 * The socket buffer that a channel asks for. The kernel silently grants no more than its limit, and
 * a driver does not report it, so a socket of this process asks for as much: it is granted what a
 * driver in this process is. Of a driver that runs elsewhere nothing is known.
 *
 * @param way whose buffer it is
 * @param askedBytes as in the channel; 0 for the system's default
 * @param grantedBytes as the kernel says
 */
record SocketBuffer(Way way, int askedBytes, int grantedBytes) {
    /** The buffer of one direction. */
    enum Way {
        /** Of subscriptions. */
        IN("so-rcvbuf", StandardSocketOptions.SO_RCVBUF, "receiveBufferBytes", "net.core.rmem_max"),
        /** Of publications. */
        OUT("so-sndbuf", StandardSocketOptions.SO_SNDBUF, "sendBufferBytes", "net.core.wmem_max");

        private final String parameter;
        private final SocketOption<Integer> option;
        private final String fact;
        private final String limit;

        Way(
                final String parameter,
                final SocketOption<Integer> option,
                final String fact,
                final String limit) {
            this.parameter = parameter;
            this.option = option;
            this.fact = fact;
            this.limit = limit;
        }
    }

    /**
     * What is granted; empty where the channel asks for nothing, or the driver is not in this
     * process.
     */
    static Optional<SocketBuffer> of(
            final Way way, final AeronChannel channel, final DriverSession session) {
        final String asked = channel.aeron().get(way.parameter);
        if (asked == null || channel.kind() == ChannelKind.IPC || !session.hostsDriver()) {
            return Optional.empty();
        }
        final int askedBytes = (int) SystemUtil.parseSize(way.parameter, asked); // Aeron took it
        try (DatagramChannel probe = DatagramChannel.open()) {
            if (askedBytes > 0) {
                probe.setOption(way.option, askedBytes);
            }
            return Optional.of(new SocketBuffer(way, askedBytes, probe.getOption(way.option)));
        } catch (final IOException e) {
            throw UserError.environment(
                    "--channel %s: no socket can be opened (%s)."
                            .formatted(channel.uri(), e.getMessage()),
                    e);
        }
    }

    private boolean isCut() {
        return grantedBytes < askedBytes;
    }

    void addTo(final Map<String, Object> facts) {
        facts.put(way.fact, grantedBytes);
        if (isCut()) {
            facts.put(way.fact + "Asked", askedBytes);
        }
    }

    /** What the user has to know; empty where it is as the channel asks. */
    Optional<String> caution() {
        return isCut()
                ? Optional.of(
                        "%s asks for %s, and the kernel grants %s; raise %s, or ask for less."
                                .formatted(
                                        way.parameter,
                                        Plural.of(askedBytes, "byte"),
                                        Plural.of(grantedBytes, "byte"),
                                        way.limit))
                : Optional.empty();
    }
}

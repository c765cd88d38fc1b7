package io.tickmark.bench.peers;

import io.tickmark.bench.aeron.BareAeron;
import io.tickmark.bench.contest.Contestant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The bare Aeron stream, each side in a separate JVM; the figure named after the size is the rate
 * received.
 *
 * @param root of the project
 * @param children that starts it
 * @param kind of channel
 * @param payloadBytes message length
 * @param settings of the run
 */
record BareAeronStream(
        Path root, Children children, Kind kind, int payloadBytes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public String name() {
        return "bare Aeron %s, %d B".formatted(kind.label(), payloadBytes);
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final Kind.Channels channels = kind.channels();
        final String own = "tickmark-bench-" + ProcessHandle.current().pid();
        final Path sending = SHARED_MEMORY.resolve(own + "-send");
        final Path receiving =
                kind.sharesDriver() ? sending : SHARED_MEMORY.resolve(own + "-receive");
        final Duration limit = LIMIT.plusSeconds(settings.seconds() + settings.warmUpSeconds());
        try (Child sender = start("send", channels.sending(), sending, true, cores.sender());
                Child receiver =
                        start(
                                "receive",
                                channels.receiving(),
                                receiving,
                                !kind.sharesDriver(),
                                cores.receiver())) {
            final String output = receiver.await(limit, List.of(0));
            sender.await(limit, List.of(0));
            return Map.of(Integer.toString(payloadBytes), FigureLine.figure(output, "msg_per_s"));
        }
    }

    private Child start(
            final String side,
            final String channel,
            final Path directory,
            final boolean hostsDriver,
            final int core) {
        return children.start(
                "bare-aeron-" + side,
                JavaCommand.of(
                        root,
                        BareAeron.class.getName(),
                        List.of(
                                side,
                                "channel=" + channel,
                                "directory=" + directory,
                                "hostsDriver=" + hostsDriver,
                                "payloadBytes=" + payloadBytes,
                                "reads=" + kind.reads(),
                                "warmUpSeconds=" + settings.warmUpSeconds(),
                                "seconds=" + settings.seconds(),
                                "core=" + core)));
    }

    /**
     * Which bare Aeron stream.
     *
     * @param way from one side to the other
     * @param reads whether each side reads the clock for each message, and the receiver all of its
     *     bytes, as every engine's stream does here
     */
    record Kind(Way way, boolean reads) {
        /** As our engine has it where a channel does not say. */
        private static final String TERM = "term-length=4194304";

        private static final String DYNAMIC_CONTROL = "control-mode=dynamic|control=127.0.0.1:";

        /** From one side to the other. */
        enum Way {
            /** One driver's shared memory. */
            IPC("ipc", "aeron:ipc"),

            /** Unicast: the sender gets the receiver's address. */
            UNICAST("udp, unicast", "aeron:udp?endpoint=127.0.0.1:0|unicast=true"),

            /** The receiver makes itself known to the sender. */
            DYNAMIC("udp, dynamic destinations", "aeron:udp?endpoint=127.0.0.1:0");

            private final String label;
            private final String ourChannel;

            Way(final String label, final String ourChannel) {
                this.label = label;
                this.ourChannel = ourChannel;
            }

            String label() {
                return label;
            }

            /** The channel of our stream that sends in the same way. */
            String ourChannel() {
                return ourChannel;
            }
        }

        /**
         * Channels of both sides.
         *
         * @param sending of the publication
         * @param receiving of the subscription
         */
        record Channels(String sending, String receiving) {}

        String label() {
            return way.label() + (reads ? ", clock and payload read" : "");
        }

        /** Whether both sides use one driver, the sender's. */
        boolean sharesDriver() {
            return way == Way.IPC;
        }

        /** Channels on ports that are free now. */
        Channels channels() {
            return switch (way) {
                case IPC -> new Channels("aeron:ipc?" + TERM, "aeron:ipc?" + TERM);
                case UNICAST -> {
                    final String channel =
                            "aeron:udp?endpoint=127.0.0.1:" + UdpPorts.free() + "|" + TERM;
                    yield new Channels(channel, channel);
                }
                case DYNAMIC -> {
                    final String control =
                            "aeron:udp?" + DYNAMIC_CONTROL + UdpPorts.free() + "|" + TERM;
                    yield new Channels(
                            control + "|fc=min",
                            control + "|endpoint=127.0.0.1:" + UdpPorts.free());
                }
            };
        }
    }
}

package io.tickmark.bench.peers;

/**
 * Which bare Aeron stream.
 *
 * @param way from one side to the other
 * @param reads whether each side reads the clock for each message, and the receiver all of its
 *     bytes, as every engine's stream does here
 */
record BareAeronKind(Way way, boolean reads) {
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
                        control + "|fc=min", control + "|endpoint=127.0.0.1:" + UdpPorts.free());
            }
        };
    }
}

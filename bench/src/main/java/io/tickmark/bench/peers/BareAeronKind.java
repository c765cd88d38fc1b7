package io.tickmark.bench.peers;

/** Which bare Aeron stream. */
enum BareAeronKind {
    /** One driver's shared memory. */
    IPC("ipc"),

    /** One driver's shared memory, each side reading the clock for each message. */
    IPC_WITH_CLOCK_READS("ipc, clock reads"),

    /** Unicast: the sender gets the receiver's address. */
    UNICAST("udp, unicast"),

    /** The receiver makes itself known to the sender. */
    DYNAMIC("udp, dynamic destinations");

    /** As our engine has it where a channel does not say. */
    private static final String TERM = "term-length=4194304";

    private static final String DYNAMIC_CONTROL = "control-mode=dynamic|control=127.0.0.1:";

    /**
     * Channels of both sides.
     *
     * @param sending of the publication
     * @param receiving of the subscription
     */
    record Channels(String sending, String receiving) {}

    private final String label;

    BareAeronKind(final String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    boolean readsClock() {
        return this == IPC_WITH_CLOCK_READS;
    }

    /** Whether both sides use one driver, the sender's. */
    boolean sharesDriver() {
        return this == IPC || this == IPC_WITH_CLOCK_READS;
    }

    /** The channel of our stream that sends in the same way. */
    String ourChannel() {
        return switch (this) {
            case IPC, IPC_WITH_CLOCK_READS -> "aeron:ipc";
            case UNICAST -> "aeron:udp?endpoint=127.0.0.1:0|unicast=true";
            case DYNAMIC -> "aeron:udp?endpoint=127.0.0.1:0";
        };
    }

    /** Channels on ports that are free now. */
    Channels channels() {
        return switch (this) {
            case IPC, IPC_WITH_CLOCK_READS ->
                    new Channels("aeron:ipc?" + TERM, "aeron:ipc?" + TERM);
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

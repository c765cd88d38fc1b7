package io.tickmark.engines.dds;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;
import java.util.List;

/** Parameters of a DDS channel: transport, discovery, QoS, sockets. */
record DdsParameters(
        @Setting(
                        help =
                                "Strict reliable instead of best effort; over shared memory with the newest 256 samples"
                                        + " for each reader, so that one further behind loses some.",
                        byDefault = "false")
                boolean reliable,
        @Setting(
                        help =
                                "What carries the samples: udp (also 1), shm (2, Cyclone's iceoryx) or udp6 (8).",
                        byDefault = "udp",
                        label = "WORD")
                String transport,
        @Setting(
                        help =
                                "Interface to use, by address or name (default: the loopback interface).",
                        label = "IP")
                String nic,
        @Setting(
                        help = "How participants find each other; auto goes by peer and nic.",
                        byDefault = "auto")
                Discovery discovery,
        @Setting(
                        help =
                                "Addresses of the hosts of other participants, for unicast discovery.",
                        label = "HOST,...")
                List<String> peer,
        @Setting(
                        help =
                                "Multicast group on which this process receives data (default: unicast).",
                        label = "IP")
                String multicast,
        @Setting(help = "Hops of multicast packets.", byDefault = "32", min = 0, max = 255) int ttl,
        @Setting(
                        help =
                                "Partition (DDS); with dds: and no domain one is chosen, so that tests on a"
                                        + " host stay apart.",
                        label = "NAME")
                String partition,
        @Setting(help = "Which samples are kept for a reader (DDS history).", byDefault = "auto")
                HistoryKind history,
        @Setting(
                        help =
                                "Samples kept with history keep-last; over shared memory at most 256.",
                        byDefault = "1024",
                        min = 1,
                        max = 1 << 24)
                int depth,
        @Setting(
                        help = "Maximum samples in a reader's cache (DDS resource limits).",
                        byDefault = "10000",
                        min = 1,
                        max = 1 << 24)
                int maxSamples,
        @Setting(help = "Durability (DDS).", byDefault = "volatile") Durability durability,
        @Setting(help = "Deadline (DDS); 0 for none.", byDefault = "0", min = 0, max = 3600e9)
                Duration deadline,
        @Setting(help = "Latency budget (DDS).", byDefault = "0", min = 0, max = 3600e9)
                Duration latencyBudget,
        @Setting(help = "Transport priority (DDS).", byDefault = "0", min = -1e9, max = 1e9)
                int transportPriority,
        @Setting(help = "How a subscription learns of samples.", byDefault = "listener")
                Reception receive,
        @Setting(
                        help = "Gather samples until the publisher flushes (Cyclone's batching).",
                        byDefault = "false")
                boolean batch,
        @Setting(
                        help =
                                "How much a reliable writer holds unacknowledged before it pushes back; 0 leaves it to"
                                        + " Cyclone.",
                        byDefault = "1048576",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int unacknowledgedBytes,
        @Setting(
                        help = "Largest message.",
                        byDefault = "1048576",
                        unit = "bytes",
                        min = 64,
                        max = 1 << 24)
                int maxPayloadBytes,
        @Setting(
                        help = "A participant that is silent for this long counts as gone.",
                        byDefault = "10s",
                        min = 1e9,
                        max = 3600e9)
                Duration lease,
        @Setting(
                        help = "Send buffer of the sockets; 0 leaves it to Cyclone.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int sendBufferBytes,
        @Setting(
                        help = "Receive buffer of the sockets; 0 leaves it to Cyclone.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int receiveBufferBytes,
        @Setting(
                        help =
                                "Real-time priority of Cyclone's receive thread, which then serves all sockets; 0 leaves its"
                                        + " threads to time sharing.",
                        byDefault = "0",
                        min = 0,
                        max = 99)
                int receivePriority,
        @Setting(
                        help =
                                "Configuration of Cyclone's own to start from, file or XML without commas; what this channel "
                                        + "says takes precedence.",
                        label = "FILE")
                String config,
        @Setting(
                        help =
                                "Library of Cyclone DDS 0.10 to use (default: what the loader finds).",
                        label = "FILE")
                String library) {

    /** What a late reader receives of earlier messages. */
    enum Durability {
        /** Nothing. */
        VOLATILE,
        /** What the writer still holds. */
        TRANSIENT_LOCAL
    }

    /** What is kept for a reader that has not taken it yet. */
    enum HistoryKind {
        /** Everything for reliable channels over the network, the newest otherwise. */
        AUTO,
        /** The newest {@code depth} samples. */
        KEEP_LAST,
        /** Everything, up to the resource limits. */
        KEEP_ALL
    }

    /** How a subscription detects samples. */
    enum Reception {
        /** The library's receive thread notifies it with a DDS listener. */
        LISTENER,
        /** The polling thread queries the reader each time; where it waits, on a DDS waitset. */
        POLLING
    }
}

package io.tickmark.engines.aeron.cluster;

import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.engines.aeron.archive.MarkFileRule;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;
import java.time.Duration;
import java.util.List;

/** Parameters of a {@code cluster} channel. */
record ClusterParameters(
        @Setting(
                        help =
                                "Members that agree on the log, each a process of its own; more than half of them must"
                                        + " have a message before it is stable.",
                        byDefault = "3",
                        min = 1,
                        max = 9)
                int members,
        @Setting(
                        help =
                                "When a member has a message: 0 in the page cache, 1 once its data are synced, 2 once data"
                                        + " and metadata are.",
                        byDefault = "0",
                        min = 0,
                        max = 2)
                int sync,
        @Setting(
                        help =
                                "When messages are deleted: kept; the log of a cluster is not cut while it is used.",
                        byDefault = "kept")
                Deletion deletion,
        @Setting(help = "CRC32C of each message in the log.", byDefault = "true") boolean crc,
        @Setting(
                        help = "Length of a term of the log, a power of two.",
                        byDefault = "16777216",
                        unit = "bytes",
                        min = 1 << 20,
                        max = 1 << 28)
                int termBytes,
        @Setting(
                        help = "Length of a segment file, a power of two, a term at least.",
                        byDefault = "134217728",
                        unit = "bytes",
                        min = 1 << 20,
                        max = 1 << 30)
                int segmentBytes,
        @Setting(
                        help =
                                "Longest datagram, a multiple of 32; 80 bytes less are the longest message.",
                        byDefault = "8192",
                        unit = "bytes",
                        min = 1408,
                        max = 65_504)
                int mtuBytes,
        @Setting(help = "Cores to pin the members' threads to, in turn.", min = 0, max = 8191)
                List<Integer> cores,
        @Setting(
                        help = "What the members' threads do when there is nothing to do.",
                        byDefault = "backoff")
                DriverIdle idle,
        @Setting(
                        help =
                                "What to do with the mark files of a member that died: wait until they have expired,"
                                        + " about 10 s, or remove them.",
                        byDefault = "wait")
                MarkFileRule markFile,
        @Setting(
                        help =
                                "How long the leader, a client or a driver may be silent before it is given up.",
                        byDefault = "5s",
                        min = 2e9,
                        max = 3600e9)
                Duration livenessTimeout,
        @Setting(help = "Directory of the clients' driver; the store fills it in.", label = "DIR")
                String aeronDir,
        @Setting(help = "Directory of the store's data; the store fills it in.", label = "DIR")
                String data) {
    int quorum() {
        return members / 2 + 1;
    }

    int longestMessageBytes() {
        return mtuBytes - ClusterFrames.AROUND_MESSAGE;
    }
}

package io.tickmark.engines.aeron.archive;

import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;
import java.time.Duration;
import java.util.List;

/** Parameters of an {@code archive} channel. */
record ArchiveParameters(
        @Setting(
                        help =
                                "Members: archives that record the same publication, each a process of its own.",
                        byDefault = "1",
                        min = 1,
                        max = 9)
                int members,
        @Setting(
                        help =
                                "Members that must have recorded a message; 0 for more than half of them.",
                        byDefault = "0",
                        min = 0,
                        max = 9)
                int quorum,
        @Setting(
                        help =
                                "When a member counts a message as recorded: 0 in the page cache, 1 once its data are "
                                        + "synced, 2 once data and metadata are.",
                        byDefault = "0",
                        min = 0,
                        max = 2)
                int sync,
        @Setting(
                        help =
                                "When messages are deleted: kept, or by whole segments once acknowledged by the receiver.",
                        byDefault = "kept")
                Deletion deletion,
        @Setting(help = "CRC32C of each message on record and replay.", byDefault = "true")
                boolean crc,
        @Setting(
                        help = "Length of a term, a power of two; half of it may be in flight.",
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
        @Setting(help = "Cores to pin the members' threads to, in turn.", min = 0, max = 8191)
                List<Integer> cores,
        @Setting(
                        help = "What the members' threads do when there is nothing to do.",
                        byDefault = "backoff")
                DriverIdle idle,
        @Setting(
                        help = "Folder for the members' mark files (default: beside their data).",
                        label = "DIR")
                String stateDir,
        @Setting(
                        help =
                                "What to do with the mark file of a member that died: wait until it has expired,"
                                        + " about 10 s, or remove it.",
                        byDefault = "wait")
                MarkFileRule markFile,
        @Setting(
                        help =
                                "How long a client or a member may stall before the driver gives up on it.",
                        byDefault = "5s",
                        min = 2e9,
                        max = 3600e9)
                Duration livenessTimeout,
        @Setting(help = "Directory of the store's driver; the store fills it in.", label = "DIR")
                String aeronDir,
        @Setting(help = "Directory of the store's data; the store fills it in.", label = "DIR")
                String data) {
    int needed() {
        return quorum == 0 ? members / 2 + 1 : quorum;
    }
}

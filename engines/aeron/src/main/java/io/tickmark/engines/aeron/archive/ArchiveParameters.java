package io.tickmark.engines.aeron.archive;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;
import java.time.Duration;

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
                                "When messages are deleted: kept, or by whole segments once acknowledged by the receiver.",
                        byDefault = "kept")
                Deletion deletion,
        MemberSettings member,
        @Setting(
                        help = "Folder for the members' mark files (default: beside their data).",
                        label = "DIR")
                String stateDir,
        @Setting(
                        help =
                                "How long a client or a member may stall before the driver gives up on it.",
                        byDefault = "5s",
                        min = 2e9,
                        max = 3600e9)
                Duration livenessTimeout,
        StoreFolders folders) {
    int needed() {
        return quorum == 0 ? members / 2 + 1 : quorum;
    }
}

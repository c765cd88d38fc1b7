package io.tickmark.engines.aeron.cluster;

import io.tickmark.engines.aeron.archive.MemberSettings;
import io.tickmark.engines.aeron.archive.StoreFolders;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;
import java.time.Duration;

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
                                "When messages are deleted: kept; the log of a cluster is not cut while it is used.",
                        byDefault = "kept")
                Deletion deletion,
        MemberSettings member,
        @Setting(
                        help =
                                "Longest datagram, a multiple of 32; 80 bytes less are the longest message.",
                        byDefault = "8192",
                        unit = "bytes",
                        min = 1408,
                        max = 65_504)
                int mtuBytes,
        @Setting(
                        help =
                                "How long the leader, a client or a driver may be silent before it counts as gone.",
                        byDefault = "5s",
                        min = 2e9,
                        max = 3600e9)
                Duration livenessTimeout,
        StoreFolders folders) {
    int quorum() {
        return members / 2 + 1;
    }

    int longestMessageBytes() {
        return mtuBytes - ClusterFrames.AROUND_MESSAGE;
    }
}

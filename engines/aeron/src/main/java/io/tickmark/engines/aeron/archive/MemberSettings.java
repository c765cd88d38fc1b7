package io.tickmark.engines.aeron.archive;

import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.kernel.settings.Setting;
import java.util.List;
import java.util.Map;

/**
 * Parameters of what an archive and a cluster have in common: members, each a process of its own
 * that writes a log.
 *
 * @param sync file sync level
 * @param crc whether messages carry checksums
 * @param termBytes length of a term
 * @param segmentBytes length of a segment file
 * @param cores of the members' threads; empty for any
 * @param idle of the members' threads
 * @param markFile what happens to the mark files of a member that died
 */
public record MemberSettings(
        @Setting(
                        help =
                                "When a member has a message: 0 in the page cache, 1 once its data are synced, 2 once data"
                                        + " and metadata are.",
                        byDefault = "0",
                        min = 0,
                        max = 2)
                int sync,
        @Setting(help = "CRC32C of each message in the members' files.", byDefault = "true")
                boolean crc,
        @Setting(
                        help =
                                "Length of a term, a power of two; half of an archive's may be in flight.",
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
                        help =
                                "What to do with the mark files of a member that died: wait until they have expired,"
                                        + " about 10 s, or remove them.",
                        byDefault = "wait")
                MarkFileRule markFile) {
    /**
     * The core of a member's threads.
     *
     * @param member from 1
     * @return the core; -1 for any
     */
    public int core(final int member) {
        return cores.isEmpty() ? -1 : cores.get((member - 1) % cores.size());
    }

    /** {@return what publications report of the log} */
    public Map<String, Object> facts() {
        return Map.of(
                "termBytes",
                termBytes,
                "segmentBytes",
                segmentBytes,
                "checksums",
                crc ? "CRC32C" : "none");
    }
}

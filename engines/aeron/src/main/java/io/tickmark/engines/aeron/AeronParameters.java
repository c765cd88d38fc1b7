package io.tickmark.engines.aeron;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;
import java.util.List;

/**
 * What tickmark adds to Aeron's own channel parameters; camel case distinguishes them from Aeron's.
 */
record AeronParameters(
        @Setting(
                        help =
                                "Directory of the media driver to join, or to host with driver=embedded (default: chosen by "
                                        + "tickmark).",
                        label = "DIR")
                String aeronDir,
        @Setting(
                        help =
                                "Which media driver carries the channel; auto is the one in aeronDir"
                                        + " where that is given, else one of this process.",
                        byDefault = "auto")
                DriverChoice driver,
        @Setting(
                        help =
                                "Threads of an embedded driver; auto is invoker (none) on up to four"
                                        + " cores, else shared (one).",
                        byDefault = "auto")
                DriverThreading threading,
        @Setting(
                        help =
                                "What the threads of an embedded driver do when there is nothing to do.",
                        byDefault = "backoff")
                DriverIdle idle,
        @Setting(
                        help =
                                "Fraction of the datagrams that an embedded driver drops as they arrive,"
                                        + " data and control alike.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 0.9)
                double lossPart,
        @Setting(help = "Seed of the artificial loss.", byDefault = "1") long lossSeed,
        @Setting(
                        help =
                                "Length of a term, a power of two; the largest message is an eighth"
                                        + " of it (Aeron's term-length).",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 65536,
                        max = 1 << 30)
                int termBytes,
        @Setting(
                        help =
                                "How long a client or an embedded driver may stall before the other gives up on it.",
                        byDefault = "20s",
                        min = 1e9,
                        max = 3600e9)
                Duration livenessTimeout,
        @Setting(
                        help =
                                "Addresses host:port of the subscribers, in the order of their cookies,"
                                        + " with control-mode=manual.",
                        label = "HOST:PORT,...")
                List<String> destinations,
        @Setting(
                        help =
                                "Whether the one subscriber owns the channel's endpoint, as in plain Aeron; if off, the"
                                        + " publisher owns it, and any number of subscribers report to it.",
                        byDefault = "false")
                boolean unicast,
        @Setting(
                        help =
                                "Address host:port on which the binding side receives replies (default: one above the "
                                        + "channel's port).",
                        label = "HOST:PORT")
                String replyEndpoint) {

    /** Which media driver carries a channel. */
    enum DriverChoice {
        /** The one in {@code aeronDir} where that is given, otherwise one of this process. */
        AUTO,
        /** One of this process; on {@code aeron:ipc} the side that does not host it joins it. */
        EMBEDDED,
        /** One that is already running, in {@code aeronDir} or Aeron's default directory. */
        EXTERNAL
    }
}

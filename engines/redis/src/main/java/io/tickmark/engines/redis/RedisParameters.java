package io.tickmark.engines.redis;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.broker.FlightLimits;
import io.tickmark.transport.store.Deletion;

/** Parameters of a Redis channel. */
record RedisParameters(
        BrokerSettings broker,
        FlightLimits limits,
        @Setting(
                        help =
                                "Messages that the client writes by one flush; 1 writes each at once.",
                        byDefault = "1",
                        min = 1,
                        max = 10_000)
                int batch,
        @Setting(
                        help =
                                "Maximum bytes that may wait in the client for a slow subscriber; more is dropped and counted.",
                        byDefault = "67108864",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes,
        @Setting(
                        help =
                                "Store: when a server that is started syncs its append-only file (appendfsync).",
                        byDefault = "no")
                Sync sync,
        @Setting(
                        help =
                                "Store: when messages are deleted; acknowledged ones by XTRIM MINID.",
                        byDefault = "kept")
                Deletion deletion)
        implements FlightLimits.Limited {
    /** Redis' appendfsync. */
    enum Sync {
        /** Before each answer. */
        ALWAYS,
        /**
         * In the background, once a second; meanwhile nothing is written, for two seconds at most.
         */
        EVERYSEC,
        /** When the system writes its page cache back. */
        NO
    }
}

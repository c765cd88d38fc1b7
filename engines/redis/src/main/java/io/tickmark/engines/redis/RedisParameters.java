package io.tickmark.engines.redis;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;

/** Parameters of a Redis channel. */
record RedisParameters(
        @Setting(
                        help =
                                "Start the server at this address, as a child of the binding side; without an address or "
                                        + "with port 0 it is always started.",
                        byDefault = "false")
                boolean start,
        @Setting(
                        help =
                                "First part of the names of channels and keys, so that tests on one server stay apart.",
                        byDefault = "tickmark",
                        label = "NAME")
                String prefix,
        @Setting(
                        help =
                                "Messages that the client writes by one flush; 1 writes each at once.",
                        byDefault = "1",
                        min = 1,
                        max = 10_000)
                int batch,
        @Setting(
                        help = "Most messages under way without an answer; more is back-pressure.",
                        byDefault = "4096",
                        min = 1,
                        max = 1 << 20)
                int maxFlight,
        @Setting(
                        help = "Most bytes under way without an answer; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Most bytes that may wait in the client for a slow subscriber; more is dropped and counted.",
                        byDefault = "67108864",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes,
        @Setting(
                        help = "Largest message.",
                        byDefault = "1000000",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes,
        @Setting(
                        help =
                                "Store: when a server that is started syncs its append-only file (appendfsync).",
                        byDefault = "no")
                Sync sync,
        @Setting(
                        help =
                                "Store: when messages are deleted; acknowledged ones by XTRIM MINID.",
                        byDefault = "kept")
                Deletion deletion) {
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

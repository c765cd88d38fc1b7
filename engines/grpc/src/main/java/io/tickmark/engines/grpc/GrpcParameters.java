package io.tickmark.engines.grpc;

import io.tickmark.kernel.settings.Setting;

/** Parameters of a gRPC channel. */
record GrpcParameters(
        @Setting(
                        help =
                                "Bytes that may wait in the library for each receiver until it is no longer ready (gRPC's"
                                        + " on-ready threshold); more is back-pressure.",
                        byDefault = "32768",
                        unit = "bytes",
                        min = 1,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Bytes of messages that may wait for a slow receiver; no more are asked for until half of them"
                                        + " are taken.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes,
        @Setting(
                        help = "Flow-control window of each stream and connection (HTTP/2).",
                        byDefault = "1048576",
                        unit = "bytes",
                        min = 65_535,
                        max = 1 << 30)
                int windowBytes,
        @Setting(help = "Netty threads on each side.", byDefault = "1", min = 1, max = 64)
                int ioThreads,
        @Setting(
                        help =
                                "File whose first line is a token that both sides must share; it is sent as a bearer token,"
                                        + " unencrypted.",
                        label = "FILE")
                String tokenFile,
        @Setting(
                        help = "Largest message.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 64,
                        max = 64_000_000)
                int maxPayloadBytes) {}

package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.ServerSettings;

/** Parameters of every channel to a NATS server. */
record NatsParameters(
        ServerSettings server,
        @Setting(
                        help =
                                "First part of the subjects, so that tests on one server stay apart.",
                        byDefault = "tickmark",
                        label = "NAME")
                String subject,
        @Setting(
                        help =
                                "Maximum bytes that may wait in the client for the socket; more is back-pressure.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int sendPendingBytes,
        @Setting(
                        help =
                                "Maximum bytes that may wait in the client for a slow subscriber; more is dropped and counted.",
                        byDefault = "67108864",
                        unit = "bytes",
                        min = 1024,
                        max = 1 << 30)
                int receivePendingBytes) {}

package io.tickmark.engines.zeromq;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;

/** The parameters of a ZeroMQ channel. */
record ZeromqParameters(
        @Setting(
                        help =
                                "Whether a subscriber whose queue is full pushes back (ZMQ_XPUB_NODROP); without it, ZeroMQ"
                                        + " drops what it has no room for, and gaps in the sequence show it.",
                        byDefault = "true")
                boolean noDrop,
        @Setting(
                        help = "Messages that may wait to be sent to each peer (ZMQ_SNDHWM).",
                        byDefault = "1000",
                        min = 1,
                        max = 1 << 24)
                int sendHwm,
        @Setting(
                        help = "Messages that may wait for a slow receiver (ZMQ_RCVHWM).",
                        byDefault = "1000",
                        min = 1,
                        max = 1 << 24)
                int receiveHwm,
        @Setting(
                        help = "ZeroMQ threads on each side (ZMQ_IO_THREADS).",
                        byDefault = "1",
                        min = 1,
                        max = 64)
                int ioThreads,
        @Setting(
                        help = "Port for answers; 0 for the one after the channel's.",
                        byDefault = "0",
                        min = 0,
                        max = 65_535)
                int replyPort,
        @Setting(
                        help =
                                "How long closing waits until accepted messages have been sent (ZMQ_LINGER).",
                        byDefault = "200ms")
                Duration linger,
        @Setting(
                        help = "Largest message.",
                        byDefault = "1048576",
                        unit = "bytes",
                        min = 64,
                        max = Node.MOST_PAYLOAD_BYTES)
                int maxPayloadBytes) {}

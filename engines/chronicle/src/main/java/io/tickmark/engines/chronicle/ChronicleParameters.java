package io.tickmark.engines.chronicle;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.store.Deletion;

/** Parameters of a Chronicle Queue channel. */
record ChronicleParameters(
        @Setting(
                        help =
                                "Where the folder of a channel without an address is made (default: the folder of temporary "
                                        + "files).",
                        label = "DIR")
                String directory,
        @Setting(
                        help =
                                "How much of a queue's file is mapped at once (Chronicle's block size); a power of two.",
                        byDefault = "67108864",
                        unit = "bytes",
                        min = 8 << 20,
                        max = 1 << 30)
                int blockBytes,
        @Setting(
                        help =
                                "Store: whether a message is stable only once the file is synced to the disk.",
                        byDefault = "false")
                boolean sync,
        @Setting(
                        help =
                                "Store: when messages are deleted: kept; a queue's file is not cut while it is used.",
                        byDefault = "kept")
                Deletion deletion) {}

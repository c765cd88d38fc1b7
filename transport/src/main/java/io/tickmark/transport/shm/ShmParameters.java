package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.Setting;

/**
 * Parameters of an {@code shm} channel. Those of the binding side apply.
 *
 * @param directory where the file is created
 * @param capacityBytes of a ring
 * @param lossy whether slow readers are overrun
 */
public record ShmParameters(
        @Setting(
                        help =
                                "Where the file is created (default: /dev/shm where it exists, else the temporary folder).",
                        label = "DIR")
                String directory,
        @Setting(
                        help =
                                "Capacity of a ring, a power of two. A message may take an eighth of it.",
                        byDefault = "4194304",
                        unit = "bytes",
                        min = ShmLayout.MIN_CAPACITY_BYTES,
                        max = 1 << 30)
                int capacityBytes,
        @Setting(
                        help =
                                "Overwrite what slow readers have not read, instead of waiting for them.",
                        byDefault = "false")
                boolean lossy) {}

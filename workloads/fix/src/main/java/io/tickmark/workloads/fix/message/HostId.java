package io.tickmark.workloads.fix.message;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Identity of this boot of this machine: who shares it shares the monotonic clock. */
public final class HostId {
    /** The identity; random, and so never equal to another's, where the kernel tells none. */
    public static final long VALUE = read();

    private HostId() {}

    private static long read() {
        UUID boot = UUID.randomUUID();
        try {
            boot =
                    UUID.fromString(
                            Files.readString(
                                            Path.of("/proc/sys/kernel/random/boot_id"),
                                            StandardCharsets.US_ASCII)
                                    .strip());
        } catch (final IOException | IllegalArgumentException e) {
            // not Linux, or no /proc: one-way times are then not measured
        }
        return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits();
    }

    /**
     * The identity as it stands in messages.
     *
     * @return 16 hexadecimal digits
     */
    public static byte[] text() {
        return "%016x".formatted(VALUE).getBytes(StandardCharsets.US_ASCII);
    }
}

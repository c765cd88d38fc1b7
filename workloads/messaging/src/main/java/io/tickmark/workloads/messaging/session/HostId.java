package io.tickmark.workloads.messaging.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Identity of this boot of this machine. Two roles with the same one share the monotonic clock, so
 * that one-way times between them mean something.
 */
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
            // Not Linux, or a sandbox without /proc: one-way times are then not measured.
        }
        return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits();
    }
}

package io.tickmark.kernel.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Identity of the time line of this process: two roles with the same identity share a time line, so
 * that one-way times between them are meaningful. Normally it identifies this boot of this machine,
 * whose processes share the monotonic clock; where the lab has aligned the clocks of several hosts,
 * it passes all their roles the same identity, and states how well they agree.
 */
public final class HostId {
    /** System property with the identity, 16 hexadecimal digits, where the lab passes one. */
    public static final String PROPERTY = "tickmark.time.line";

    /**
     * The identity; where it cannot be determined it is random, and so never equal to another one.
     */
    public static final long VALUE = read(System.getProperty(PROPERTY, ""));

    private HostId() {}

    private static long read(final String given) {
        try {
            return given.isEmpty() ? boot() : Long.parseUnsignedLong(given, 16);
        } catch (final NumberFormatException e) {
            return boot();
        }
    }

    private static long boot() {
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

    /**
     * The identity as written in messages and properties.
     *
     * @return 16 hexadecimal digits
     */
    public static String text() {
        return "%016x".formatted(VALUE);
    }
}

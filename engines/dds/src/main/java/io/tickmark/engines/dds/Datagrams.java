package io.tickmark.engines.dds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * UDP datagrams that this host (its network namespace) has sent, as the kernel counts them: beside
 * the number of samples they prove by which way those went.
 */
final class Datagrams {
    private Datagrams() {}

    /** Sent so far by all processes, IPv4 and IPv6; -1 where it cannot be read. */
    static long sentByHost() {
        try {
            return ofIp4() + ofIp6();
        } catch (final IOException | NumberFormatException e) {
            return -1;
        }
    }

    private static long ofIp4() throws IOException {
        final List<String> lines =
                Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                        .filter(line -> line.startsWith("Udp:"))
                        .toList();
        if (lines.size() < 2) {
            return 0;
        }
        final List<String> names = List.of(lines.get(0).split("\\s+"));
        return Long.parseLong(lines.get(1).split("\\s+")[names.indexOf("OutDatagrams")]);
    }

    private static long ofIp6() throws IOException {
        final Path file = Path.of("/proc/net/snmp6");
        if (!Files.exists(file)) {
            return 0;
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("Udp6OutDatagrams"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                .sum();
    }
}

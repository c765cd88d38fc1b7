package io.tickmark.wire;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.capture.Tcpdump;
import io.tickmark.wire.capture.TcpdumpOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/** What these tests need from the system; without it they are skipped, with the reason. */
public final class WireNeeds {
    private WireNeeds() {}

    public static void tcpdump(final Path folder) {
        try (Tcpdump tcpdump =
                Tcpdump.start(new TcpdumpOptions("lo", "port 1", 1), folder.resolve("try.pcap"))) {
            assumeTrue(tcpdump.isRunning());
        } catch (final UserError e) {
            assumeTrue(false, e.getMessage());
        }
    }

    public static Path tshark() {
        final Path program = Path.of("/usr/bin/tshark");
        assumeTrue(Files.isExecutable(program), "the package tshark is not installed");
        return program;
    }
}

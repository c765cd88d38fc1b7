package io.tickmark.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.capture.Tcpdump;
import io.tickmark.wire.capture.TcpdumpOptions;
import java.nio.file.Path;

/** What captures need from the system; without it tests are skipped, and say why. */
final class CaptureNeeds {
    private CaptureNeeds() {}

    /** Asked before a test, so that a capture of the test itself that cannot be fails it. */
    static void tcpdump(final Path folder) {
        try (Tcpdump _ =
                Tcpdump.start(new TcpdumpOptions("lo", "port 1", 1), folder.resolve("try.pcap"))) {
            // it is allowed
        } catch (final UserError e) {
            assumeTrue(e.getMessage().startsWith("tcpdump did not start"), e.getMessage());
        }
    }
}

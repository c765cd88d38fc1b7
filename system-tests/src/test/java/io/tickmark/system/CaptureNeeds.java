package io.tickmark.system;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
            final String why = e.getMessage();
            assumeFalse(
                    why.startsWith("this user may not capture")
                            || why.startsWith("tcpdump is not installed"),
                    why);
            if (!why.startsWith("tcpdump did not start")) {
                throw e;
            }
            // a busy machine: the test's own capture may start in time, and otherwise fails it
        }
    }
}

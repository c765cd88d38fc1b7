package io.tickmark.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.engines.dds.DdsTransport;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tests with DDS need from the system; without it they are skipped, and say why. */
final class DdsNeeds {
    /**
     * Resource: participants of one domain on one machine find each other, regardless of who
     * started them.
     */
    static final String DOMAINS = "the domains of DDS";

    private DdsNeeds() {}

    /**
     * A domain that tests of another checkout are unlikely to use at the same time. The ports of
     * domains up to 100 are below the ephemeral range (RTPS 2.2, section 9.6.1.1).
     *
     * @param number of a test, 0 to 7
     */
    static int domain(final int number) {
        return 1 + (int) (ProcessHandle.current().pid() % 12) * 8 + number;
    }

    static void library() {
        final DdsTransport transport = new DdsTransport();
        assumeTrue(transport.absence().isEmpty(), () -> transport.absence().orElseThrow());
    }

    static void compiler() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/idlc"))
                        && Files.isExecutable(Path.of("/usr/bin/gcc")),
                "a C program from IDL needs the packages cyclonedds-dev, cyclonedds-tools and gcc");
    }

    static void daemon() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/iox-roudi")),
                "shared memory of DDS needs the package iceoryx");
    }
}

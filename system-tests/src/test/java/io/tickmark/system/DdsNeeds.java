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

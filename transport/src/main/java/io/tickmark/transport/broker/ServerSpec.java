package io.tickmark.transport.broker;

import io.tickmark.transport.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How one server is started and how its output is read.
 *
 * @param command program and arguments
 * @param files to write into the member's folder before, by name
 * @param ready text in its output once it accepts requests
 * @param failed text before the reason where it does not start; may be empty
 * @param complaints text that marks the lines of its output that a user should see
 * @param startPatience how long it may take to become ready
 */
public record ServerSpec(
        List<String> command,
        Map<String, String> files,
        String ready,
        String failed,
        List<String> complaints,
        Duration startPatience) {
    /**
     * The place of one server among all of a broker.
     *
     * @param number from 1
     * @param address for clients
     * @param peerPort for the other members
     * @param folder for its configuration, log and data
     */
    public record Member(int number, HostPort address, int peerPort, Path folder) {}
}

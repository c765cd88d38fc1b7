package io.tickmark.transport.broker;

import io.tickmark.transport.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How one server is started and understood.
 *
 * @param command program and arguments
 * @param files to write before into the member's folder, by name
 * @param ready what its output says once it takes requests
 * @param failed what stands before the reason where it does not start; may be empty
 * @param complaints what lines of its output have in them that a user should see
 * @param startPatience how long it may take to get ready
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

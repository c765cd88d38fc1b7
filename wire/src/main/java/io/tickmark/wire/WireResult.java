package io.tickmark.wire;

import io.tickmark.wire.file.CaptureEnd;
import io.tickmark.wire.match.ApplicationLog;
import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.StampMatcher;
import io.tickmark.wire.net.IpDecoder;
import io.tickmark.wire.tcp.TcpFlows;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/**
 * What was found in a capture.
 *
 * @param file that was read
 * @param settings how it was read
 * @param context what was known besides
 * @param ending how the reading ended; empty where it was stopped
 * @param dropped packets that the capture lost; empty where it is unknown
 * @param packets counts of packets
 * @param tcp counts of TCP
 * @param udp datagrams of UDP
 * @param otherProtocols datagrams of neither
 * @param fix FIX messages; empty where no connection was the gateway's
 * @param stamps stamped messages
 * @param fixPortsElsewhere ports of FIX connections that are not the gateway's
 * @param warnings about the files of the time line
 */
public record WireResult(
        Path file,
        WireSettings settings,
        WireContext context,
        Optional<CaptureEnd> ending,
        OptionalLong dropped,
        IpDecoder packets,
        TcpFlows tcp,
        long udp,
        long otherProtocols,
        Optional<FixMatcher> fix,
        StampMatcher stamps,
        SortedSet<Integer> fixPortsElsewhere,
        List<String> warnings) {
    /**
     * The application's log, where its messages can be looked for: one-way ones need the clocks.
     */
    Optional<ApplicationLog> comparedLog() {
        return context.log().filter(log -> log.isRoundTrip() || context.offset().isPresent());
    }

    /** Messages of that log that were not found, those that are too short to tell left out. */
    long inApplicationOnly(final ApplicationLog log) {
        return Math.max(0, log.size() - stamps.counts().paired() - stamps.counts().notComparable());
    }
}

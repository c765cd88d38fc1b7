package io.tickmark.engines.aeron.cluster;

import io.tickmark.engines.aeron.archive.MemberSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * The command line of a member's process.
 *
 * @param member from 1
 * @param endpoints of all members, as the cluster writes them
 * @param directory for its data
 * @param sync file sync level
 * @param crc whether messages carry checksums
 * @param termBytes length of a term of the log
 * @param segmentBytes length of a segment file
 * @param mtuBytes longest datagram
 * @param idle of its threads
 * @param core of its threads, -1 for none
 * @param livenessNs how long others may be silent
 */
record ClusterMemberOptions(
        int member,
        String endpoints,
        Path directory,
        int sync,
        boolean crc,
        int termBytes,
        int segmentBytes,
        int mtuBytes,
        String idle,
        int core,
        long livenessNs) {
    static ClusterMemberOptions of(
            final int member,
            final String endpoints,
            final Path data,
            final ClusterParameters parameters) {
        final MemberSettings settings = parameters.member();
        return new ClusterMemberOptions(
                member,
                endpoints,
                ClusterFiles.member(data, member),
                settings.sync(),
                settings.crc(),
                settings.termBytes(),
                settings.segmentBytes(),
                parameters.mtuBytes(),
                settings.idle().name(),
                settings.core(member),
                parameters.livenessTimeout().toNanos());
    }

    static ClusterMemberOptions read(final String[] arguments) {
        int next = 0;
        return new ClusterMemberOptions(
                Integer.parseInt(arguments[next++]),
                arguments[next++],
                Path.of(arguments[next++]),
                Integer.parseInt(arguments[next++]),
                Boolean.parseBoolean(arguments[next++]),
                Integer.parseInt(arguments[next++]),
                Integer.parseInt(arguments[next++]),
                Integer.parseInt(arguments[next++]),
                arguments[next++],
                Integer.parseInt(arguments[next++]),
                Long.parseLong(arguments[next]));
    }

    List<String> arguments() {
        return List.of(
                Integer.toString(member),
                endpoints,
                directory.toString(),
                Integer.toString(sync),
                Boolean.toString(crc),
                Integer.toString(termBytes),
                Integer.toString(segmentBytes),
                Integer.toString(mtuBytes),
                idle,
                Integer.toString(core),
                Long.toString(livenessNs));
    }

    /** Where other members reach its archive: the last of its own addresses. */
    String archiveEndpoint() {
        final String own = endpoints.split("\\|")[member - 1];
        return own.substring(own.lastIndexOf(',') + 1);
    }
}

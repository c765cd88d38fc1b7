package io.tickmark.engines.aeron.archive;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/**
 * The command line of a member's process.
 *
 * @param member from 1
 * @param life how often it was started
 * @param aeronDir of the driver that it joins
 * @param archiveDir for its data
 * @param markDir for its mark file; empty for beside its data
 * @param sync file sync level
 * @param crc whether messages carry checksums
 * @param segmentBytes length of a segment file
 * @param idle of its thread
 * @param core of its thread, -1 for none
 */
record MemberOptions(
        int member,
        long life,
        String aeronDir,
        File archiveDir,
        String markDir,
        int sync,
        boolean crc,
        int segmentBytes,
        String idle,
        int core) {
    private static final int FIRST_CONTROL_STREAM = 100;

    static MemberOptions of(
            final int member,
            final File aeronDir,
            final Path data,
            final ArchiveParameters parameters) {
        final MemberSettings settings = parameters.member();
        return new MemberOptions(
                member,
                0,
                aeronDir.getPath(),
                StoreFiles.member(data, member).toFile(),
                parameters.stateDir().isEmpty()
                        ? ""
                        : StoreFiles.member(
                                        Path.of(parameters.stateDir())
                                                .resolve(StoreFiles.name(data)),
                                        member)
                                .toString(),
                settings.sync(),
                settings.crc(),
                settings.segmentBytes(),
                settings.idle().name(),
                settings.core(member));
    }

    static MemberOptions read(final String[] arguments) {
        int next = 0;
        return new MemberOptions(
                Integer.parseInt(arguments[next++]),
                Long.parseLong(arguments[next++]),
                arguments[next++],
                new File(arguments[next++]),
                arguments[next++],
                Integer.parseInt(arguments[next++]),
                Boolean.parseBoolean(arguments[next++]),
                Integer.parseInt(arguments[next++]),
                arguments[next++],
                Integer.parseInt(arguments[next]));
    }

    List<String> arguments() {
        return List.of(
                Integer.toString(member),
                Long.toString(life),
                aeronDir,
                archiveDir.getPath(),
                markDir,
                Integer.toString(sync),
                Boolean.toString(crc),
                Integer.toString(segmentBytes),
                idle,
                Integer.toString(core));
    }

    MemberOptions withLife(final long newLife) {
        return new MemberOptions(
                member,
                newLife,
                aeronDir,
                archiveDir,
                markDir,
                sync,
                crc,
                segmentBytes,
                idle,
                core);
    }

    long archiveId() {
        return MemberLife.archiveId(member, life);
    }

    /** Stream of requests to this member: archives of one driver must not receive each other's. */
    int controlStreamId() {
        return FIRST_CONTROL_STREAM + 2 * member;
    }

    int responseStreamId() {
        return controlStreamId() + 1;
    }

    File markFile() {
        return new File(
                markDir.isEmpty() ? archiveDir : new File(markDir),
                io.aeron.archive.ArchiveMarkFile.FILENAME);
    }
}

package io.tickmark.engines.aeron.archive;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchiveTool;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.MemberProcess;
import java.io.File;
import java.util.EnumSet;
import org.agrona.concurrent.AgentTerminationException;

/** One archive of a store, in a separate process. */
public final class ArchiveMain {
    private final MemberOptions options;
    private final ErrorNotes errors = new ErrorNotes();

    private ArchiveMain(final MemberOptions options) {
        this.options = options;
    }

    /**
     * Runs the member.
     *
     * @param arguments as {@link MemberOptions} writes them
     */
    public static void main(final String[] arguments) {
        MemberProcess.run(new ArchiveMain(MemberOptions.read(arguments))::launch);
    }

    private AutoCloseable launch() {
        return MemberProcess.patiently(
                () -> Archive.launch(context()),
                reason -> verify(options.archiveDir(), options.crc(), reason));
    }

    /**
     * Verifies the recordings of an archive that does not start after a crash.
     *
     * @param directory of the archive
     * @param crc whether its frames carry checksums
     * @param reason why it did not start; thrown where there is nothing to verify
     */
    public static void verify(
            final File directory, final boolean crc, final RuntimeException reason) {
        System.err.println("Verified, because: " + ErrorNotes.sentence(reason));
        try {
            ArchiveTool.verify(
                    System.err,
                    directory,
                    EnumSet.noneOf(ArchiveTool.VerifyOption.class),
                    crc ? Checksums.crc32c().getClass().getName() : null,
                    (File file) -> true);
        } catch (final RuntimeException e) {
            throw reason; // nothing there to verify
        }
    }

    private Archive.Context context() {
        final Archive.Context context =
                new Archive.Context()
                        .aeronDirectoryName(options.aeronDir())
                        .archiveDir(options.archiveDir())
                        .archiveId(options.archiveId())
                        .controlChannelEnabled(false)
                        .archiveClientContext(
                                new AeronArchive.Context()
                                        .controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0"))
                        .localControlStreamId(options.controlStreamId())
                        .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                        .recordingEventsEnabled(false)
                        .threadingMode(ArchiveThreadingMode.SHARED)
                        .fileSyncLevel(options.sync())
                        .catalogFileSyncLevel(options.sync())
                        .segmentFileLength(options.segmentBytes())
                        .lowStorageSpaceThreshold(options.segmentBytes())
                        .idleStrategySupplier(() -> DriverIdle.valueOf(options.idle()).strategy())
                        .threadFactory(MemberProcess.pinnedTo(options.core()))
                        .errorHandler(error -> {
                            errors.onError(error);
                            System.err.println("archive: " + ErrorNotes.sentence(error));
                            if (error instanceof AgentTerminationException) {
                                // The driver has given it up, for example after a pause: a process
                                // that stays alive would
                                // look like a recording member.
                                Runtime.getRuntime().halt(1);
                            }
                        });
        if (!options.markDir().isEmpty()) {
            context.markFileDir(new File(options.markDir()));
        }
        if (options.crc()) {
            context.recordChecksum(Checksums.crc32c()).replayChecksum(Checksums.crc32c());
        }
        return context;
    }
}

package io.tickmark.engines.aeron.archive;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchiveTool;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.tickmark.engines.aeron.DriverIdle;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.kernel.host.Affinity;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;

/**
 * One member of a store, in a process of its own: says on standard output when it can record, ends
 * in good order when it is told so, and at once when whoever started it is gone.
 */
public final class ArchiveMain {
    static final String READY = "ready";
    static final String FAILED = "failed ";
    static final String CLOSE = "close";

    /** A mark file expires after 10 s. */
    private static final long MARK_FILE_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long RETRY_MS = 200;
    private static final String ACTIVE = "active";

    private final MemberOptions options;
    private final ErrorNotes errors = new ErrorNotes();

    private ArchiveMain(final MemberOptions options) {
        this.options = options;
    }

    /**
     * Runs the member.
     *
     * @param arguments as {@link MemberOptions} writes them
     * @throws IOException if standard input breaks
     */
    public static void main(final String[] arguments) throws IOException {
        final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        System.setOut(System.err); // libraries print
        new ArchiveMain(MemberOptions.read(arguments)).run(out);
    }

    private void run(final PrintStream out) throws IOException {
        final Archive archive;
        try {
            archive = launch();
        } catch (final RuntimeException e) {
            out.println(FAILED + ErrorNotes.sentence(e));
            out.flush();
            Runtime.getRuntime().halt(3);
            return;
        }
        out.println(READY);
        out.flush();
        final BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        if (CLOSE.equals(in.readLine())) {
            archive.close();
            Runtime.getRuntime().halt(0);
        }
        Runtime.getRuntime().halt(1); // as a crash would: whoever started it is gone
    }

    /** Waits until the mark file of an earlier life has expired, and verifies after a crash. */
    private Archive launch() {
        final long deadlineNs = SystemNanoClock.INSTANCE.nanoTime() + MARK_FILE_NS;
        boolean isVerified = false;
        while (true) {
            try {
                return Archive.launch(context());
            } catch (final RuntimeException e) {
                final boolean isActive = ErrorNotes.sentence(e).contains(ACTIVE);
                if (!isActive && !isVerified) {
                    isVerified = true;
                    verify(e);
                } else if (!isActive || SystemNanoClock.INSTANCE.nanoTime() - deadlineNs > 0) {
                    throw e;
                }
                pause();
            }
        }
    }

    private void verify(final RuntimeException reason) {
        System.err.println("Verified, because: " + ErrorNotes.sentence(reason));
        try {
            ArchiveTool.verify(
                    System.err,
                    options.archiveDir(),
                    EnumSet.noneOf(ArchiveTool.VerifyOption.class),
                    options.crc() ? Checksums.crc32c().getClass().getName() : null,
                    (File file) -> true);
        } catch (final RuntimeException e) {
            throw reason; // nothing there to verify
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
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
                        .threadFactory(pinning())
                        .errorHandler(error -> {
                            errors.onError(error);
                            System.err.println("archive: " + ErrorNotes.sentence(error));
                        });
        if (!options.markDir().isEmpty()) {
            context.markFileDir(new File(options.markDir()));
        }
        if (options.crc()) {
            context.recordChecksum(Checksums.crc32c()).replayChecksum(Checksums.crc32c());
        }
        return context;
    }

    private ThreadFactory pinning() {
        return work ->
                new Thread(() -> {
                    if (options.core() >= 0) {
                        Affinity.pin(options.core()).ifPresent(System.err::println);
                    }
                    work.run();
                });
    }
}

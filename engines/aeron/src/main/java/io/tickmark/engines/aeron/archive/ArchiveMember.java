package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One archive of a store: its process, and the way to tell it what to record. Any thread, one at a
 * time.
 */
final class ArchiveMember {
    /** A JVM that starts on a loaded machine, and a mark file that must expire. */
    private static final long START_S = 90;

    private static final long CLOSE_S = 10;
    private static final long REQUEST_NS = TimeUnit.SECONDS.toNanos(5);

    /** Aeron's buffers and the archive's checksums need these; they are those of every role. */
    private static final List<String> JVM =
            List.of(
                    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-XX:+UseSerialGC",
                    "-Xmx256m");

    private final MemberOptions options;
    private final MarkFileRule markFile;
    private final Aeron aeron;
    private final Counter life;
    private volatile Process process;
    private volatile AeronArchive client;
    private long lives;

    ArchiveMember(final MemberOptions options, final MarkFileRule markFile, final Aeron aeron) {
        this.options = options;
        this.markFile = markFile;
        this.aeron = aeron;
        life = MemberLife.allocate(aeron, options.member());
    }

    void start() {
        if (markFile == MarkFileRule.REMOVE) {
            options.markFile().delete();
        }
        if (!options.markDir().isEmpty()) {
            new File(options.markDir()).mkdirs();
        }
        TornTails.cut(options.archiveDir().toPath(), options.crc());
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(JVM);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(ArchiveMain.class.getName());
        command.addAll(options.withLife(lives + 1).arguments());
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (final IOException e) {
            throw notStarted(e.getMessage());
        }
        awaitReady();
        try {
            client = connect();
        } catch (final RuntimeException e) {
            kill();
            throw notStarted(ErrorNotes.sentence(e));
        }
        life.setRelease(++lives);
    }

    private void awaitReady() {
        final Process started = process;
        final CompletableFuture<String> said =
                CompletableFuture.supplyAsync(
                        () -> firstLine(started), work -> Thread.ofPlatform().daemon().start(work));
        String line = "";
        try {
            line = said.get(START_S, TimeUnit.SECONDS);
        } catch (final TimeoutException e) {
            line = ArchiveMain.FAILED + "it said nothing for " + START_S + " s";
        } catch (final ExecutionException e) {
            line = ArchiveMain.FAILED + e.getCause().getMessage();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!line.equals(ArchiveMain.READY)) {
            process.destroyForcibly();
            throw notStarted(
                    line.startsWith(ArchiveMain.FAILED)
                            ? line.substring(ArchiveMain.FAILED.length())
                            : "its process ended; the role's log has more");
        }
    }

    private static String firstLine(final Process process) {
        try {
            final String line =
                    new BufferedReader(
                                    new InputStreamReader(
                                            process.getInputStream(), StandardCharsets.UTF_8))
                            .readLine();
            return line == null ? "" : line;
        } catch (final IOException e) {
            return ArchiveMain.FAILED + e.getMessage();
        }
    }

    private UserError notStarted(final String why) {
        return UserError.environment(
                "The archive (member %d) in %s does not start: %s."
                        .formatted(
                                options.member(),
                                options.archiveDir(),
                                why.replaceAll("\\.$", "")));
    }

    private AeronArchive connect() {
        return AeronArchive.connect(
                new AeronArchive.Context()
                        .aeron(aeron)
                        .ownsAeronClient(false)
                        .messageTimeoutNs(REQUEST_NS)
                        .errorHandler(new ErrorNotes())
                        .controlRequestChannel("aeron:ipc")
                        .controlRequestStreamId(options.controlStreamId())
                        .controlResponseChannel("aeron:ipc")
                        .controlResponseStreamId(options.responseStreamId()));
    }

    boolean isUp() {
        return process != null && process.isAlive() && client != null;
    }

    /** Records one publication; what is wrong if it cannot be, else empty. */
    Optional<String> record(final int sessionId, final int streamId) {
        try {
            client.startRecording(
                    "aeron:ipc?session-id=" + sessionId, streamId, SourceLocation.LOCAL, true);
            return Optional.empty();
        } catch (final RuntimeException e) {
            return Optional.of(
                    "Member %d does not record: %s."
                            .formatted(options.member(), ErrorNotes.sentence(e)));
        }
    }

    /** Deletes the segments of a recording below a position; those that cannot be stay. */
    void purge(final long recordingId, final long belowPosition) {
        try {
            client.purgeSegments(recordingId, belowPosition);
        } catch (final RuntimeException e) {
            // It is tried again with the next acknowledgement.
        }
    }

    /** Marks it as gone, so that publications notice before the driver does. */
    private void gone() {
        if (!life.isClosed()) {
            life.setRelease(-lives);
        }
        if (client != null) {
            try {
                client.close();
            } catch (final RuntimeException e) {
                // nobody is there to hear it
            }
            client = null;
        }
    }

    /** Notices a process that ended by itself. */
    boolean hasDied() {
        if (process == null || process.isAlive() || client == null) {
            return false;
        }
        gone();
        return true;
    }

    void kill() {
        if (process != null) {
            process.destroyForcibly();
            await(CLOSE_S);
        }
        gone();
    }

    void close() {
        gone();
        if (process != null && process.isAlive()) {
            try {
                process.getOutputStream()
                        .write((ArchiveMain.CLOSE + "\n").getBytes(StandardCharsets.US_ASCII));
                process.getOutputStream().flush();
            } catch (final IOException e) {
                // it has ended meanwhile
            }
            if (!await(CLOSE_S)) {
                process.destroyForcibly();
                await(CLOSE_S);
            }
        }
    }

    private boolean await(final long seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.exceptions.TimeoutException;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.store.StoreServer;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.IoUtil;

/** One archive of a store: its process, and the requests to it. Any thread, one at a time. */
final class ArchiveMember {
    /** One request holds the store's lock for this long at most; then it is retried later. */
    private static final long REQUEST_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int FIRST_CONNECTS = 15;

    private final MemberOptions options;
    private final MarkFileRule markFile;
    private final Aeron aeron;
    private final Counter life;
    private volatile MemberProcess process;
    private volatile AeronArchive client;
    private final List<StoreServer.Cut> cuts = new ArrayList<>();
    private final ErrorNotes errors = new ErrorNotes();
    private final AtomicLong purgesRefused = new AtomicLong();
    private volatile boolean isKilled;
    private boolean isClientSuspect;
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
        cuts.addAll(TornTails.cut(options.archiveDir().toPath(), options.crc()));
        process =
                MemberProcess.launch(
                        "The archive (member %d) in %s"
                                .formatted(options.member(), options.archiveDir()),
                        ArchiveMain.class,
                        options.withLife(lives + 1).arguments(),
                        StoreFiles.log(options.archiveDir().toPath()));
        process.awaitReady();
        try {
            isClientSuspect = false; // before it is visible as running
            client = connectPatiently();
        } catch (final RuntimeException e) {
            kill();
            throw UserError.environment(
                    "The archive (member %d) in %s does not answer: %s."
                            .formatted(
                                    options.member(), options.archiveDir(), ErrorNotes.sentence(e)),
                    e);
        }
        life.setRelease(++lives);
    }

    private AeronArchive connectPatiently() {
        for (int i = 1; i < FIRST_CONNECTS && process.isAlive(); i++) {
            try {
                return connect();
            } catch (final TimeoutException e) {
                // many processes start on few cores: the request is repeated
            }
        }
        return connect();
    }

    private AeronArchive connect() {
        return AeronArchive.connect(
                new AeronArchive.Context()
                        .aeron(aeron)
                        .ownsAeronClient(false)
                        .messageTimeoutNs(REQUEST_NS)
                        .errorHandler(errors)
                        .controlRequestChannel("aeron:ipc")
                        .controlRequestStreamId(options.controlStreamId())
                        .controlResponseChannel("aeron:ipc")
                        .controlResponseStreamId(options.responseStreamId()));
    }

    boolean isUp() {
        return process != null && process.isAlive() && client != null;
    }

    /**
     * Records one publication; returns the error if it cannot be recorded, otherwise empty. An
     * archive that did not answer in time is called by a new client the next time: it may have
     * given this one up.
     */
    Optional<String> record(final int sessionId, final int streamId) {
        try {
            if (isClientSuspect) {
                final AeronArchive fresh = connect();
                client.close();
                client = fresh;
                isClientSuspect = false;
            }
            client.startRecording(
                    "aeron:ipc?session-id=" + sessionId, streamId, SourceLocation.LOCAL, true);
            return Optional.empty();
        } catch (final RuntimeException e) {
            if (e instanceof final ArchiveException refused
                    && refused.errorCode() == ArchiveException.ACTIVE_SUBSCRIPTION) {
                return Optional.empty(); // its answer arrived too late the first time
            }
            isClientSuspect = true;
            return Optional.of(
                    "Member %d did not start recording when it was asked: %s."
                            .formatted(options.member(), ErrorNotes.sentence(e)));
        }
    }

    /**
     * Deletes the segments of a recording below a position; those that cannot be deleted are kept.
     */
    void purge(final long recordingId, final long belowPosition) {
        try {
            client.purgeSegments(recordingId, belowPosition);
        } catch (final RuntimeException e) {
            purgesRefused.incrementAndGet(); // it is retried with the next acknowledgement
            errors.onError(e);
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
                // there is no receiver
            }
            client = null;
        }
    }

    /** The errors of its client, and how often it did not delete segments as requested. */
    List<String> troubles() {
        final List<String> all = new ArrayList<>();
        // The client of a killed archive reports that, which is expected.
        for (final String error : isKilled ? List.<String>of() : errors.kept()) {
            all.add("Member %d: %s".formatted(options.member(), error));
        }
        if (purgesRefused.get() > 0) {
            all.add(
                    "Member %d did not delete acknowledged segments when it was asked, %d times."
                            .formatted(options.member(), purgesRefused.get()));
        }
        return all;
    }

    /** What was cut off its files at each start. */
    List<StoreServer.Cut> cuts() {
        return cuts;
    }

    /** Detects a process that ended by itself. */
    boolean hasDied() {
        if (process == null || process.isAlive() || client == null) {
            return false;
        }
        gone();
        return true;
    }

    void kill() {
        end();
        gone();
    }

    /** Kills its process, which {@link #kill} or {@link #hasDied} will detect. */
    void end() {
        isKilled = true;
        final MemberProcess ending = process;
        if (ending != null) {
            ending.kill();
        }
    }

    void close() {
        gone();
        if (process != null) {
            process.close();
        }
        if (!options.markDir().isEmpty()) {
            final File markDir = new File(options.markDir());
            if (lives > 0) {
                IoUtil.delete(markDir, true); // the state of an ended run is of no use to the next
            } else {
                markDir.delete(); // a mark file in it does not belong to it: another process may
                // use it
            }
            markDir.getParentFile().delete(); // once the last member's is gone
        }
    }
}

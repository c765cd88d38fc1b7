package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.Counter;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.exceptions.TimeoutException;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.engines.aeron.MemberLog;
import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.engines.aeron.MemberStore;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.StoreServer;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/** Archives as separate processes; the monitoring thread finds what has to be recorded. */
final class ArchiveStore extends MemberStore {
    private static final int PURGE_EVERY = 40;
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MOST_DRAINS = 50;
    private static final int LARGEST_MTU = 65_504;

    private final ArchiveParameters parameters;
    private final List<ArchiveMember> members = new ArrayList<>();
    private Recorder recorder;
    private int looks;

    ArchiveStore(
            final ChannelUri channel, final ArchiveParameters parameters, final Path directory) {
        super(channel, parameters.members(), directory);
        this.parameters = parameters;
    }

    @Override
    public void start() {
        try {
            final Aeron aeron =
                    startDriver(
                            parameters.livenessTimeout(),
                            context ->
                                    context.ipcTermBufferLength(parameters.member().termBytes())
                                            .ipcMtuLength(LARGEST_MTU));
            for (int member = 1; member <= parameters.members(); member++) {
                members.add(
                        new ArchiveMember(
                                MemberOptions.of(member, aeronDir(), data(), parameters),
                                parameters.member().markFile(),
                                aeron));
            }
            members.forEach(ArchiveMember::start);
            recorder = new Recorder(aeron, members, parameters, data());
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
        startLooking("archive-recorder");
    }

    @Override
    protected void look() {
        try {
            members.forEach(ArchiveMember::hasDied);
            recorder.look();
            if (++looks % PURGE_EVERY == 0) {
                recorder.purge();
            }
        } catch (final RuntimeException e) {
            errors().onError(e);
        }
    }

    @Override
    public void kill(final int member) {
        final ArchiveMember killed = members.get(member - 1);
        killed.end(); // at once: a request to another member may hold the lock for long
        synchronized (this) {
            killed.kill();
        }
    }

    @Override
    public void restart(final int member) {
        final ArchiveMember dead = members.get(member - 1);
        synchronized (this) {
            dead.kill();
            recorder.forget(member);
        }
        dead.start();
    }

    @Override
    protected MemberLog log(final int member, final Topic topic, final long fromOrdinal) {
        return RecordedStream.of(
                StoreFiles.member(data(), member),
                StoreFiles.streamId(topic),
                parameters.member().crc(),
                fromOrdinal);
    }

    @Override
    protected long firstKept(final Topic topic, final long fromOrdinal) {
        return parameters.deletion() == Deletion.KEPT
                ? fromOrdinal
                : Math.max(
                        fromOrdinal,
                        AcknowledgedOrdinal.read(
                                        StoreFiles.acknowledged(data(), StoreFiles.streamId(topic)))
                                + 1);
    }

    @Override
    public List<Cut> cuts() {
        return members.stream().flatMap(member -> member.cuts().stream()).toList();
    }

    @Override
    public List<String> ended() {
        return members.stream().flatMap(member -> member.ended()).toList();
    }

    @Override
    public List<String> troubles() {
        final List<String> all = new ArrayList<>(errors().kept());
        if (recorder != null) {
            all.addAll(recorder.troubles());
        }
        members.forEach(member -> all.addAll(member.troubles()));
        return all;
    }

    /**
     * Offered messages are recorded before their publisher is gone: waits until positions stop
     * moving.
     */
    private void drain() {
        long before = -1;
        for (int i = 0; i < MOST_DRAINS && recorder.recordedBytes() != before; i++) {
            before = recorder.recordedBytes();
            LockSupport.parkNanos(DRAIN_NS);
        }
    }

    @Override
    public void close() {
        if (stopLooking()) {
            drain();
        }
        members.forEach(ArchiveMember::close);
        members.clear();
        stopDriver();
    }

    /**
     * Makes every running member record every publication of a topic: publications are found by the
     * driver's counters, so that a publisher need not request it. Also deletes segments whose
     * messages were acknowledged. Any thread, one at a time.
     */
    private static final class Recorder {
        private static final int SESSION_ID_OFFSET = Long.BYTES;
        private static final int STREAM_ID_OFFSET = SESSION_ID_OFFSET + Integer.BYTES;
        private static final int MOST_TROUBLES = 10;

        private final Aeron aeron;
        private final List<ArchiveMember> members;
        private final ArchiveParameters parameters;
        private final Path data;
        private final List<Set<Long>> recorded;
        private final Set<String> troubles = Collections.synchronizedSet(new LinkedHashSet<>());
        private final AtomicLong notKept = new AtomicLong();
        private final Map<Integer, Long> purgedTo = new HashMap<>();
        private final Set<Integer> streams = new HashSet<>();
        private final Set<Integer> refused = new HashSet<>();

        Recorder(
                final Aeron aeron,
                final List<ArchiveMember> members,
                final ArchiveParameters parameters,
                final Path data) {
            this.aeron = aeron;
            this.members = members;
            this.parameters = parameters;
            this.data = data;
            recorded = members.stream().<Set<Long>>map(member -> new HashSet<>()).toList();
        }

        /**
         * Looks for publications that are not recorded yet; a member that refuses one is skipped
         * for now.
         */
        void look() {
            refused.clear();
            aeron.countersReader()
                    .forEach((counterId, typeId, key, label) -> {
                        if (typeId == AeronCounters.DRIVER_PUBLISHER_LIMIT_TYPE_ID
                                && StoreFiles.isOfTopic(key.getInt(STREAM_ID_OFFSET))) {
                            record(
                                    key.getLong(0),
                                    key.getInt(SESSION_ID_OFFSET),
                                    key.getInt(STREAM_ID_OFFSET));
                        }
                    });
        }

        private void record(final long registrationId, final int sessionId, final int streamId) {
            streams.add(streamId);
            for (int i = 0; i < members.size(); i++) {
                if (members.get(i).isUp()
                        && !refused.contains(i)
                        && !recorded.get(i).contains(registrationId)) {
                    final Optional<String> trouble = members.get(i).record(sessionId, streamId);
                    if (trouble.isEmpty()) {
                        recorded.get(i).add(registrationId);
                    } else {
                        complain(trouble.get()); // and is retried while the publication exists
                        refused.add(i);
                    }
                }
            }
        }

        private void complain(final String sentence) {
            if (troubles.size() < MOST_TROUBLES) {
                troubles.add(sentence);
            } else if (!troubles.contains(sentence)) {
                notKept.incrementAndGet();
            }
        }

        /**
         * Forgets what a member recorded before it died. A store with one member does not continue
         * a publication in its middle: the messages in between would be missing, and no other
         * member has them.
         */
        void forget(final int member) {
            if (members.size() > 1) {
                recorded.get(member - 1).clear();
            }
        }

        /** Deletes segments below what the receivers have acknowledged. */
        void purge() {
            if (parameters.deletion() == Deletion.KEPT) {
                return;
            }
            for (final int streamId : streams) {
                final long acknowledged =
                        AcknowledgedOrdinal.read(StoreFiles.acknowledged(data, streamId));
                if (acknowledged > purgedTo.getOrDefault(streamId, -1L)) {
                    purgedTo.put(streamId, acknowledged);
                    for (int member = 1; member <= members.size(); member++) {
                        if (members.get(member - 1).isUp()) {
                            purge(member, streamId, acknowledged);
                        }
                    }
                }
            }
        }

        private void purge(final int member, final int streamId, final long acknowledged) {
            for (final ArchiveRecording recording :
                    ArchiveRecording.of(
                            StoreFiles.member(data, member), streamId, parameters.member().crc())) {
                long keepFrom = recording.segments().firstKey();
                for (final long position : recording.segments().keySet()) {
                    final OptionalLong first = recording.firstOrdinal(position);
                    if (first.isPresent() && first.getAsLong() <= acknowledged + 1) {
                        keepFrom = position;
                    }
                }
                if (keepFrom > recording.segments().firstKey()) {
                    members.get(member - 1).purge(recording.id(), keepFrom);
                }
            }
        }

        /** The errors of members, the first distinct ones. Any thread. */
        List<String> troubles() {
            final List<String> all = new ArrayList<>(troubles);
            if (notKept.get() > 0) {
                all.add(
                        "A member did not start recording when it was asked, %s."
                                .formatted(Plural.of(notKept.get(), "more time")));
            }
            return all;
        }

        /** Bytes recorded by all members together, to detect whether they still advance. */
        long recordedBytes() {
            final long[] sum = {0};
            aeron.countersReader()
                    .forEach((counterId, typeId, key, label) -> {
                        if (typeId == RecordingPos.RECORDING_POSITION_TYPE_ID) {
                            sum[0] += aeron.countersReader().getCounterValue(counterId);
                        }
                    });
            return sum[0];
        }
    }

    /** One archive of a store: its process, and the requests to it. Any thread, one at a time. */
    private static final class ArchiveMember {
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
        private volatile String ownEnd = "";
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
                                        options.member(),
                                        options.archiveDir(),
                                        ErrorNotes.sentence(e)),
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
         * Deletes the segments of a recording below a position; those that cannot be deleted are
         * kept.
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
                        "Member %d did not delete acknowledged segments when it was asked, %s."
                                .formatted(
                                        options.member(), Plural.of(purgesRefused.get(), "time")));
            }
            return all;
        }

        /** How its process ended by itself the last time; empty where it never did. */
        Stream<String> ended() {
            return Stream.of(ownEnd).filter(end -> !end.isEmpty());
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
            process.ended("Archive member " + options.member()).ifPresent(how -> ownEnd = how);
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
                    IoUtil.delete(
                            markDir, true); // the state of an ended run is of no use to the next
                } else {
                    markDir.delete(); // a mark file in it does not belong to it: another process
                    // may
                    // use it
                }
                markDir.getParentFile().delete(); // once the last member's is gone
            }
        }
    }
}

package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.status.RecordingPos;
import io.tickmark.engines.aeron.MemberLog;
import io.tickmark.engines.aeron.MemberStore;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
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
import java.util.concurrent.locks.LockSupport;

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
                                    context.ipcTermBufferLength(parameters.termBytes())
                                            .ipcMtuLength(LARGEST_MTU));
            for (int member = 1; member <= parameters.members(); member++) {
                members.add(
                        new ArchiveMember(
                                MemberOptions.of(member, aeronDir(), data(), parameters),
                                parameters.markFile(),
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
                parameters.crc(),
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
                            StoreFiles.member(data, member), streamId, parameters.crc())) {
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
            return List.copyOf(troubles);
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
}

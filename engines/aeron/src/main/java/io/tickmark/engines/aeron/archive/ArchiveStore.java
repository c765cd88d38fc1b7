package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.tickmark.engines.aeron.MemberLog;
import io.tickmark.engines.aeron.MemberStore;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Archives as processes of their own; the thread that looks finds what is to be recorded. */
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

    /** What was offered is recorded before its publisher is gone: waits until nothing moves. */
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
}

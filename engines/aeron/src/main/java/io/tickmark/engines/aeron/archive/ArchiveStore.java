package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tickmark.engines.aeron.DriverDirectory;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.StoreServer;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Archives as processes of their own on one driver, which lives here: a member that dies takes no
 * publication with it. The control thread calls; a thread of its own looks for what is to be
 * recorded.
 */
final class ArchiveStore implements StoreServer {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int PURGE_EVERY = 40;
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MOST_DRAINS = 50;
    private static final int LARGEST_MTU = 65_504;

    private final ChannelUri channel;
    private final ArchiveParameters parameters;
    private final Path data;
    private final ErrorNotes errors = new ErrorNotes();
    private final List<ArchiveMember> members = new ArrayList<>();
    private File aeronDir;
    private MediaDriver driver;
    private Aeron aeron;
    private Recorder recorder;
    private Thread looking;
    private volatile boolean isClosing;

    ArchiveStore(
            final ChannelUri channel, final ArchiveParameters parameters, final Path directory) {
        this.channel = channel;
        this.parameters = parameters;
        data = directory.toAbsolutePath();
    }

    @Override
    public void start() {
        isClosing = false;
        aeronDir = DriverDirectory.unique();
        try {
            startDriver();
            for (int member = 1; member <= parameters.members(); member++) {
                members.add(
                        new ArchiveMember(
                                MemberOptions.of(member, aeronDir, data, parameters),
                                parameters.markFile(),
                                aeron));
            }
            members.forEach(ArchiveMember::start);
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
        recorder = new Recorder(aeron, members, parameters, data);
        looking = Thread.ofPlatform().daemon().name("archive-recorder").start(this::look);
    }

    private void startDriver() {
        final long livenessNs = parameters.livenessTimeout().toNanos();
        try {
            driver =
                    MediaDriver.launch(
                            new MediaDriver.Context()
                                    .aeronDirectoryName(aeronDir.getPath())
                                    .dirDeleteOnStart(true)
                                    .dirDeleteOnShutdown(true)
                                    .threadingMode(ThreadingMode.SHARED)
                                    .sharedIdleStrategy(new BackoffIdleStrategy())
                                    .ipcTermBufferLength(parameters.termBytes())
                                    .ipcMtuLength(LARGEST_MTU)
                                    .clientLivenessTimeoutNs(livenessNs)
                                    .publicationUnblockTimeoutNs(2 * livenessNs)
                                    .errorHandler(errors));
            aeron =
                    Aeron.connect(
                            new Aeron.Context()
                                    .aeronDirectoryName(aeronDir.getPath())
                                    .errorHandler(errors));
        } catch (final RuntimeException e) {
            throw UserError.environment(
                    "--channel %s: no Aeron driver can be started in %s (%s); see that it can be written and has room."
                            .formatted(channel, aeronDir, ErrorNotes.sentence(e)),
                    e);
        }
    }

    private void look() {
        int looks = 0;
        while (!isClosing) {
            synchronized (this) {
                if (!isClosing) {
                    try {
                        members.forEach(ArchiveMember::hasDied);
                        recorder.look();
                        if (++looks % PURGE_EVERY == 0) {
                            recorder.purge();
                        }
                    } catch (final RuntimeException e) {
                        errors.onError(e);
                    }
                }
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    @Override
    public ChannelUri endpoint() {
        return new ChannelUri(
                channel.scheme(),
                "",
                channel.with("aeronDir", aeronDir.getPath())
                        .with("data", data.toString())
                        .parameters(),
                true);
    }

    @Override
    public int members() {
        return parameters.members();
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
    public Verification verify(final Topic topic) {
        long messages = 0;
        long torn = 0;
        long corrupted = 0;
        for (int member = 1; member <= parameters.members(); member++) {
            final RecordedStream stream = stream(member, topic, 0);
            long found = 0;
            while (stream.advance()) {
                found++;
            }
            messages = Math.max(messages, found);
            torn += stream.tornBytes();
            corrupted += stream.corrupted();
        }
        return new Verification(messages, torn, corrupted);
    }

    @Override
    public List<Long> onMembers(final Topic topic) {
        final List<Long> counts = new ArrayList<>();
        for (int member = 1; member <= parameters.members(); member++) {
            final RecordedStream stream = stream(member, topic, 0);
            long found = 0;
            while (stream.advance()) {
                found++;
            }
            counts.add(found);
        }
        return counts;
    }

    private RecordedStream stream(final int member, final Topic topic, final long fromOrdinal) {
        return RecordedStream.of(
                StoreFiles.member(data, member),
                StoreFiles.streamId(topic),
                parameters.crc(),
                fromOrdinal);
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        final long from =
                parameters.deletion() == Deletion.KEPT
                        ? fromOrdinal
                        : Math.max(
                                fromOrdinal,
                                AcknowledgedOrdinal.read(
                                                StoreFiles.acknowledged(
                                                        data, StoreFiles.streamId(topic)))
                                        + 1);
        final List<RecordedStream> streams = new ArrayList<>();
        for (int member = 1; member <= parameters.members(); member++) {
            final RecordedStream stream = stream(member, topic, from);
            if (stream.advance()) {
                streams.add(stream);
            }
        }
        long count = 0;
        while (!streams.isEmpty()) {
            RecordedStream lowest = streams.getFirst();
            for (final RecordedStream stream : streams) {
                lowest = stream.ordinal() < lowest.ordinal() ? stream : lowest;
            }
            final long ordinal = lowest.ordinal();
            handler.onMessage(lowest.buffer(), lowest.messageOffset(), lowest.messageLength());
            count++;
            streams.removeIf(stream -> stream.ordinal() == ordinal && !stream.advance());
        }
        return count;
    }

    @Override
    public List<Cut> cuts() {
        return members.stream().flatMap(member -> member.cuts().stream()).toList();
    }

    @Override
    public List<String> troubles() {
        final List<String> all = new ArrayList<>(errors.kept());
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
        isClosing = true;
        if (looking != null) {
            try {
                looking.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            looking = null;
            drain();
        }
        members.forEach(ArchiveMember::close);
        members.clear();
        if (aeron != null) {
            aeron.close();
            aeron = null;
        }
        if (driver != null) {
            driver.close();
            driver = null;
        }
    }
}

package io.tickmark.engines.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * A store whose members are separate processes, with a driver in this one: a dying member does not
 * affect clients. Called by the control thread; a separate thread monitors the members, holding the
 * store's lock.
 */
public abstract class MemberStore implements StoreServer {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ChannelUri channel;
    private final Path data;
    private final int members;
    private final ErrorNotes errors = new ErrorNotes();
    private File aeronDir;
    private MediaDriver driver;
    private Aeron aeron;
    private Thread looking;
    private volatile boolean isClosing;

    /**
     * Not started.
     *
     * @param channel that it serves
     * @param members how many keep each message
     * @param directory for their files
     */
    protected MemberStore(final ChannelUri channel, final int members, final Path directory) {
        this.channel = channel;
        this.members = members;
        data = directory.toAbsolutePath();
    }

    /**
     * Starts the driver that clients use.
     *
     * @param liveness how long a client may be silent
     * @param further settings
     * @return a client of it, closed with the store
     */
    protected final Aeron startDriver(
            final Duration liveness, final UnaryOperator<MediaDriver.Context> further) {
        isClosing = false;
        aeronDir = DriverDirectory.unique();
        final MediaDriver.Context context =
                new MediaDriver.Context()
                        .aeronDirectoryName(aeronDir.getPath())
                        .dirDeleteOnStart(true)
                        .dirDeleteOnShutdown(true)
                        .threadingMode(ThreadingMode.SHARED)
                        .sharedIdleStrategy(new BackoffIdleStrategy())
                        .clientLivenessTimeoutNs(liveness.toNanos())
                        // a dead member is detected by its process, not by silence
                        .publicationConnectionTimeoutNs(liveness.toNanos())
                        .publicationUnblockTimeoutNs(2 * liveness.toNanos())
                        .errorHandler(errors);
        try {
            driver = MediaDriver.launch(further.apply(context));
            aeron =
                    Aeron.connect(
                            new Aeron.Context()
                                    .aeronDirectoryName(aeronDir.getPath())
                                    .errorHandler(errors));
            return aeron;
        } catch (final RuntimeException e) {
            throw UserError.environment(
                    "--channel %s: no Aeron driver can be started in %s (%s); see that it is writable and has room."
                            .formatted(channel, aeronDir, ErrorNotes.sentence(e)),
                    e);
        }
    }

    /**
     * Starts monitoring the members.
     *
     * @param thread name of the thread
     */
    protected final void startLooking(final String thread) {
        looking =
                Thread.ofPlatform()
                        .daemon()
                        .name(thread)
                        .start(() -> {
                            while (!isClosing) {
                                synchronized (this) {
                                    if (!isClosing) {
                                        look();
                                    }
                                }
                                LockSupport.parkNanos(LOOK_NS);
                            }
                        });
    }

    /** Checks for members that died by themselves, and does other periodic work. */
    protected abstract void look();

    /**
     * Stops monitoring.
     *
     * @return whether it was running
     */
    protected final boolean stopLooking() {
        isClosing = true;
        if (looking == null) {
            return false;
        }
        try {
            looking.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        looking = null;
        return true;
    }

    /** Closes the driver, after its clients. */
    protected final void stopDriver() {
        CloseHelper.quietCloseAll(aeron, driver);
        aeron = null;
        driver = null;
    }

    /**
     * The channel.
     *
     * @return as the user wrote it
     */
    protected final ChannelUri channel() {
        return channel;
    }

    /**
     * Folder of all members' files.
     *
     * @return an absolute path
     */
    protected final Path data() {
        return data;
    }

    /**
     * Where the driver has its files.
     *
     * @return after it was started
     */
    protected final File aeronDir() {
        return aeronDir;
    }

    /**
     * The errors of driver and client.
     *
     * @return to which more can be added
     */
    protected final ErrorNotes errors() {
        return errors;
    }

    /**
     * The messages of a topic that a member has.
     *
     * @param member from 1
     * @param topic of the messages
     * @param fromOrdinal first message to read
     * @return positioned before its first message
     */
    protected abstract MemberLog log(int member, Topic topic, long fromOrdinal);

    /**
     * The first message that has to exist.
     *
     * @param topic of the messages
     * @param fromOrdinal requested
     * @return the same where nothing is deleted
     */
    protected long firstKept(final Topic topic, final long fromOrdinal) {
        return fromOrdinal;
    }

    @Override
    public final ChannelUri endpoint() {
        return new ChannelUri(
                channel.scheme(),
                "",
                channel.with("aeronDir", aeronDir.getPath())
                        .with("data", data.toString())
                        .parameters(),
                true);
    }

    @Override
    public final int members() {
        return members;
    }

    @Override
    public final Verification verify(final Topic topic) {
        long messages = 0;
        long torn = 0;
        long corrupted = 0;
        for (int member = 1; member <= members; member++) {
            final MemberLog log = log(member, topic, 0);
            messages = Math.max(messages, count(log));
            torn += log.tornBytes();
            corrupted += log.corrupted();
        }
        return new Verification(messages, torn, corrupted);
    }

    @Override
    public final List<Long> onMembers(final Topic topic) {
        final List<Long> counts = new ArrayList<>();
        for (int member = 1; member <= members; member++) {
            counts.add(count(log(member, topic, 0)));
        }
        return counts;
    }

    private static long count(final MemberLog log) {
        long found = 0;
        while (log.advance()) {
            found++;
        }
        return found;
    }

    /**
     * Messages of any member count. Where the files of one cannot be read, those of the others are,
     * and it throws in the end: what they do not have may be there.
     */
    @Override
    public final long readBack(
            final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        final long from = firstKept(topic, fromOrdinal);
        final List<MemberLog> logs = new ArrayList<>();
        UncheckedIOException unreadable = null;
        for (int member = 1; member <= members; member++) {
            try {
                final MemberLog log = log(member, topic, from);
                if (log.advance()) {
                    logs.add(log);
                }
            } catch (final UncheckedIOException e) {
                unreadable = e;
            }
        }
        long count = 0;
        while (!logs.isEmpty()) {
            MemberLog lowest = logs.getFirst();
            for (final MemberLog log : logs) {
                lowest = log.ordinal() < lowest.ordinal() ? log : lowest;
            }
            final long ordinal = lowest.ordinal();
            handler.onMessage(lowest.buffer(), lowest.messageOffset(), lowest.messageLength());
            count++;
            logs.removeIf(log -> log.ordinal() == ordinal && !log.advance());
        }
        if (unreadable != null) {
            throw unreadable;
        }
        return count;
    }
}

package io.tickmark.transport.store;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/** A store in this process over one directory. */
final class FileStore implements StoreServer {
    private static final Map<String, FileStore> RUNNING = new ConcurrentHashMap<>();
    private static final AtomicLong STARTED = new AtomicLong();

    private final Path directory;
    private final ChannelUri channel;
    private final FileStoreParameters parameters;
    private final Map<String, FileLog> logs = new ConcurrentHashMap<>();
    private final Set<String> read = ConcurrentHashMap.newKeySet();
    private String name = "";
    private volatile int life;

    FileStore(
            final ChannelUri channel, final Path directory, final FileStoreParameters parameters) {
        this.channel = channel;
        this.directory = directory;
        this.parameters = parameters;
    }

    static FileStore running(final ChannelUri channel) {
        final FileStore found = RUNNING.get(channel.authority());
        if (found == null) {
            throw UserError.environment(
                    "--channel " + channel + ": no store runs there; start it first.");
        }
        return found;
    }

    /** The log of a topic while the store runs. */
    Optional<FileLog> log(final Topic topic) {
        return RUNNING.get(name) == this
                ? Optional.of(
                        logs.computeIfAbsent(
                                topic.name(), key -> new FileLog(directory, key, parameters)))
                : Optional.empty();
    }

    FileStoreParameters parameters() {
        return parameters;
    }

    /** A topic has one reader where that may be disturbed. */
    void enter(final Topic topic) {
        if (!read.add(topic.name()) && parameters.disturbedAfter() >= 0) {
            throw UserError.environment(
                    "--channel " + endpoint() + ": the topic has another reader; end that one.");
        }
    }

    void leave(final Topic topic) {
        read.remove(topic.name());
    }

    /** A store whose disk is gone can neither start nor shut down in an orderly way. */
    private void requireDirectory() {
        if (!Files.isDirectory(directory)) {
            throw UserError.environment("the folder " + directory + " does not exist; restore it.");
        }
    }

    @Override
    public void start() {
        requireDirectory();
        if (name.isEmpty()) {
            name = "store-" + STARTED.incrementAndGet();
        }
        life++;
        RUNNING.put(name, this);
    }

    /** How often it was started. */
    int life() {
        return life;
    }

    @Override
    public ChannelUri endpoint() {
        return channel.withAuthority(name);
    }

    @Override
    public int members() {
        return 1;
    }

    @Override
    public void restart(final int member) {
        start();
    }

    @Override
    public Verification verify(final Topic topic) {
        long messages = 0;
        long torn = 0;
        long corrupted = 0;
        try {
            for (final LogSegment segment : LogSegment.all(directory, topic.name())) {
                messages += segment.messages().size() - segment.corrupted();
                torn += segment.tornBytes();
                corrupted += segment.corrupted();
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Verification(messages, torn, corrupted);
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        if (log(topic).isEmpty()) {
            throw UserError.environment(
                    "the store in " + directory + " is not running; start it first.");
        }
        final FileLog log = new FileLog(directory, topic.name(), parameters);
        final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        long count = 0;
        Optional<Map.Entry<Long, byte[]>> next = log.from(fromOrdinal);
        while (next.isPresent()) {
            buffer.wrap(next.get().getValue());
            handler.onMessage(buffer, 0, buffer.capacity());
            count++;
            next = log.from(next.get().getKey() + 1);
        }
        return count;
    }

    @Override
    public void kill(final int member) {
        RUNNING.remove(name, this);
        logs.clear();
    }

    @Override
    public void close() {
        try {
            requireDirectory();
            logs.values().forEach(FileLog::sync);
        } finally {
            kill(1);
        }
    }
}

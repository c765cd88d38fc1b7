package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.SendThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * An initialized driver: one for all ends of a process that have the same configuration, jars and
 * prefix of topic names, as the framework has one for each of its workers. It is closed with the
 * last of these ends. The driver is called on separate threads, so that a call that hangs blocks no
 * caller for ever. Any thread.
 */
final class SharedDriver implements AutoCloseable {
    private static final Map<Key, SharedDriver> RUNNING = new HashMap<>();
    private static final long CLOSE_TIMEOUT_NS = 10_000_000_000L;

    /** Where one wait for the driver has timed out, others will too, and there may be thousands. */
    private static final long SHORT_TIMEOUT_NS = 500_000_000;

    private static final int WORD_LENGTH = 8;

    /** Stands for the driver's own prefix at the beginning of a channel's. */
    private static final String OWN = "*";

    /** How clients word it that a topic exists: another process, or an earlier run, created it. */
    private static final String EXISTS =
            "(?is).*(already[ _-]?exist|existsexception|already in use).*";

    private final DriverFile file;
    private final DriverApi api;
    private final EngineErrors deadThreads =
            new EngineErrors(
                    "A thread of the driver ended with an error (%s), and its work is no longer done; see what the"
                            + " driver logged.",
                    "%d threads of the driver ended with an error, the first: %s; see what the driver logged.");
    private final ThreadGroup threads = new DriverThreads();
    private final Path configuration;
    private final Object driver;
    private final Key key;
    private final String topicPrefix;
    private int users;
    private SendThread sendThread;
    private volatile boolean hasTimedOut;
    private volatile boolean isClosing;

    /** What ends must have in common to share a driver. */
    private record Key(Path file, List<Path> jars, String prefix) {}

    /**
     * A thread inherits the group of the thread that starts it, so errors of all of them come here.
     */
    private final class DriverThreads extends ThreadGroup {
        DriverThreads() {
            super("omb");
        }

        @Override
        public void uncaughtException(final Thread thread, final Throwable error) {
            if (!isClosing) {
                deadThreads.add(thread.getName() + ", " + DriverText.of(error));
            }
        }
    }

    private SharedDriver(final BrokerChannel<OmbParameters> channel, final Key wanted) {
        file = DriverFile.read(channel, wanted.file());
        api = DriverApi.load(channel, wanted.jars(), file.driverClass());
        try {
            configuration = file.forDriver(channel);
            driver = call(channel, "be created", api::newDriver);
            call(
                    channel,
                    "initialize",
                    () -> {
                        api.initialize(driver, configuration.toFile());
                        return null;
                    });
            if (wanted.prefix().isEmpty()) {
                final String own = ownPrefix(channel);
                final String suffix = "-" + uniqueWord();
                topicPrefix = own + suffix;
                // The channel is shown in results, so a user in the driver's prefix stays out of
                // it.
                final String shown = (DriverText.namesUser(own) ? OWN : own) + suffix;
                key = new Key(wanted.file(), wanted.jars(), shown);
            } else {
                topicPrefix =
                        wanted.prefix().startsWith(OWN)
                                ? ownPrefix(channel) + wanted.prefix().substring(OWN.length())
                                : wanted.prefix();
                key = wanted;
            }
        } catch (final RuntimeException e) {
            end();
            throw e;
        }
    }

    /**
     * A driver's own prefix may be more than a word: a tenant, a name space of the run, an address.
     */
    private String ownPrefix(final BrokerChannel<OmbParameters> channel) {
        final String own =
                call(channel, "give its prefix of topic names", () -> api.topicNamePrefix(driver));
        return own == null ? "tickmark" : own;
    }

    /** A word that is different in each call. */
    static String uniqueWord() {
        return UUID.randomUUID().toString().substring(0, WORD_LENGTH);
    }

    /**
     * The driver of a channel, which is started where none is running in this process.
     *
     * @param channel for errors and parameters
     * @param path of the configuration
     * @param jars folders with jars, or single jars
     * @param prefix of topic names; empty to choose one
     * @return to be closed once
     */
    static SharedDriver of(
            final BrokerChannel<OmbParameters> channel,
            final Path path,
            final List<Path> jars,
            final String prefix) {
        final Key wanted = new Key(path, jars, prefix);
        synchronized (RUNNING) {
            final SharedDriver running = RUNNING.get(wanted);
            final SharedDriver found =
                    running == null ? new SharedDriver(channel, wanted) : running;
            RUNNING.put(found.key, found);
            found.users++;
            return found;
        }
    }

    /** The same for a further end, which closes it as well. */
    SharedDriver shared() {
        synchronized (RUNNING) {
            users++;
            return this;
        }
    }

    /** The prefix as it stands in the channels of its ends. */
    String prefix() {
        return key.prefix();
    }

    /** What topic names begin with; it may hold a user's name, so it is not shown. */
    String topicPrefix() {
        return topicPrefix;
    }

    /**
     * Creates a topic; an existing one is used as it is, which not every driver says.
     *
     * @return false where the driver says that it exists
     */
    boolean createTopic(
            final BrokerChannel<OmbParameters> channel, final String topic, final int partitions) {
        return call(
                channel,
                "create topic " + topic,
                () -> {
                    try {
                        api.createTopic(driver, topic, partitions);
                        return true;
                    } catch (final Exception e) {
                        if (!saysThatItExists(e)) {
                            throw e;
                        }
                        return false;
                    }
                });
    }

    private static boolean saysThatItExists(final Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (DriverText.of(each).matches(EXISTS)) {
                return true;
            }
        }
        return false;
    }

    Object createProducer(final BrokerChannel<OmbParameters> channel, final String topic) {
        return call(
                channel,
                "create a producer of topic " + topic,
                () -> api.createProducer(driver, topic));
    }

    Object createConsumer(
            final BrokerChannel<OmbParameters> channel,
            final String topic,
            final String subscription,
            final Consumer<byte[]> arrived) {
        return call(
                channel,
                "create a consumer of topic " + topic,
                () -> api.createConsumer(driver, topic, subscription, arrived));
    }

    /** Sends on the caller's thread, which finds the driver's classes meanwhile. */
    CompletionStage<?> send(
            final Object producer, final Optional<String> messageKey, final byte[] payload)
            throws Throwable {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(api.loader());
        try {
            return api.send(producer, messageKey, payload);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The thread that sends for all publications with {@code sendThread}. */
    synchronized SendThread sendThread() {
        if (sendThread == null) {
            sendThread = new SendThread(task -> thread("omb-send", task));
        }
        return sendThread;
    }

    /** A thread that may call the driver; not started yet. */
    private Thread thread(final String name, final Runnable task) {
        final Thread thread = new Thread(threads, task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(api.loader());
        return thread;
    }

    /** A step of opening, within the channel's {@code openTimeout}. */
    private <T> T call(
            final BrokerChannel<OmbParameters> channel, final String what, final Callable<T> step) {
        final Duration timeout = channel.parameters().openTimeout();
        final String shown = DriverText.withoutUsers(what);
        final FutureTask<T> task = new FutureTask<>(step);
        thread("omb-call", task).start();
        try {
            return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (final ExecutionException e) {
            throw channel.failed(
                    "the driver %s could not %s (%s); see %s, and that its servers run"
                            .formatted(
                                    file.driverClass(),
                                    shown,
                                    DriverText.of(e.getCause()),
                                    file.path()),
                    e.getCause());
        } catch (final TimeoutException e) {
            hasTimedOut = true;
            task.cancel(true);
            throw channel.failed(
                    ("the driver %s did not %s within %s; see that its servers run and what it logged, or give it"
                                    + " more time as ?openTimeout")
                            .formatted(file.driverClass(), shown, Durations.format(timeout)),
                    e);
        } catch (final InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw channel.failed(
                    "waiting for the driver %s to %s was interrupted"
                            .formatted(file.driverClass(), shown),
                    e);
        }
    }

    /** Errors that ended threads of the driver. */
    Optional<String> threadErrors() {
        return deadThreads.sentence();
    }

    /** Facts of an end, whose parameters may differ from those of the others. */
    Map<String, Object> facts(final OmbParameters parameters) {
        return new TreeMap<>(
                Map.of(
                        "driverClass", file.driverClass(),
                        "configuration", file.path().toString(),
                        "resetTurnedOff", file.isChanged(),
                        "clientThreads", parameters.clientThreads(),
                        "driverThreadsFailed", deadThreads.count()));
    }

    /**
     * How long to wait for the driver when an end is closed.
     *
     * @param usualNs as long as no wait has timed out
     * @return in ns
     */
    long timeoutNs(final long usualNs) {
        return hasTimedOut ? Math.min(usualNs, SHORT_TIMEOUT_NS) : usualNs;
    }

    /** A wait for the driver has timed out. */
    void timedOut() {
        hasTimedOut = true;
    }

    /**
     * Closes what the driver created, all at once. What takes too long is interrupted and left
     * behind; errors are ignored, because everything has been measured.
     */
    void closeAll(final List<?> closeables) {
        final List<Thread> closing =
                closeables.stream()
                        .map(each -> thread("omb-close", () -> closeQuietly((AutoCloseable) each)))
                        .toList();
        closing.forEach(Thread::start);
        final boolean wasInterrupted = Thread.interrupted(); // or there would be no wait
        Flight.awaitUntil(
                timeoutNs(CLOSE_TIMEOUT_NS), () -> closing.stream().noneMatch(Thread::isAlive));
        if (closing.stream().anyMatch(Thread::isAlive)) {
            hasTimedOut = true;
            closing.forEach(Thread::interrupt);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(final AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (final Throwable e) {
            // it is not used any more
        }
    }

    /** To be called once by each end. */
    @Override
    public void close() {
        synchronized (RUNNING) {
            if (--users > 0) {
                return;
            }
            RUNNING.remove(key);
        }
        end(); // outside the lock, as it may take seconds, in which others can open
    }

    private void end() {
        isClosing = true;
        synchronized (this) {
            if (sendThread != null) {
                sendThread.stop();
            }
        }
        if (driver != null) {
            closeAll(List.of(driver));
        }
        if (configuration != null && file.isChanged()) {
            try {
                Files.deleteIfExists(configuration);
            } catch (final IOException e) {
                // a temporary file, which the system deletes some day
            }
        }
        if (!hasTimedOut) {
            api.close(); // a call that hangs in the driver may need further classes
        }
    }
}

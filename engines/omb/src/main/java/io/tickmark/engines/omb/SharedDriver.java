package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A driver that is initialized: one for all ends of a process that have the same configuration,
 * jars and names of topics, as the framework has one for each of its workers. Closed with the last
 * of them. The driver is called on threads of its own, which it cannot hold up for ever. Any
 * thread.
 */
final class SharedDriver implements AutoCloseable {
    private static final Map<Key, SharedDriver> RUNNING = new HashMap<>();
    private static final long CLOSE_PATIENCE_NS = 10_000_000_000L;

    /**
     * A driver that let one end wait in vain lets the others wait too, and there may be thousands.
     */
    private static final long SHORT_PATIENCE_NS = 500_000_000;

    private static final int WORD_LENGTH = 8;

    /** Stands for the driver's own prefix where a channel's begins with it. */
    private static final String OWN = "*";

    /** What clients say where a topic was made before, by somebody else or before a restart. */
    private static final String EXISTS =
            "(?is).*(already[ _-]?exist|existsexception|already in use).*";

    private final DriverFile file;
    private final DriverApi api;
    private final Object driver;
    private final Path handedOver;
    private final EngineErrors deaths =
            new EngineErrors(
                    "A thread of the driver ended with an error (%s), and what it did is no longer done; see what the"
                            + " driver logged.",
                    "%d threads of the driver ended with an error, the first: %s; see what the driver logged.");
    private final ThreadGroup threads = new DriverThreads();
    private Key key;
    private String namesBegin = "";
    private int users = 1;
    private SendThread sendThread;
    private volatile boolean isStuck;
    private volatile boolean isSlow;
    private volatile boolean isClosing;

    /** What ends must have in common to share a driver. */
    private record Key(Path file, List<Path> jars, String prefix) {}

    /** Threads that are begun on threads of a group are of that group, so errors come here. */
    private final class DriverThreads extends ThreadGroup {
        DriverThreads() {
            super("omb");
        }

        @Override
        public void uncaughtException(final Thread thread, final Throwable error) {
            if (!isClosing) {
                deaths.add(thread.getName() + ", " + DriverApi.words(error));
            }
        }
    }

    private SharedDriver(
            final BrokerChannel<OmbParameters> channel, final Path path, final List<Path> places) {
        file = DriverFile.read(channel, path);
        api = DriverApi.load(channel, DriverApi.jars(channel, places), file.driverClass());
        try {
            driver = call(channel, "be made", api::newDriver);
        } catch (final RuntimeException e) {
            api.close();
            throw e;
        }
        try {
            handedOver = file.handedOver(channel);
        } catch (final RuntimeException e) {
            closeAll(List.of(driver));
            api.close();
            throw e;
        }
        try {
            call(
                    channel,
                    "initialize",
                    () -> {
                        api.initialize(driver, handedOver.toFile());
                        return "";
                    });
        } catch (final RuntimeException e) {
            end();
            throw e;
        }
    }

    /**
     * The driver of a channel, which begins where none runs yet in this process.
     *
     * @param channel for errors and parameters
     * @param path of the configuration
     * @param places of the jars
     * @param prefix of the names of topics; empty to choose one
     * @return to be closed once
     */
    static SharedDriver of(
            final BrokerChannel<OmbParameters> channel,
            final Path path,
            final List<Path> places,
            final String prefix) {
        synchronized (RUNNING) {
            final SharedDriver running = RUNNING.get(new Key(path, places, prefix));
            if (running != null) {
                running.users++;
                return running;
            }
            final SharedDriver begun = new SharedDriver(channel, path, places);
            try {
                begun.key = new Key(path, places, begun.chosenPrefix(channel, prefix));
            } catch (final RuntimeException e) {
                begun.end();
                throw e;
            }
            RUNNING.put(begun.key, begun);
            return begun;
        }
    }

    /**
     * Chooses what topics are called. Drivers' own prefixes may say more than a word: tenants, name
     * spaces made for a run, an address. One with a user in it is not told but meant.
     *
     * @param prefix of the channel; empty to choose one
     * @return for the channel of the other side
     */
    private String chosenPrefix(final BrokerChannel<OmbParameters> channel, final String prefix) {
        if (!prefix.isEmpty() && !prefix.startsWith(OWN)) {
            namesBegin = prefix;
            return prefix;
        }
        final String told = call(channel, "tell its prefix", () -> api.topicNamePrefix(driver));
        final String own = told == null ? "tickmark" : told;
        final String rest = prefix.isEmpty() ? "-" + word() : prefix.substring(OWN.length());
        namesBegin = own + rest;
        return (prefix.isEmpty() && !DriverApi.namesUser(own) ? own : OWN) + rest;
    }

    /** A word that nobody else has. */
    static String word() {
        return UUID.randomUUID().toString().substring(0, WORD_LENGTH);
    }

    /** Another end uses it, too. */
    SharedDriver shared() {
        synchronized (RUNNING) {
            users++;
            return this;
        }
    }

    /** What the channels of its ends say of the names of topics. */
    String prefix() {
        return key.prefix();
    }

    /** What the names of its topics begin with, which nobody may be told. */
    String namesBegin() {
        return namesBegin;
    }

    /** Makes a topic; one that is there already is taken as it is. */
    void createTopic(
            final BrokerChannel<OmbParameters> channel, final String topic, final int partitions) {
        call(
                channel,
                "make topic " + topic,
                () -> {
                    try {
                        api.createTopic(driver, topic, partitions);
                    } catch (final Exception e) {
                        if (!isThere(e)) {
                            throw e;
                        }
                    }
                    return "";
                });
    }

    private static boolean isThere(final Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (DriverApi.words(each).matches(EXISTS)) {
                return true;
            }
        }
        return false;
    }

    Object createProducer(final BrokerChannel<OmbParameters> channel, final String topic) {
        return call(
                channel,
                "make a producer of topic " + topic,
                () -> api.createProducer(driver, topic));
    }

    Object createConsumer(
            final BrokerChannel<OmbParameters> channel,
            final String topic,
            final String subscription,
            final Consumer<byte[]> arrived) {
        return call(
                channel,
                "make a consumer of topic " + topic,
                () -> api.createConsumer(driver, topic, subscription, arrived));
    }

    CompletionStage<?> send(
            final Object producer, final Optional<String> messageKey, final byte[] payload)
            throws Throwable {
        return api.send(producer, messageKey, payload);
    }

    /** As {@link #send}, on a thread that is not of the driver's, which then knows its jars. */
    CompletionStage<?> sendHere(
            final Object producer, final Optional<String> messageKey, final byte[] payload)
            throws Throwable {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(api.loader());
        try {
            return send(producer, messageKey, payload);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The thread that sends for all publications that want one. */
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

    /** A step of opening, in the time that the channel gives it. */
    private <T> T call(
            final BrokerChannel<OmbParameters> channel, final String what, final Callable<T> step) {
        final Duration longest = channel.parameters().openTimeout();
        final FutureTask<T> task = new FutureTask<>(step);
        thread("omb-call", task).start();
        try {
            return task.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (final ExecutionException e) {
            throw failed(channel, what, e.getCause());
        } catch (final TimeoutException e) {
            isStuck = true;
            isSlow = true;
            task.cancel(true);
            throw channel.failed(
                    ("the driver %s did not %s within %s; see that its servers run and what it logged, or give it"
                                    + " more time as ?openTimeout")
                            .formatted(
                                    file.driverClass(),
                                    DriverApi.withoutUsers(what),
                                    Durations.format(longest)),
                    e);
        } catch (final InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw channel.failed(
                    "waiting for the driver %s to %s was interrupted"
                            .formatted(file.driverClass(), DriverApi.withoutUsers(what)),
                    e);
        }
    }

    private UserError failed(
            final BrokerChannel<OmbParameters> channel, final String what, final Throwable error) {
        return channel.failed(
                "the driver %s could not %s (%s); see %s, and that its servers run"
                        .formatted(
                                file.driverClass(),
                                DriverApi.withoutUsers(what),
                                DriverApi.words(error),
                                file.path()),
                error);
    }

    /** What its threads said as they ended. */
    Optional<String> deaths() {
        return deaths.sentence();
    }

    /** What both ends tell; their parameters may differ. */
    Map<String, Object> facts(final OmbParameters parameters) {
        return new TreeMap<>(
                Map.of(
                        "driverClass", file.driverClass(),
                        "configuration", file.path().toString(),
                        "resetTurnedOff", file.isChanged(),
                        "partitions", parameters.partitions(),
                        "driverThreadsFailed", deaths.count()));
    }

    /**
     * How long to wait for the driver when an end is closed.
     *
     * @param usualNs as long as nobody has waited in vain
     * @return in ns
     */
    long patienceNs(final long usualNs) {
        return isSlow ? Math.min(usualNs, SHORT_PATIENCE_NS) : usualNs;
    }

    /** Somebody has waited in vain. */
    void gaveUp() {
        isSlow = true;
    }

    /** Closes what the driver made, all at once and in a bounded time. */
    void release(final List<?> made) {
        closeAll(made);
    }

    /**
     * What does not close in time is interrupted and left behind; errors are no worse for what was
     * measured.
     */
    private void closeAll(final List<?> closeables) {
        final CountDownLatch open = new CountDownLatch(closeables.size());
        final List<Thread> closing =
                closeables.stream()
                        .map(each ->
                                thread(
                                        "omb-close",
                                        () -> {
                                            closeQuietly((AutoCloseable) each);
                                            open.countDown();
                                        }))
                        .toList();
        closing.forEach(Thread::start);
        boolean wasInterrupted = Thread.interrupted();
        boolean isDone = false;
        try {
            isDone = open.await(patienceNs(CLOSE_PATIENCE_NS), TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            wasInterrupted = true;
        }
        if (!isDone) {
            isStuck = true;
            isSlow = true;
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
            // nobody needs it any more
        }
    }

    /** To be called once by each that has it. */
    @Override
    public void close() {
        synchronized (RUNNING) {
            if (--users > 0) {
                return;
            }
            RUNNING.remove(key);
        }
        end(); // may take its time, in which others can open
    }

    private void end() {
        isClosing = true;
        synchronized (this) {
            if (sendThread != null) {
                sendThread.stop();
            }
        }
        closeAll(List.of(driver));
        if (file.isChanged()) {
            try {
                Files.deleteIfExists(handedOver);
            } catch (final IOException e) {
                // a temporary file, which the system deletes some day
            }
        }
        if (!isStuck) {
            api.close(); // what hangs in the driver may need further classes
        }
    }
}

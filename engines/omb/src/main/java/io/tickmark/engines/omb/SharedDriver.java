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
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final int WORD_LENGTH = 8;

    /** What clients say where a topic was made before, by somebody else or before a restart. */
    private static final String EXISTS = "(?is).*(already[ _-]?exist|existsexception).*";

    private final BrokerChannel<OmbParameters> channel;
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
    private int users = 1;
    private volatile boolean isStuck;
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
        this.channel = channel;
        file = DriverFile.read(channel, path);
        api = DriverApi.load(channel, DriverApi.jars(channel, places), file.driverClass());
        try {
            driver = call("be made", api::newDriver);
        } catch (final RuntimeException e) {
            api.close();
            throw e;
        }
        handedOver = file.handedOver();
        try {
            call(
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
                begun.key = new Key(path, places, prefix.isEmpty() ? begun.chosenPrefix() : prefix);
            } catch (final RuntimeException e) {
                begun.end();
                throw e;
            }
            RUNNING.put(begun.key, begun);
            return begun;
        }
    }

    /** Drivers' own prefixes may say more than a word: tenants, name spaces made for a run. */
    private String chosenPrefix() {
        final String own = call("tell its prefix", () -> api.topicNamePrefix(driver));
        return "%s-%s".formatted(own == null ? "tickmark" : own, word());
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

    /** What the names of its topics begin with. */
    String prefix() {
        return key.prefix();
    }

    /** Makes a topic; one that is there already is taken as it is. */
    void createTopic(final String topic, final int partitions) {
        call(
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

    Object createProducer(final String topic) {
        return call("make a producer of topic " + topic, () -> api.createProducer(driver, topic));
    }

    Object createConsumer(
            final String topic, final String subscription, final Consumer<byte[]> arrived) {
        return call(
                "make a consumer of topic " + topic,
                () -> api.createConsumer(driver, topic, subscription, arrived));
    }

    CompletionStage<?> send(
            final Object producer, final Optional<String> messageKey, final byte[] payload)
            throws Throwable {
        return api.send(producer, messageKey, payload);
    }

    /** A thread that may call the driver; not started yet. */
    Thread thread(final String name, final Runnable task) {
        final Thread thread = new Thread(threads, task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(api.loader());
        return thread;
    }

    private <T> T call(final String what, final Callable<T> step) {
        return call(what, step, channel.parameters().openTimeout());
    }

    private <T> T call(final String what, final Callable<T> step, final Duration longest) {
        final FutureTask<T> task = new FutureTask<>(step);
        thread("omb-call", task).start();
        try {
            return task.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (final ExecutionException e) {
            throw failed(what, e.getCause());
        } catch (final TimeoutException e) {
            isStuck = true;
            task.cancel(true);
            throw channel.failed(
                    ("the driver %s did not %s within %s; see that its servers run and what it logged, or give it"
                                    + " more time as ?openTimeout")
                            .formatted(file.driverClass(), what, Durations.format(longest)),
                    e);
        } catch (final InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw channel.failed(
                    "waiting for the driver %s to %s was interrupted"
                            .formatted(file.driverClass(), what),
                    e);
        }
    }

    private UserError failed(final String what, final Throwable error) {
        return channel.failed(
                "the driver %s could not %s (%s); see %s, and that its servers run"
                        .formatted(file.driverClass(), what, DriverApi.words(error), file.path()),
                error);
    }

    /** What its threads said as they ended. */
    Optional<String> deaths() {
        return deaths.sentence();
    }

    /** What both ends tell. */
    Map<String, Object> facts() {
        return new TreeMap<>(
                Map.of(
                        "driverClass", file.driverClass(),
                        "configuration", file.path().toString(),
                        "resetTurnedOff", file.isChanged(),
                        "partitions", channel.parameters().partitions(),
                        "driverThreadsFailed", deaths.count()));
    }

    /** Closes what the driver made, in a bounded time. */
    void release(final Object made) {
        quietly("close", (AutoCloseable) made);
    }

    private void quietly(final String what, final AutoCloseable closeable) {
        final boolean wasInterrupted = Thread.interrupted();
        try {
            call(
                    what,
                    () -> {
                        closeable.close();
                        return "";
                    },
                    CLOSE_PATIENCE);
        } catch (final UserError e) {
            // what was measured is not the worse for it
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** To be called once by each that has it. */
    @Override
    public void close() {
        synchronized (RUNNING) {
            if (--users == 0) {
                RUNNING.remove(key);
                end();
            }
        }
    }

    private void end() {
        isClosing = true;
        quietly("close", (AutoCloseable) driver);
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

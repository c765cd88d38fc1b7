package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The framework's public interface (package {@code io.openmessaging.benchmark.driver} of its module
 * {@code driver-api}) as the user's jars bring it, called by reflection. The parent of their class
 * loader is the JDK's, so that none of our libraries hides one of theirs. Any thread.
 */
final class DriverApi implements AutoCloseable {
    private static final String PACKAGE = "io.openmessaging.benchmark.driver.";
    private static final String DRIVER = PACKAGE + "BenchmarkDriver";
    private static final String PRODUCER = PACKAGE + "BenchmarkProducer";
    private static final String CALLBACK = PACKAGE + "ConsumerCallback";

    /** Discards the statistics of drivers. */
    private static final String NO_STATISTICS = "org.apache.bookkeeper.stats.NullStatsLogger";

    private static final MethodType SEND =
            MethodType.methodType(Object.class, Object.class, Optional.class, byte[].class);

    private final URLClassLoader loader;
    private final Class<?> driverClass;
    private final Class<?> callback;
    private final Method initialize;
    private final Method getTopicNamePrefix;
    private final Method createTopic;
    private final Method createProducer;
    private final Method createConsumer;
    private final MethodHandle sendAsync;

    private DriverApi(
            final BrokerChannel<OmbParameters> channel,
            final URLClassLoader loader,
            final String driverClassName) {
        this.loader = loader;
        final Class<?> driver = ofFramework(channel, DRIVER);
        final Class<?> producer = ofFramework(channel, PRODUCER);
        callback = ofFramework(channel, CALLBACK);
        driverClass = driverClass(channel, driverClassName);
        if (!driver.isAssignableFrom(driverClass)) {
            throw channel.wrong(
                    "%s is not a driver (it does not implement %s); name the driver's class in driverClass"
                            .formatted(driverClassName, DRIVER));
        }
        initialize = initialize(channel, driver);
        getTopicNamePrefix = method(channel, driver, String.class, "getTopicNamePrefix");
        createTopic = method(channel, driver, Future.class, "createTopic", String.class, int.class);
        createProducer = method(channel, driver, Future.class, "createProducer", String.class);
        createConsumer =
                method(
                        channel,
                        driver,
                        Future.class,
                        "createConsumer",
                        String.class,
                        String.class,
                        callback);
        method(channel, callback, void.class, "messageReceived", byte[].class, long.class);
        final Method send =
                method(
                        channel,
                        producer,
                        CompletionStage.class,
                        "sendAsync",
                        Optional.class,
                        byte[].class);
        try {
            sendAsync = MethodHandles.publicLookup().unreflect(send).asType(SEND);
        } catch (final IllegalAccessException e) {
            throw new IllegalStateException(e); // methods of public interfaces can be called
        }
    }

    /**
     * Loads the driver and the interface.
     *
     * @param channel for errors
     * @param places folders with jars, or single jars
     * @param driverClassName of the configuration
     * @return to be closed when the driver is
     */
    static DriverApi load(
            final BrokerChannel<OmbParameters> channel,
            final List<Path> places,
            final String driverClassName) {
        final URLClassLoader loader =
                new URLClassLoader(
                        "omb",
                        jars(channel, places).stream().map(DriverApi::url).toArray(URL[]::new),
                        ClassLoader.getPlatformClassLoader());
        try {
            return new DriverApi(channel, loader, driverClassName);
        } catch (final RuntimeException e) {
            close(loader);
            throw e;
        } catch (final LinkageError e) {
            close(loader);
            throw channel.failed(
                    ("the framework's interface cannot be used (%s); put the jars of all that it and the driver need"
                                    + " into the folder of ?jars")
                            .formatted(DriverText.of(e)),
                    e);
        }
    }

    private static URL url(final Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (final MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Single jars, and all jars of folders. */
    static List<Path> jars(final BrokerChannel<OmbParameters> channel, final List<Path> places) {
        final List<Path> jars = new ArrayList<>();
        for (final Path place : places) {
            if (Files.isRegularFile(place)) {
                jars.add(place);
                continue;
            }
            try (Stream<Path> files = Files.list(place)) {
                final int before = jars.size();
                files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
                if (jars.size() == before) {
                    throw channel.wrong(
                            "?jars: there is no jar in %s; give the folder with those of the driver"
                                    .formatted(place));
                }
            } catch (final IOException e) {
                throw channel.wrong(
                        "?jars: %s cannot be listed (%s); give the folder with the jars of the driver"
                                .formatted(place, IoReason.of(e)));
            }
        }
        return jars;
    }

    private Class<?> ofFramework(final BrokerChannel<OmbParameters> channel, final String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (final ClassNotFoundException | LinkageError e) {
            throw channel.wrong(
                    "%s is in none of the jars (%s); add the framework's driver-api jar to the folder of ?jars"
                            .formatted(name, DriverText.of(e)));
        }
    }

    private Class<?> driverClass(final BrokerChannel<OmbParameters> channel, final String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (final ClassNotFoundException e) {
            throw channel.wrong(
                    "the driver %s is in none of the %s; give the folder with its jar as ?jars"
                            .formatted(name, Plural.of(loader.getURLs().length, "jar")));
        } catch (final LinkageError e) {
            throw channel.failed(
                    "the driver %s cannot be loaded (%s); put the jars of all that it needs into the folder of ?jars"
                            .formatted(name, DriverText.of(e)),
                    e);
        }
    }

    /**
     * A method that the interface has had from 2018 to 2026; without it, it is of an unknown
     * version.
     */
    private static Method method(
            final BrokerChannel<OmbParameters> channel,
            final Class<?> type,
            final Class<?> returns,
            final String name,
            final Class<?>... takes) {
        final String signature =
                Arrays.stream(takes)
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", name + "(", ")"));
        return Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(name))
                .filter(each -> Arrays.equals(each.getParameterTypes(), takes))
                .filter(each -> returns.isAssignableFrom(each.getReturnType()))
                .findFirst()
                .orElseThrow(() -> unknownVersion(channel, type, signature));
    }

    /** Its second parameter is of a library, so its type is the one that the jars bring. */
    private static Method initialize(
            final BrokerChannel<OmbParameters> channel, final Class<?> driver) {
        return Arrays.stream(driver.getMethods())
                .filter(each -> each.getName().equals("initialize"))
                .filter(each -> each.getParameterCount() == 2)
                .filter(each -> each.getParameterTypes()[0] == File.class)
                .findFirst()
                .orElseThrow(
                        () -> unknownVersion(channel, driver, "initialize(File, StatsLogger)"));
    }

    private static UserError unknownVersion(
            final BrokerChannel<OmbParameters> channel, final Class<?> type, final String method) {
        return channel.wrong(
                ("the %s of these jars has no %s, so it is of a version that is not known here; take jars of the"
                                + " framework's main line")
                        .formatted(type.getSimpleName(), method));
    }

    /** For threads that call the driver. */
    ClassLoader loader() {
        return loader;
    }

    /** Creates a driver, which is not initialized yet. */
    Object newDriver() throws Exception {
        return driverClass.getConstructor().newInstance();
    }

    void initialize(final Object driver, final File configuration) throws Exception {
        invoke(initialize, driver, configuration, noStatistics());
    }

    /** Null where the library of the second parameter has no such class. */
    private Object noStatistics() {
        try {
            final Object none =
                    Class.forName(NO_STATISTICS, true, loader).getField("INSTANCE").get(null);
            return initialize.getParameterTypes()[1].isInstance(none) ? none : null;
        } catch (final ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    String topicNamePrefix(final Object driver) throws Exception {
        return (String) invoke(getTopicNamePrefix, driver);
    }

    void createTopic(final Object driver, final String topic, final int partitions)
            throws Exception {
        result(invoke(createTopic, driver, topic, partitions));
    }

    Object createProducer(final Object driver, final String topic) throws Exception {
        return created(result(invoke(createProducer, driver, topic)));
    }

    /**
     * Creates a consumer.
     *
     * @param arrived receives a copy of each message, on the driver's threads
     */
    Object createConsumer(
            final Object driver,
            final String topic,
            final String subscription,
            final Consumer<byte[]> arrived)
            throws Exception {
        return created(
                result(invoke(createConsumer, driver, topic, subscription, callback(arrived))));
    }

    /**
     * Sends.
     *
     * @return completes when the message has been published, or cannot be
     */
    CompletionStage<?> send(final Object producer, final Optional<String> key, final byte[] payload)
            throws Throwable {
        final Object answer = (Object) sendAsync.invokeExact(producer, key, payload);
        if (answer == null) {
            throw new IllegalStateException("sendAsync returned null");
        }
        return (CompletionStage<?>) answer;
    }

    private Object callback(final Consumer<byte[]> arrived) {
        final InvocationHandler handler =
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "messageReceived" -> {
                                arrived.accept(payload(arguments[0]));
                                yield null;
                            }
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "toString" -> "callback of tickmark";
                            default -> {
                                if (method.isDefault()) {
                                    yield InvocationHandler.invokeDefault(proxy, method, arguments);
                                }
                                throw new UnsupportedOperationException(method.toString());
                            }
                        };
        return Proxy.newProxyInstance(loader, new Class<?>[] {callback}, handler);
    }

    /**
     * A copy, because drivers may reuse their buffers: the interface does not say who owns them.
     */
    private static byte[] payload(final Object message) {
        if (message instanceof final ByteBuffer buffer) {
            final byte[] copy = new byte[buffer.remaining()];
            buffer.duplicate().get(copy);
            return copy;
        }
        return ((byte[]) message).clone();
    }

    private static Object invoke(
            final Method method, final Object target, final Object... arguments) throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (final InvocationTargetException e) {
            if (e.getCause() instanceof final Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        }
    }

    /** Some drivers only log what failed, and return null. */
    private static Object result(final Object future) throws Exception {
        if (future == null) {
            throw new IllegalStateException("it returned null; see what the driver logged");
        }
        return ((Future<?>) future).get();
    }

    private static Object created(final Object what) {
        if (what == null) {
            throw new IllegalStateException("it created null; see what the driver logged");
        }
        return what;
    }

    /** After this no further class of the driver can be loaded. */
    @Override
    public void close() {
        close(loader);
    }

    private static void close(final URLClassLoader loader) {
        try {
            loader.close();
        } catch (final IOException e) {
            // its files were only read
        }
    }
}

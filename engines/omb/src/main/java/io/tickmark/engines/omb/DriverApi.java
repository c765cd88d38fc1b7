package io.tickmark.engines.omb;

import io.tickmark.kernel.settings.IoReason;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The framework's public interface (package {@code io.openmessaging.benchmark.driver} of its module
 * {@code driver-api}) as the user's jars bring it, called by reflection. Their class loader has the
 * JDK above it and nothing of ours, so that no library of ours meets one of theirs. Any thread.
 */
final class DriverApi implements AutoCloseable {
    private static final String PACKAGE = "io.openmessaging.benchmark.driver.";
    private static final String DRIVER = PACKAGE + "BenchmarkDriver";
    private static final String PRODUCER = PACKAGE + "BenchmarkProducer";
    private static final String CALLBACK = PACKAGE + "ConsumerCallback";

    /** Takes statistics of drivers and drops them. */
    private static final String NO_STATISTICS = "org.apache.bookkeeper.stats.NullStatsLogger";

    /** What stands before the host in addresses; passwords hold slashes though they should not. */
    private static final Pattern USER = Pattern.compile("//[^\\s@]*@");

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
        final Version version = new Version(channel);
        initialize = version.initialize(driver);
        getTopicNamePrefix = version.method(driver, String.class, "getTopicNamePrefix");
        createTopic = version.method(driver, Future.class, "createTopic", String.class, int.class);
        createProducer = version.method(driver, Future.class, "createProducer", String.class);
        createConsumer =
                version.method(
                        driver,
                        Future.class,
                        "createConsumer",
                        String.class,
                        String.class,
                        callback);
        version.method(callback, void.class, "messageReceived", byte[].class, long.class);
        sendAsync =
                handle(
                        version.method(
                                producer,
                                CompletionStage.class,
                                "sendAsync",
                                Optional.class,
                                byte[].class));
    }

    /**
     * Loads driver and interface.
     *
     * @param channel for errors
     * @param jars to load from
     * @param driverClassName of the configuration
     * @return to be closed when the driver is
     */
    static DriverApi load(
            final BrokerChannel<OmbParameters> channel,
            final List<Path> jars,
            final String driverClassName) {
        final URLClassLoader loader =
                new URLClassLoader(
                        "omb",
                        jars.stream().map(DriverApi::url).toArray(URL[]::new),
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
                            .formatted(words(e)),
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

    /** All jars of folders, and those that are named themselves. */
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
                            .formatted(name, words(e)));
        }
    }

    private Class<?> driverClass(final BrokerChannel<OmbParameters> channel, final String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (final ClassNotFoundException e) {
            throw channel.wrong(
                    "the driver %s is in none of the %d jars; give the folder with its jar as ?jars"
                            .formatted(name, loader.getURLs().length));
        } catch (final LinkageError e) {
            throw channel.failed(
                    "the driver %s cannot be loaded (%s); put the jars of all that it needs into the folder of ?jars"
                            .formatted(name, words(e)),
                    e);
        }
    }

    private static MethodHandle handle(final Method method) {
        try {
            return MethodHandles.publicLookup().unreflect(method).asType(SEND);
        } catch (final IllegalAccessException e) {
            throw new IllegalStateException(e); // methods of public interfaces can be called
        }
    }

    /** What an interface of this version has; what we know was there from 2018 to 2026. */
    private record Version(BrokerChannel<OmbParameters> channel) {
        /** Interfaces that changed are of a version that nobody here knows. */
        Method method(
                final Class<?> of,
                final Class<?> returns,
                final String name,
                final Class<?>... takes) {
            try {
                final Method method = of.getMethod(name, takes);
                if (returns.isAssignableFrom(method.getReturnType())) {
                    return method;
                }
            } catch (final NoSuchMethodException e) {
                // told below
            }
            throw wrong(
                    of,
                    "%s(%s)"
                            .formatted(
                                    name,
                                    Arrays.stream(takes)
                                            .map(Class::getSimpleName)
                                            .collect(Collectors.joining(", "))));
        }

        /** Its second parameter is of a library whose name drivers bring as well. */
        Method initialize(final Class<?> driver) {
            return Arrays.stream(driver.getMethods())
                    .filter(each -> each.getName().equals("initialize"))
                    .filter(each -> each.getParameterCount() == 2)
                    .filter(each -> each.getParameterTypes()[0] == File.class)
                    .findFirst()
                    .orElseThrow(() -> wrong(driver, "initialize(File, StatsLogger)"));
        }

        private UserError wrong(final Class<?> of, final String method) {
            return channel.wrong(
                    ("the %s of these jars has no %s, so it is of a version that is not known here; take jars of the"
                                    + " framework's main line")
                            .formatted(of.getSimpleName(), method));
        }
    }

    /** For threads that call the driver. */
    ClassLoader loader() {
        return loader;
    }

    /** Makes a driver, which is not initialized yet. */
    Object newDriver() throws Exception {
        return driverClass.getConstructor().newInstance();
    }

    void initialize(final Object driver, final File configuration) throws Exception {
        invoke(initialize, driver, configuration, noStatistics());
    }

    /** Where the library of the second parameter has no such class, null has to do. */
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
        return made(result(invoke(createProducer, driver, topic)));
    }

    /**
     * Makes a consumer.
     *
     * @param arrived given each message, on the driver's threads; what it gets is its own
     */
    Object createConsumer(
            final Object driver,
            final String topic,
            final String subscription,
            final Consumer<byte[]> arrived)
            throws Exception {
        return made(result(invoke(createConsumer, driver, topic, subscription, callback(arrived))));
    }

    /**
     * Sends.
     *
     * @return completes when the message is published, or will never be
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
     * A copy, as drivers may use their buffers again: the interface does not say whose they are.
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

    /** Drivers return null where they have only logged what failed. */
    private static Object result(final Object future) throws Exception {
        if (future == null) {
            throw new IllegalStateException("it returned null; see what the driver logged");
        }
        return ((Future<?>) future).get();
    }

    private static Object made(final Object what) {
        if (what == null) {
            throw new IllegalStateException("it made null; see what the driver logged");
        }
        return what;
    }

    /** Whether a text holds an address with a user, and perhaps a password, before its host. */
    static boolean namesUser(final String text) {
        return text.matches("(?s).*(//|:).*@.*");
    }

    /** A text whose addresses say no user. */
    static String withoutUsers(final String text) {
        return USER.matcher(text).replaceAll("//***@");
    }

    /** What an error says, in one line, without the users and passwords of addresses. */
    static String words(final Throwable error) {
        final Throwable cause =
                error instanceof java.util.concurrent.CompletionException
                                || error instanceof java.util.concurrent.ExecutionException
                                || error instanceof InvocationTargetException
                        ? Optional.ofNullable(error.getCause()).orElse(error)
                        : error;
        if (cause != error) {
            return words(cause);
        }
        final String name = cause.getClass().getSimpleName();
        final String message = cause.getMessage();
        return message == null || message.isBlank()
                ? name
                : name
                        + ": "
                        + withoutUsers(message.strip().replaceAll("\\s+", " "))
                                .replaceFirst("\\.$", "");
    }

    /** Classes that were not needed yet cannot be loaded any more. */
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

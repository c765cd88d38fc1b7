package io.tickmark.engines.artio;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.EngineLimits;
import io.tickmark.workloads.fix.gateway.GatewayCounts;
import io.tickmark.workloads.fix.gateway.GatewayEngine;
import io.tickmark.workloads.fix.gateway.GatewaySettings;
import io.tickmark.workloads.fix.gateway.SlowPolicy;
import io.tickmark.workloads.fix.gateway.StoreKind;
import io.tickmark.workloads.fix.gateway.Validation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import uk.co.real_logic.artio.engine.EngineConfiguration;
import uk.co.real_logic.artio.engine.FixEngine;
import uk.co.real_logic.artio.library.FixLibrary;
import uk.co.real_logic.artio.library.LibraryConfiguration;
import uk.co.real_logic.artio.messages.InitialAcceptedSessionOwner;
import uk.co.real_logic.artio.validation.SessionPersistenceStrategy;

/**
 * A gateway on Artio: its engine, one library, and an embedded media driver. Artio binds one port,
 * so producers are told from consumers by their names. Nothing is logged to disk, so nothing can be
 * sent again.
 */
final class ArtioGateway implements GatewayEngine {
    /** Any port, and the one that nobody asked for. */
    private static final Set<Integer> BOTH_PORTS = Set.of(0, 3001);

    private static final String CHANNEL = "aeron:ipc";
    private static final int POLL_LIMIT = 20;
    private static final long JOIN_MS = 10_000;

    private final FanOutLibrary fanOut;
    private final int port;
    private final Path folder;
    private final MediaDriver driver;
    private final FixEngine engine;
    private final FixLibrary library;
    private final Thread thread;
    private volatile boolean isStopping;
    private volatile boolean isLoggingOut;
    private volatile String failure = "";

    ArtioGateway(final GatewaySettings settings) {
        check(settings);
        fanOut =
                new FanOutLibrary(
                        settings.session().producerPrefix(),
                        settings.session().gatewayId(),
                        settings.fanOut());
        port = port(settings);
        folder = makeFolder();
        driver =
                MediaDriver.launchEmbedded(
                        new MediaDriver.Context()
                                .aeronDirectoryName(folder.resolve("aeron").toString())
                                .threadingMode(ThreadingMode.SHARED)
                                .sharedIdleStrategy(idle())
                                .dirDeleteOnShutdown(true));
        engine = FixEngine.launch(engine(settings));
        library = FixLibrary.connect(library());
        thread = Thread.ofPlatform().daemon().name("fix-artio-library").start(this::poll);
    }

    /** What is slow Artio always cuts off, and one thread serves its library. */
    private static void check(final GatewaySettings settings) {
        if (settings.checking().validate() == Validation.DICTIONARY) {
            throw UserError.usage("--validate: --engine artio checks no dictionary.");
        }
        if (settings.slow().slow() == SlowPolicy.BLOCK) {
            throw UserError.usage(
                    "--slow: --engine artio cuts off who is slow; give disconnect, or leave it out.");
        }
        if (settings.store().store() == StoreKind.FILE) {
            throw UserError.usage("--store: --engine artio keeps no messages here.");
        }
        if (settings.workers() > 1) {
            throw UserError.usage("--workers: --engine artio has one here.");
        }
        if (!BOTH_PORTS.contains(settings.consumersPort())
                && settings.consumersPort() != settings.producersPort()) {
            throw UserError.usage(
                    "--consumers-port: --engine artio has one port; give the same for producers, or leave it out.");
        }
        EngineLimits.check(
                settings,
                ArtioEngines.NAME,
                Set.of("validate", "workers", "slow", "slowBytes", "store"));
    }

    private static int port(final GatewaySettings settings) {
        try (ServerSocket socket =
                new ServerSocket(
                        settings.producersPort(), 1, InetAddress.getByName(settings.bind()))) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw UserError.environment(
                    "--producers-port %d: cannot listen on %s (%s); give another port, or 0 for any."
                            .formatted(settings.producersPort(), settings.bind(), e.getMessage()),
                    e);
        }
    }

    private static Path makeFolder() {
        try {
            return Files.createTempDirectory("tickmark-artio-");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cores are shared with the clients here: nothing spins for long. */
    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 5, 1_000, 50_000);
    }

    private EngineConfiguration engine(final GatewaySettings settings) {
        final EngineConfiguration configuration = new EngineConfiguration();
        configuration
                .bindTo(settings.bind(), port)
                .libraryAeronChannel(CHANNEL)
                .logFileDir(folder.resolve("log").toString())
                .logInboundMessages(false)
                .logOutboundMessages(false)
                .printStartupWarnings(false)
                .initialAcceptedSessionOwner(InitialAcceptedSessionOwner.SOLE_LIBRARY)
                .sessionPersistenceStrategy(SessionPersistenceStrategy.alwaysTransient())
                .senderMaxBytesInBuffer(settings.slow().slowBytes())
                .framerIdleStrategy(idle())
                .monitoringFile(folder.resolve("engine-counters").toString());
        configuration.aeronContext().aeronDirectoryName(driver.aeronDirectoryName());
        return configuration;
    }

    private LibraryConfiguration library() {
        final LibraryConfiguration configuration = new LibraryConfiguration();
        configuration
                .libraryAeronChannels(List.of(CHANNEL))
                .sessionAcquireHandler((session, info) -> fanOut.acquire(session))
                .libraryIdleStrategy(idle())
                .monitoringFile(folder.resolve("library-counters").toString());
        configuration.aeronContext().aeronDirectoryName(driver.aeronDirectoryName());
        return configuration;
    }

    private void poll() {
        final IdleStrategy idle = idle();
        boolean hasLoggedOut = false;
        try {
            while (!isStopping) {
                idle.idle(library.poll(POLL_LIMIT));
                if (isLoggingOut && !hasLoggedOut) {
                    hasLoggedOut = true;
                    fanOut.logOut();
                }
            }
        } catch (final RuntimeException e) {
            failure = "Artio's library gave up: " + e;
        }
    }

    @Override
    public int producersPort() {
        return port;
    }

    @Override
    public int consumersPort() {
        return port;
    }

    @Override
    public int producers() {
        return fanOut.producers();
    }

    @Override
    public int producersEver() {
        return fanOut.producersEver();
    }

    @Override
    public int consumers() {
        return fanOut.consumers();
    }

    @Override
    public Map<String, Long> counts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(GatewayCounts.IN, fanOut.received());
        counts.put(GatewayCounts.UNMARKED, fanOut.unmarked());
        counts.put(GatewayCounts.OUT, fanOut.sent());
        counts.put(GatewayCounts.DROPPED, fanOut.dropped());
        counts.put("refusedByEngine", fanOut.refused());
        return counts;
    }

    @Override
    public void logOut() {
        isLoggingOut = true;
    }

    @Override
    public String failure() {
        return failure.isEmpty() ? fanOut.failure() : failure;
    }

    @Override
    public void close() {
        isStopping = true;
        try {
            thread.join(JOIN_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        CloseHelper.quietCloseAll(library, engine, driver);
        IoUtil.delete(folder.toFile(), true);
    }
}

package io.tickmark.engines.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.DebugSendChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.aeron.driver.ext.RandomLossGenerator;
import io.tickmark.kernel.settings.UserError;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts media drivers inside this process. */
final class EmbeddedDriver {
    private static final LossGenerator NO_LOSS = (address, buffer, length) -> false;

    private EmbeddedDriver() {}

    /** The threading that follows from the parameters and this machine. */
    static DriverThreading threading(final AeronParameters parameters) {
        return parameters.threading().on(Runtime.getRuntime().availableProcessors());
    }

    /** Starts one that deletes its directory when it is closed. */
    static MediaDriver start(
            final File directory, final AeronParameters parameters, final ErrorNotes errors) {
        final MediaDriver.Context context =
                new MediaDriver.Context()
                        .aeronDirectoryName(directory.getPath())
                        .dirDeleteOnStart(true)
                        .dirDeleteOnShutdown(true)
                        .warnIfDirectoryExists(false)
                        // Its only task is to resolve names beside the conductor.
                        .asyncExecutorEnabled(false)
                        .errorHandler(errors);
        patient(context, parameters.livenessTimeout().toNanos());
        threaded(context, parameters);
        if (parameters.lossPart() > 0) {
            lossy(context, parameters.lossPart(), parameters.lossSeed());
        }
        try {
            final MediaDriver driver = MediaDriver.launch(context);
            keepToOwner(directory);
            return driver;
        } catch (final RuntimeException e) {
            throw UserError.environment(
                    "--channel: no Aeron driver can be started in %s (%s); see that it is writable and has room."
                            .formatted(directory, ErrorNotes.sentence(e)),
                    e);
        }
    }

    /** Aeron sets no permissions: other users could read messages. There is no log yet. */
    private static void keepToOwner(final File directory) {
        try {
            Files.setPosixFilePermissions(
                    directory.toPath(), PosixFilePermissions.fromString("rwx------"));
        } catch (final IOException | UnsupportedOperationException e) {
            // A file system without permissions: the user chose it.
        }
    }

    private static void patient(final MediaDriver.Context context, final long livenessNs) {
        context.clientLivenessTimeoutNs(livenessNs)
                .driverTimeoutMs(livenessNs / 1_000_000)
                // Aeron requires that a dead client is detected before its publications are
                // unblocked.
                .publicationUnblockTimeoutNs(livenessNs + livenessNs / 2);
    }

    private static void threaded(
            final MediaDriver.Context context, final AeronParameters parameters) {
        final ThreadFactory daemons =
                work -> {
                    final Thread thread = new Thread(work);
                    thread.setDaemon(true);
                    return thread;
                };
        context.conductorThreadFactory(daemons)
                .senderThreadFactory(daemons)
                .receiverThreadFactory(daemons)
                .sharedThreadFactory(daemons)
                .conductorIdleStrategy(parameters.idle().strategy())
                .senderIdleStrategy(parameters.idle().strategy())
                .receiverIdleStrategy(parameters.idle().strategy())
                .sharedIdleStrategy(parameters.idle().strategy())
                .threadingMode(
                        switch (threading(parameters)) {
                            case DEDICATED -> ThreadingMode.DEDICATED;
                            case SHARED -> ThreadingMode.SHARED;
                            case INVOKER, AUTO -> ThreadingMode.INVOKER;
                        });
    }

    /** Each datagram may be lost once, where it arrives: data by receivers, control by senders. */
    private static void lossy(
            final MediaDriver.Context context, final double part, final long seed) {
        final AtomicInteger endpoints = new AtomicInteger();
        context.receiveChannelEndpointSupplier((channel, dispatcher, status, driver) ->
                new DebugReceiveChannelEndpoint(
                        channel, dispatcher, status, driver, loss(part, seed, endpoints), NO_LOSS));
        context.sendChannelEndpointSupplier((channel, status, driver) ->
                new DebugSendChannelEndpoint(
                        channel, status, driver, NO_LOSS, loss(part, seed, endpoints)));
    }

    /** A separate sequence for each endpoint, all determined by the seed. */
    private static LossGenerator loss(
            final double part, final long seed, final AtomicInteger endpoints) {
        return new RandomLossGenerator(part, seed + endpoints.getAndIncrement());
    }
}

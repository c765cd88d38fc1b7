package io.tickmark.engines.aeron.archive;

import io.aeron.Aeron;
import io.aeron.exceptions.AeronException;
import io.tickmark.engines.aeron.ErrorNotes;
import io.tickmark.kernel.settings.UserError;
import java.io.File;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/** Aeron clients of this process, one for each driver, shared by everything that is open on it. */
public final class ArchiveClients {
    private static final Map<File, Shared> OPEN = new HashMap<>();
    private static final long DRIVER_TIMEOUT_MS = 5_000;

    /** When its driver dies, a thread may still read what the client has mapped. */
    private static final long CLOSE_LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final class Shared {
        private final Aeron aeron;
        private int leases;

        private Shared(final Aeron aeron) {
            this.aeron = aeron;
        }
    }

    private ArchiveClients() {}

    /**
     * A client of a driver.
     *
     * @param directory of the driver
     * @return the client, to be released
     * @throws UserError if no driver runs there
     */
    public static synchronized Aeron lease(final File directory) {
        Shared shared = OPEN.get(directory);
        if (shared != null && shared.aeron.isClosed()) {
            OPEN.remove(directory); // its driver died
            shared = null;
        }
        if (shared == null) {
            shared = new Shared(connect(directory));
            OPEN.put(directory, shared);
        }
        shared.leases++;
        return shared.aeron;
    }

    private static Aeron connect(final File directory) {
        try {
            return Aeron.connect(
                    new Aeron.Context()
                            .aeronDirectoryName(directory.getPath())
                            .driverTimeoutMs(DRIVER_TIMEOUT_MS)
                            .closeLingerDurationNs(CLOSE_LINGER_NS)
                            .idleStrategy(new SleepingMillisIdleStrategy(1))
                            .errorHandler(new ErrorNotes())
                            .subscriberErrorHandler(error -> {
                                throw error instanceof final RuntimeException cause
                                        ? cause
                                        : new IllegalStateException(error);
                            }));
        } catch (final AeronException e) {
            throw UserError.environment(
                    "No driver of a store answers in %s (%s); start the store first."
                            .formatted(directory, ErrorNotes.sentence(e)),
                    e);
        }
    }

    /**
     * Releases a client.
     *
     * @param directory of its driver
     * @param aeron the client
     */
    public static synchronized void release(final File directory, final Aeron aeron) {
        final Shared shared = OPEN.get(directory);
        if (shared == null || shared.aeron != aeron) {
            close(aeron);
            return;
        }
        if (--shared.leases == 0) {
            OPEN.remove(directory);
            close(aeron);
        }
    }

    /** It is unused, so it need not linger. */
    private static void close(final Aeron aeron) {
        aeron.context().closeLingerDurationNs(0);
        aeron.close();
    }
}

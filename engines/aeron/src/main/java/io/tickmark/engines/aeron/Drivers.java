package io.tickmark.engines.aeron;

import io.tickmark.kernel.host.EngineProcesses;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The drivers that this process hosts or has joined, each at most once. A hosted driver outlives
 * its last user by {@link #LINGER_NS}, so that the last messages can still be retransmitted to a
 * receiver that missed them, or be read by another process; its directory is deleted with it, at
 * the latest when the process ends.
 */
final class Drivers {
    /** The drivers of this process. */
    static final Drivers OF_PROCESS = new Drivers();

    /** How long a hosted driver continues when it is unused. */
    static final long LINGER_NS = TimeUnit.SECONDS.toNanos(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<DriverLease> leases = new CopyOnWriteArrayList<>();
    private final Keeper keeper = new Keeper(this);
    private boolean hooked;

    private Drivers() {}

    /**
     * The session for a channel; for one more end.
     *
     * @param channel to open
     * @param hosts whether this side hosts the driver of {@code aeron:ipc}
     * @param direction direction of the end to open
     */
    DriverLease lease(final AeronChannel channel, final boolean hosts, final Direction direction) {
        lock.lock();
        try {
            final DriverLease lease =
                    find(channel, direction).orElseGet(() -> add(channel, hosts, direction));
            lease.users++;
            return lease;
        } finally {
            lock.unlock();
        }
    }

    private Optional<DriverLease> find(final AeronChannel channel, final Direction direction) {
        final String named = channel.own().aeronDir();
        if (!named.isEmpty()) {
            return first(lease -> lease.session().directory().equals(directory(named)));
        }
        if (channel.external()) {
            return first(lease -> lease.session().directory().equals(DriverDirectory.standard()));
        }
        final Optional<DriverProperties> properties =
                Optional.of(DriverProperties.of(channel, direction));
        // An unused ipc driver may still hold readers of an earlier test that died: leave it alone.
        final boolean revives = channel.kind() != ChannelKind.IPC;
        return first(
                lease -> lease.properties().equals(properties) && (revives || lease.users > 0));
    }

    private Optional<DriverLease> first(final Predicate<DriverLease> wanted) {
        return leases.stream()
                .filter(lease -> lease.session().isAlive())
                .filter(wanted)
                .findFirst();
    }

    private static File directory(final String named) {
        return new File(named).getAbsoluteFile();
    }

    private DriverLease add(
            final AeronChannel channel, final boolean hosts, final Direction direction) {
        final boolean joins = channel.external() || channel.kind() == ChannelKind.IPC && !hosts;
        final String named = channel.own().aeronDir();
        final DriverLease lease;
        if (joins) {
            final File directory = named.isEmpty() ? DriverDirectory.standard() : directory(named);
            DriverDirectory.requireRunning(channel, directory);
            if (channel.external()) {
                name(directory);
            }
            lease =
                    new DriverLease(
                            this, DriverSession.join(directory, channel.own()), Optional.empty());
        } else {
            final File directory = named.isEmpty() ? DriverDirectory.unique() : directory(named);
            DriverDirectory.requireFree(channel, directory);
            lease =
                    new DriverLease(
                            this,
                            DriverSession.host(directory, channel.own()),
                            Optional.of(DriverProperties.of(channel, direction)));
        }
        leases.add(lease);
        keeper.ensureRunning();
        if (!hooked) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(new Thread(this::abandonAll, "aeron-shutdown"));
        }
        return lease;
    }

    /** A driver that somebody else started, in C or in Java. */
    private static void name(final File directory) {
        final OptionalLong pid = DriverDirectory.process(directory);
        if (pid.isPresent() && pid.getAsLong() == ProcessHandle.current().pid()) {
            return; // what its threads take is the role's own
        }
        if (pid.isPresent()) {
            EngineProcesses.foreign(
                    "Aeron's media driver in %s (process %d)".formatted(directory, pid.getAsLong()),
                    pid.getAsLong());
        } else {
            EngineProcesses.foreign("Aeron's media driver in " + directory);
        }
    }

    void release(final DriverLease lease) {
        lock.lock();
        try {
            lease.users--;
            lease.unusedSinceNs = SystemNanoClock.INSTANCE.nanoTime();
            if (lease.users == 0 && !lease.session().hostsDriver()) {
                dispose(lease);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps all going; returns whether any needed it. */
    boolean keepAlive() {
        boolean needed = false;
        for (final DriverLease lease : leases) {
            needed |= lease.keepAlive();
        }
        // Another thread may take long to open; closing unused ones can wait.
        if (lock.tryLock()) {
            try {
                final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
                leases.stream()
                        .filter(lease ->
                                lease.users == 0 && nowNs - lease.unusedSinceNs > LINGER_NS)
                        .forEach(this::dispose);
            } finally {
                lock.unlock();
            }
        }
        return needed;
    }

    private void dispose(final DriverLease lease) {
        leases.remove(lease);
        lease.session().dispose();
        DriverDirectory.sweep();
    }

    /** Whether there is anything to keep going. */
    boolean isEmpty() {
        return leases.isEmpty();
    }

    private void abandonAll() {
        leases.forEach(lease -> lease.session().abandon());
        DriverDirectory.sweep();
    }

    /**
     * A daemon thread that runs the duty cycles which no other thread runs: while a role prepares,
     * lingers or waits elsewhere, drivers and clients must not be given up by their peers. While
     * they are called often it only reads a counter a hundred times a second.
     */
    static final class Keeper implements Runnable {
        private static final long NEEDED_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
        private static final long NOT_NEEDED_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);

        private final Drivers drivers;
        private boolean running;

        Keeper(final Drivers drivers) {
            this.drivers = drivers;
        }

        /** Starts the thread unless it is running. */
        synchronized void ensureRunning() {
            if (!running) {
                running = true;
                final Thread thread = new Thread(this, "aeron-keeper");
                thread.setDaemon(true);
                thread.start();
            }
        }

        private synchronized boolean mayStop() {
            running = !drivers.isEmpty();
            return !running;
        }

        @Override
        public void run() {
            while (!mayStop()) {
                final boolean needed = drivers.keepAlive();
                LockSupport.parkNanos(needed ? NEEDED_PERIOD_NS : NOT_NEEDED_PERIOD_NS);
            }
        }
    }

    /**
     * The required properties of a hosted driver; channels with the same requirements share one
     * driver.
     *
     * @param ipc whether it serves shared memory or the network
     * @param threading of the driver, already resolved
     * @param idle of its threads
     * @param lossPart of arriving datagrams
     * @param lossSeed of that loss
     * @param livenessTimeout of its clients
     * @param directory requested, empty for any
     * @param direction of its datagrams
     */
    record DriverProperties(
            boolean ipc,
            DriverThreading threading,
            DriverIdle idle,
            double lossPart,
            long lossSeed,
            Duration livenessTimeout,
            String directory,
            Direction direction) {
        static DriverProperties of(final AeronChannel channel, final Direction direction) {
            final AeronParameters own = channel.own();
            return new DriverProperties(
                    channel.kind() == ChannelKind.IPC,
                    EmbeddedDriver.threading(own),
                    own.idle(),
                    own.lossPart(),
                    own.lossSeed(),
                    own.livenessTimeout(),
                    own.aeronDir(),
                    direction.of(channel));
        }
    }

    /** A session and how many ends use it; the count is guarded by the lock of {@link Drivers}. */
    static final class DriverLease {
        /** Turns in a row while there is work. */
        private static final int MOST_TURNS = 16;

        private final Drivers drivers;
        private final DriverSession session;
        private final Optional<DriverProperties> properties;
        private long turnsSeen;

        int users;
        long unusedSinceNs;

        DriverLease(
                final Drivers drivers,
                final DriverSession session,
                final Optional<DriverProperties> properties) {
            this.drivers = drivers;
            this.session = session;
            this.properties = properties;
        }

        DriverSession session() {
            return session;
        }

        /** The properties of the hosted driver; empty for one that was joined. */
        Optional<DriverProperties> properties() {
            return properties;
        }

        /** Releases it for one end. */
        void release() {
            drivers.release(this);
        }

        /**
         * Takes turns where no thread did since the last look, and returns whether that was so;
         * keeper's thread.
         */
        boolean keepAlive() {
            final DutyCycle duty = session.duty();
            final boolean unattended = duty.turns() == turnsSeen;
            for (int turn = 0; unattended && turn < MOST_TURNS && duty.turn() > 0; turn++) {
                Thread.onSpinWait();
            }
            turnsSeen = duty.turns();
            return unattended;
        }
    }
}

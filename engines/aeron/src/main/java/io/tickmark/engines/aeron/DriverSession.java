package io.tickmark.engines.aeron;

import io.aeron.Aeron;
import io.aeron.AeronVersion;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.status.ChannelEndpointStatus;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.LangUtil;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersReader;

/**
 * One client of a media driver, with the driver where this process hosts it; shared by everything
 * that this process opens on it. Any thread; the client is used under the ownership of the duty
 * cycle.
 */
final class DriverSession {
    private static final long ACTIVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long CLOSE_LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long OWN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long ABANDON_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long AWAIT_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final File directory;
    private final AeronParameters parameters;
    private final ErrorNotes errors;
    private final Optional<MediaDriver> driver;
    private final Aeron aeron;
    private final DutyCycle duty;

    private DriverSession(
            final File directory,
            final AeronParameters parameters,
            final ErrorNotes errors,
            final Optional<MediaDriver> driver) {
        this.directory = directory;
        this.parameters = parameters;
        this.errors = errors;
        this.driver = driver;
        final long livenessMs = parameters.livenessTimeout().toMillis();
        final Aeron.Context context =
                new Aeron.Context()
                        .aeronDirectoryName(directory.getPath())
                        .useConductorAgentInvoker(true)
                        .driverTimeoutMs(livenessMs)
                        .errorHandler(errors)
                        // When its driver dies, a poll may be in progress.
                        .closeLingerDurationNs(CLOSE_LINGER_NS)
                        // Exceptions of a message handler are rethrown on the polling thread.
                        .subscriberErrorHandler(LangUtil::rethrowUnchecked);
        driver.map(MediaDriver::sharedAgentInvoker).ifPresent(context::driverAgentInvoker);
        aeron = Aeron.connect(context);
        duty =
                new DutyCycle(
                        aeron.conductorAgentInvoker(),
                        driver.map(MediaDriver::sharedAgentInvoker).orElse(null));
    }

    /** Starts a driver and connects to it. */
    static DriverSession host(final File directory, final AeronParameters parameters) {
        final ErrorNotes errors = new ErrorNotes();
        final MediaDriver driver = EmbeddedDriver.start(directory, parameters, errors);
        try {
            return new DriverSession(directory, parameters, errors, Optional.of(driver));
        } catch (final RuntimeException e) {
            driver.close();
            throw e;
        }
    }

    /** Connects to a driver that runs. */
    static DriverSession join(final File directory, final AeronParameters parameters) {
        try {
            return new DriverSession(directory, parameters, new ErrorNotes(), Optional.empty());
        } catch (final RuntimeException e) {
            throw UserError.environment(
                    "--channel: the Aeron driver in %s does not answer (%s); restart it, or leave aeronDir out."
                            .formatted(directory, ErrorNotes.sentence(e)),
                    e);
        }
    }

    File directory() {
        return directory;
    }

    /** Whether neither client nor driver has given the other up. */
    boolean isAlive() {
        if (duty.own(OWN_TIMEOUT_NS)) {
            duty.turnOwned(); // in which the client would notice it
            duty.disown();
        }
        return !aeron.isClosed();
    }

    boolean hostsDriver() {
        return driver.isPresent();
    }

    DutyCycle duty() {
        return duty;
    }

    CountersReader counters() {
        return aeron.countersReader();
    }

    /** Adds a publication with its destinations and waits until its channel is open. */
    ExclusivePublication addPublication(
            final AeronChannel channel, final Route route, final int stream) {
        return owned(
                channel,
                () -> {
                    final ExclusivePublication added =
                            aeron.addExclusivePublication(route.publish(), stream);
                    try {
                        route.destinations().forEach(added::addDestination);
                        awaitActive(
                                channel,
                                () -> added.channelStatus() == ChannelEndpointStatus.ACTIVE);
                        return added;
                    } catch (final RuntimeException e) {
                        added.close();
                        throw e;
                    }
                });
    }

    /** Adds a subscription and waits until its channel is open. */
    Subscription addSubscription(final AeronChannel channel, final Route route, final int stream) {
        return owned(
                channel,
                () -> {
                    final Subscription added = aeron.addSubscription(route.subscribe(), stream);
                    try {
                        awaitActive(
                                channel,
                                () -> added.channelStatus() == ChannelEndpointStatus.ACTIVE);
                        return added;
                    } catch (final RuntimeException e) {
                        added.close();
                        throw e;
                    }
                });
    }

    private void awaitActive(final AeronChannel channel, final BooleanSupplier active) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!active.getAsBoolean()) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > ACTIVE_TIMEOUT_NS) {
                throw UserError.environment(
                        "--channel %s: the Aeron driver in %s does not open it (%s); see whether it still runs."
                                .formatted(
                                        channel.uri(),
                                        directory,
                                        String.join("; ", errors.kept())));
            }
            duty.turnOwned();
            LockSupport.parkNanos(AWAIT_PARK_NS);
        }
    }

    private <T> T owned(final AeronChannel channel, final Supplier<T> call) {
        if (!duty.own(OWN_TIMEOUT_NS)) {
            throw UserError.environment(
                    "--channel %s: the Aeron driver in %s is ending or does not answer; try again."
                            .formatted(channel.uri(), directory));
        }
        try {
            return call.get();
        } catch (final RuntimeException e) {
            throw ChannelRefusal.of(channel, directory, e);
        } finally {
            duty.disown();
        }
    }

    /** Closes one of Aeron's ends. */
    void close(final AutoCloseable end) {
        if (!duty.own(OWN_TIMEOUT_NS)) {
            return; // the process is ending, together with the driver
        }
        try {
            end.close();
            duty.turnOwned();
        } catch (final Exception e) {
            errors.onError(e);
        } finally {
            duty.disown();
        }
    }

    /** Closes client and driver. Nothing opened here may still be in use; the ownership is kept. */
    void dispose() {
        if (!duty.own(OWN_TIMEOUT_NS)) {
            return;
        }
        duty.end();
        aeron.context().closeLingerDurationNs(0);
        CloseHelper.close(errors, aeron);
        driver.ifPresent(hosted -> CloseHelper.close(errors, hosted));
    }

    /**
     * Closes the driver, or notifies a foreign one that this client leaves, while threads of this
     * process may still be working: their mappings are kept.
     */
    void abandon() {
        if (!duty.own(ABANDON_TIMEOUT_NS)) {
            driver.ifPresent(hosted -> IoUtil.delete(directory, true));
            return;
        }
        duty.end();
        driver.ifPresentOrElse(
                MediaDriver::close, () -> aeron.context().driverProxy().clientClose());
    }

    /**
     * What the driver has repaired since it started, for the end of this direction; empty once the
     * client is closed. One driver outlives several tests.
     */
    Map<String, Long> repairs(final Direction direction) {
        final Map<String, Long> repairs = new LinkedHashMap<>();
        if (!aeron.isClosed()) {
            final CountersReader counters = aeron.countersReader();
            if (direction == Direction.OUT) {
                count(
                        repairs,
                        "retransmitsSent",
                        counters,
                        SystemCounterDescriptor.RETRANSMITS_SENT);
            } else {
                count(repairs, "naksSent", counters, SystemCounterDescriptor.NAK_MESSAGES_SENT);
                count(repairs, "lossGapFills", counters, SystemCounterDescriptor.LOSS_GAP_FILLS);
            }
        }
        return repairs;
    }

    private static void count(
            final Map<String, Long> repairs,
            final String name,
            final CountersReader counters,
            final SystemCounterDescriptor counter) {
        repairs.put(name, counters.getCounterValue(counter.id()));
    }

    /** How often driver and client reported errors so far. */
    long errorCount() {
        return errors.count();
    }

    /** The errors that they reported since a given number. */
    Optional<String> errorsSince(final long before) {
        final long count = errors.count() - before;
        return count == 0
                ? Optional.empty()
                : Optional.of(
                        "Aeron reported %s: %s."
                                .formatted(
                                        Plural.of(count, "error"),
                                        String.join("; ", errors.kept())));
    }

    /**
     * Facts about driver and client for the end of this direction, with the repairs since it was
     * opened.
     */
    Map<String, Object> facts(final Direction direction, final Map<String, Long> repairsAtOpening) {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("aeronVersion", AeronVersion.VERSION);
        facts.put("driver", hostsDriver() ? "embedded" : "external");
        facts.put("driverDirectory", directory.getPath());
        driver.ifPresent(hosted -> facts.putAll(driverFacts(hosted)));
        facts.put("livenessTimeoutMs", parameters.livenessTimeout().toMillis());
        repairs(direction)
                .forEach((name, count) ->
                        facts.put(name, count - repairsAtOpening.getOrDefault(name, 0L)));
        facts.put("driverErrors", errors.count());
        if (errors.count() > 0) {
            facts.put("driverErrorsKept", String.join("; ", errors.kept()));
        }
        return facts;
    }

    private Map<String, Object> driverFacts(final MediaDriver hosted) {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("driverThreading", word(hosted.context().threadingMode()));
        facts.put("driverIdle", duty.drivesDriver() ? "none" : word(parameters.idle()));
        facts.put("socketReceiveBufferBytes", hosted.context().socketRcvbufLength());
        facts.put("socketSendBufferBytes", hosted.context().socketSndbufLength());
        facts.put("initialWindowBytes", hosted.context().initialWindowLength());
        facts.put("lossPart", parameters.lossPart());
        if (parameters.lossPart() > 0) {
            facts.put("lossSeed", parameters.lossSeed());
        }
        return facts;
    }

    private static String word(final Enum<?> constant) {
        return SettingDescriptor.word(constant);
    }
}

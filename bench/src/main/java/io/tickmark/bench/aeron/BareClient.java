package io.tickmark.bench.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.time.Duration;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;

/** A client and, where it is hosted here, its driver, set as our engine sets them. */
final class BareClient implements AutoCloseable {
    /** Up to here our engine gives its driver no thread of its own. */
    private static final int FEW_CORES = 4;

    private static final Duration LIVENESS = Duration.ofSeconds(20);

    private final Optional<MediaDriver> driver;
    private final Optional<AgentInvoker> driverInvoker;
    private final Aeron aeron;
    private final AgentInvoker clientInvoker;

    BareClient(final BareSettings settings) {
        driver = settings.hostsDriver() ? Optional.of(launch(settings)) : Optional.empty();
        driverInvoker = driver.map(MediaDriver::sharedAgentInvoker);
        final Aeron.Context context =
                new Aeron.Context()
                        .aeronDirectoryName(settings.directory())
                        .useConductorAgentInvoker(true)
                        .driverTimeoutMs(LIVENESS.toMillis());
        driverInvoker.ifPresent(context::driverAgentInvoker);
        aeron = Aeron.connect(context);
        clientInvoker = aeron.conductorAgentInvoker();
    }

    private static MediaDriver launch(final BareSettings settings) {
        final boolean invoked = Runtime.getRuntime().availableProcessors() <= FEW_CORES;
        return MediaDriver.launch(
                new MediaDriver.Context()
                        .aeronDirectoryName(settings.directory())
                        .dirDeleteOnStart(true)
                        .dirDeleteOnShutdown(true)
                        .warnIfDirectoryExists(false)
                        .asyncExecutorEnabled(false)
                        .clientLivenessTimeoutNs(LIVENESS.toNanos())
                        .driverTimeoutMs(LIVENESS.toMillis())
                        .publicationUnblockTimeoutNs(LIVENESS.toNanos() * 3 / 2)
                        .sharedIdleStrategy(new BackoffIdleStrategy())
                        .threadingMode(invoked ? ThreadingMode.INVOKER : ThreadingMode.SHARED));
    }

    Aeron aeron() {
        return aeron;
    }

    /** Takes a turn of the client and of a driver without threads. */
    void drive() {
        if (driverInvoker.isPresent()) {
            driverInvoker.get().invoke();
        }
        clientInvoker.invoke();
    }

    @Override
    public void close() {
        CloseHelper.close(aeron);
        driver.ifPresent(CloseHelper::close);
    }
}

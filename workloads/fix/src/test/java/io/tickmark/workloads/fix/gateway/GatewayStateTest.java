package io.tickmark.workloads.fix.gateway;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.fix.session.SessionClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two workers of which the second does nothing. */
class GatewayStateTest {
    private static final int MORE_THAN_A_RING_TAKES = 100;

    private final GatewayState gateway =
            new GatewayState(
                    Settings.read(GatewaySettings.class, Map.of(), key -> key),
                    2,
                    line -> {},
                    SystemNanoClock.INSTANCE);
    private final List<Worker> workers =
            IntStream.range(0, 2)
                    .mapToObj(number ->
                            new Worker(
                                    gateway,
                                    number,
                                    IdleStrategies.of(IdleMode.BLOCK, SystemNanoClock.INSTANCE),
                                    StallWatch.off(),
                                    new SessionClock(
                                            SystemNanoClock.INSTANCE, SystemEpochClock.INSTANCE)))
                    .toList();

    GatewayStateTest() {
        gateway.workers(workers);
    }

    @AfterEach
    void end() {
        workers.forEach(Worker::stop);
        workers.forEach(Worker::run); // it closes what it has opened
    }

    @Test
    void shouldNotWaitForRoomThatAWorkerWhichGaveUpDoesNotMake() {
        gateway.failed(new IllegalStateException("the second gave up"));
        bringMoreThanARingTakes();
    }

    @Test
    void shouldNotWaitForRoomWhereTheGatewayEnds() {
        workers.forEach(Worker::stop);
        bringMoreThanARingTakes();
    }

    private void bringMoreThanARingTakes() {
        final FanOutMessage message = new FanOutMessage();
        message.set(new byte[65_000], 0, 65_000, -1, 0, -1, 0);
        assertTimeoutPreemptively(
                Duration.ofSeconds(120),
                () -> {
                    for (int i = 0; i < MORE_THAN_A_RING_TAKES; i++) {
                        gateway.passToOtherWorkers(0, message);
                    }
                });
    }
}

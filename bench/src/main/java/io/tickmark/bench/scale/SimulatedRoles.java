package io.tickmark.bench.scale;

import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.StepLine;
import io.tickmark.lab.protocol.ToRole;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Many roles in one process that send what real ones send, at the same times: {@code PORT COUNT}.
 * Each has its own connection.
 */
public final class SimulatedRoles {
    private static final int VALUES = 20_000;
    private static final int MESSAGES_A_SECOND = 1_000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Histogram histogram = new Histogram(1, TimeUnit.HOURS.toNanos(1), 3);
    private final LatencyInterval interval;

    private SimulatedRoles() {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < VALUES; i++) {
            histogram.recordValue(1 + (long) Math.exp(9 + 4 * random.nextDouble()));
        }
        interval = LatencyInterval.of(histogram);
    }

    /**
     * Says all there is to say, and ends.
     *
     * @param arguments port of the controller on loopback, and how many roles
     * @throws InterruptedException if it is to end
     */
    public static void main(final String[] arguments) throws InterruptedException {
        final SimulatedRoles roles = new SimulatedRoles();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            threads.add(
                    Thread.startVirtualThread(() -> roles.play(Integer.parseInt(arguments[0]))));
        }
        for (final Thread thread : threads) {
            thread.join();
        }
    }

    private void play(final int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
            Lines.send(
                    out,
                    new FromRole.Hello(FromRole.PROTOCOL, ProcessHandle.current().pid(), "25"));
            final Lines.Reader orders = new Lines.Reader(socket.getInputStream());
            long durationNs = 0;
            for (Optional<String> line = orders.next(); line.isPresent(); line = orders.next()) {
                switch (Lines.parse(line.get(), ToRole.class)) {
                    case final ToRole.Prepare prepare -> {
                        durationNs =
                                Durations.parse(
                                                prepare.settings().get("duration").toString(),
                                                "duration")
                                        .toNanos();
                        Lines.send(out, new FromRole.Bound(prepare.id(), Endpoints.NONE));
                    }
                    case final ToRole.Connect connect ->
                            Lines.send(out, new FromRole.Ready(connect.id()));
                    case final ToRole.StartAt start -> measure(out, start, durationNs);
                    case final ToRole.Bye _ -> {
                        return;
                    }
                    default -> {}
                }
            }
        } catch (final IOException e) {
            // the controller is gone, and says why
        }
    }

    private void measure(final OutputStream out, final ToRole.StartAt start, final long durationNs)
            throws IOException {
        // as real ones do, each at a different moment
        final long spread = Math.floorMod(start.id().hashCode() * 7_919L, SECOND_NS);
        for (long atNs = spread; atNs < durationNs; atNs += SECOND_NS) {
            final long waitNs = start.startAtNs() + atNs - SystemNanoClock.INSTANCE.nanoTime();
            LockSupport.parkNanos(Math.max(0, waitNs));
            Lines.send(out, progress(start.id(), atNs));
        }
        final long received = MESSAGES_A_SECOND * durationNs / SECOND_NS;
        Lines.send(
                out,
                new FromRole.Step(
                        start.id(),
                        StepLine.of(
                                new StepResult(
                                        0,
                                        "64B",
                                        64,
                                        Map.of(Counts.RECEIVED, received),
                                        durationNs,
                                        0,
                                        0,
                                        Map.of(
                                                Latencies.RESPONSE_NS, histogram,
                                                Latencies.SERVICE_NS, histogram),
                                        List.of()))));
        Lines.send(out, new FromRole.Result(start.id(), Map.of(), List.of(), ""));
    }

    private FromRole.Progress progress(final String id, final long elapsedNs) {
        return new FromRole.Progress(
                id,
                0,
                "64B",
                true,
                elapsedNs,
                Map.of(Counts.RECEIVED, MESSAGES_A_SECOND * elapsedNs / SECOND_NS),
                Map.of(),
                Map.of(Latencies.RESPONSE_NS, interval, Latencies.SERVICE_NS, interval));
    }
}

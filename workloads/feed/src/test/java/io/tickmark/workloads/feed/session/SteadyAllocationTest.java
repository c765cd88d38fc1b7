package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.client.ClientGroup;
import io.tickmark.workloads.feed.serve.ChannelList;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.stream.LongStream;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What feed and sessions allocate for a message once they run: nothing. */
class SteadyAllocationTest {
    /** The least object has 16 bytes; the notes of each second are in the figure. */
    private static final double LEAST_OBJECT_BYTES = 16;

    private static final double MOST_BYTES = LEAST_OBJECT_BYTES / 2;

    private static final int CLIENTS = 5;
    private static final int WARM_UP_MESSAGES = 60_000;
    private static final int MESSAGES = 30_000;

    /**
     * Queues grow while a busy machine lets messages wait; the cost of a message is in each window.
     */
    private static final int WINDOWS = 5;

    private static final long MS = 1_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Continues until a number of messages were sent: a busy machine takes longer. */
    private static void measure(
            final RunningServer server, final ClientGroup group, final long messages) {
        group.measure(
                0,
                System.nanoTime() + 120_000 * MS,
                () -> server.hub().figures().counts().sent().get() >= messages);
    }

    private static boolean isHot(final ThreadInfo thread) {
        return thread != null
                && (thread.getThreadName().startsWith("sessions-")
                        || thread.getThreadName().startsWith("feed-"));
    }

    private static long allocated() {
        return LongStream.of(THREADS.getAllThreadIds())
                .filter(id -> isHot(THREADS.getThreadInfo(id)))
                .map(THREADS::getThreadAllocatedBytes)
                .sum();
    }

    @ParameterizedTest
    @CsvSource({
        "ws-binary, 0ms, merge",
        "ws-binary, 2ms, buffer",
        "ws-json, 0ms, merge",
        "ws-json, 2ms, ignore"
    })
    void shouldAllocateNothingForAMessage(
            final String channel, final String flush, final String conflation) {
        final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        try (RunningServer server =
                        new RunningServer(Map.of("symbols", 10, "rate", 20_000)).start();
                ClientGroup group = new ClientGroup(SystemNanoClock.INSTANCE, recording)) {
            for (int i = 0; i < CLIENTS; i++) {
                group.connect(
                        server.forClients(),
                        ChannelList.shipped().get(channel),
                        RunningServer.session(Map.of("flush", flush, "conflation", conflation)));
            }
            assertThat(group.awaitOpen(120_000 * MS)).isTrue();
            measure(server, group, WARM_UP_MESSAGES);
            double least = Double.MAX_VALUE;
            for (int i = 0; i < WINDOWS && least > MOST_BYTES; i++) {
                least = Math.min(least, allocatedForAMessage(server, group));
            }
            assertThat(least).isBetween(0.0, MOST_BYTES);
        }
    }

    private static double allocatedForAMessage(
            final RunningServer server, final ClientGroup group) {
        final long bytes = allocated();
        final long messages = server.hub().figures().counts().sent().get();
        measure(server, group, messages + MESSAGES);
        return (double) (allocated() - bytes)
                / (server.hub().figures().counts().sent().get() - messages);
    }
}

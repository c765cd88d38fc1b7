package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tickmark.workloads.fix.trial.Trial;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In the steady state a worker allocates nothing for a message: the JVM counts for each thread. */
class AllocationTest {
    private static final int CONSUMERS = 10;
    private static final long COPIES = 200_000;

    /** Compilers may take escape analysis back once. */
    private static final double MOST_BYTES_A_COPY = 1;

    /** On a busy machine the compilers are not done with all of it after the warm-up. */
    private static final int ATTEMPTS = 5;

    /** Counters are shown 20 times a second, however few copies are sent in it. */
    private static final double COUNTERS_BYTES_A_SECOND = 50_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void shouldAllocateNothingForAMessage() throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("slow", "block"))
                        .consumers(Map.of("consumers", CONSUMERS))
                        .producers(
                                Map.of(
                                        "producers",
                                        2,
                                        "duration",
                                        "600s",
                                        "rate",
                                        10_000,
                                        "every",
                                        1,
                                        "warmUp",
                                        "0"))
                        .start()) {
            final long worker = worker();
            final OwnEngine engine = engine(trial);
            await(engine, 2 * COPIES); // compiled, buffers as large as they get
            String said = "";
            boolean isWithin = false;
            for (int attempt = 0; attempt < ATTEMPTS && !isWithin; attempt++) {
                final long before = THREADS.getThreadAllocatedBytes(worker);
                final long sentBefore = sent(engine);
                final long beganNs = System.nanoTime();
                await(engine, sentBefore + COPIES);
                final long allocated = THREADS.getThreadAllocatedBytes(worker) - before;
                final double seconds = (System.nanoTime() - beganNs) / 1e9;
                final double copies = sent(engine) - sentBefore;
                isWithin =
                        allocated < MOST_BYTES_A_COPY * copies + COUNTERS_BYTES_A_SECOND * seconds;
                said +=
                        "%d bytes for %.0f copies in %.1f s; "
                                .formatted(allocated, copies, seconds);
            }
            trial.stop("producers");

            assertThat(isWithin).as(said).isTrue();
        }
    }

    private static OwnEngine engine(final Trial trial) {
        return (OwnEngine) ((Gateway) trial.role("gateway")).engine();
    }

    private static long worker() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().equals("fix-worker-1"))
                .findFirst()
                .orElseThrow()
                .getThreadId();
    }

    private static long sent(final OwnEngine engine) {
        return engine.counts().get("gatewayOut");
    }

    private static void await(final OwnEngine engine, final long copies) throws Exception {
        for (int looks = 0; sent(engine) < copies; looks++) {
            assertThat(looks).as("waiting for %d copies", copies).isLessThan(12_000);
            Thread.sleep(10);
        }
    }
}

package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EngineProcessesTest {
    /** Above the highest number that Linux gives a process. */
    private static final long NOBODY = (1L << 22) + 1;

    @Test
    void shouldKnowHowLongTheThreadsOfAProcessWaitedForACore() {
        assumeTrue(Files.exists(Path.of("/proc/self/schedstat")));
        final long pid = ProcessHandle.current().pid();

        final long beforeNs = EngineProcesses.waitedNs(pid).orElseThrow();

        assertThat(beforeNs).as("the JVM has started").isPositive();
    }

    @Test
    void shouldKnowNothingOfAProcessThatHasEnded() {
        assertThat(EngineProcesses.waitedNs(NOBODY)).isEmpty();
    }
}

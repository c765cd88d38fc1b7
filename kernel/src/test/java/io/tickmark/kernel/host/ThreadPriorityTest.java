package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ThreadPriorityTest {
    /** Fields of the stat file after the name, which ends with the last bracket. */
    private static final int NICE = 16;

    private static final int POLICY = 38;

    @Test
    void shouldLowerThePriorityOfTheCallingThreadOnly() throws Exception {
        final String before = statOfThisThread(NICE);

        final String inWorker =
                OnWorker.call(() -> {
                    assertThat(ThreadPriority.nice(7)).isEmpty();
                    return statOfThisThread(NICE);
                });

        assertThat(inWorker).isEqualTo("7");
        assertThat(statOfThisThread(NICE)).isEqualTo(before);
    }

    @Test
    void shouldRaiseThePriorityOrSayThatItIsNotPermitted() throws Exception {
        OnWorker.call(() -> {
            final Optional<String> warning = ThreadPriority.nice(-5);
            if (warning.isEmpty()) {
                assertThat(statOfThisThread(NICE)).isEqualTo("-5");
            } else {
                assertThat(warning.get()).startsWith("Nice value -5 is not set: not permitted");
            }
            return "";
        });
    }

    @Test
    void shouldScheduleAsABatchWithTheSameNiceValue() throws Exception {
        assertThat(
                        OnWorker.call(() -> {
                            assertThat(ThreadPriority.batch()).isEmpty();
                            assertThat(statOfThisThread(POLICY)).isEqualTo("3");
                            return ThreadPriority.describe();
                        }))
                .isEqualTo("batch, " + ThreadPriority.describe());
    }

    @Test
    void shouldScheduleInRealTimeOrSayThatItIsNotPermitted() throws Exception {
        OnWorker.call(() -> {
            final Optional<String> warning = ThreadPriority.realTime(1);
            if (warning.isEmpty()) {
                assertThat(statOfThisThread(POLICY)).isEqualTo("1");
                assertThat(ThreadPriority.describe()).isEqualTo("real-time 1");
            } else {
                assertThat(warning.get())
                        .startsWith("Real-time priority 1 is not set: not permitted");
            }
            return "";
        });
    }

    @Test
    void shouldSayHowAThreadIsScheduled() throws Exception {
        final String said =
                OnWorker.call(() -> {
                    assertThat(ThreadPriority.nice(7)).isEmpty();
                    return ThreadPriority.describe();
                });

        assertThat(said).isEqualTo("nice 7");
        assertThat(ThreadPriority.described("1 (odd ) name) S 1")).isEqualTo("unknown");
    }

    @Test
    void shouldSetTheTimerSlackOfAThread() throws Exception {
        assertThat(OnWorker.call(() -> ThreadPriority.timerSlack(1))).isEmpty();
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        assertThat(ThreadPriority.nice(20).orElseThrow()).contains("-20 to 19");
        assertThat(ThreadPriority.nice(-21).orElseThrow()).contains("-20 to 19");
        assertThat(ThreadPriority.realTime(0).orElseThrow()).contains("1 to 99");
        assertThat(ThreadPriority.realTime(100).orElseThrow()).contains("1 to 99");
        assertThat(ThreadPriority.timerSlack(0).orElseThrow()).contains("1 or more");
    }

    private static String statOfThisThread(final int fieldAfterName) throws IOException {
        final String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[fieldAfterName];
    }
}

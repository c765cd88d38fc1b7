package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PausesTest {
    @Test
    void shouldReadWhatJvmsWriteAndPassOverTheRest(@TempDir final Path folder) throws Exception {
        final Path log =
                Files.writeString(
                        folder.resolve("pauses.log"),
                        """
                        [100ns] Using G1
                        [1000ns] Safepoint "G1CollectFull", Time since last: 9 ns, Reaching safepoint: 10 ns, \
                        At safepoint: 85 ns, Leaving safepoint: 5 ns, Total: 100 ns, Threads: 2 runnable, 10 total
                        [2000ns] Safepoint "ICBufferFull", Time since last: 9 ns, Reaching safepoint: 10 ns, \
                        At safepoint: 35 ns, Leaving safepoint: 5 ns, Total: 50 ns, Threads: 2 runnable, 10 total
                        [3000ns] Safepoint "ZMarkEndYoung", Time since last: 9 ns, Cleanup: 0 ns, Total: 70 ns
                        [3500ns] cid= 132     level=4 a.B$C.put(ILjava/lang/Object;)Z trap_bci=69 unstable_if \
                        reinterpret pc=0x00007fb3efed4b3c relative_pc=0x00000000000006bc
                        [4000ns] Safepoint "G1CollectFu\
                        """);
        final Pauses pauses = Pauses.of(List.of(log), ClockLine.SAME, _ -> 0);

        assertThat(pauses.isKept()).isTrue();
        assertThat(pauses.collectedNs(0, 10_000)).isEqualTo(170);
        assertThat(pauses.heldNs(0, 10_000)).isEqualTo(50);
        assertThat(pauses.collectedNs(950, 2_960)).as("parts of two").isEqualTo(50 + 30);
        assertThat(pauses.collectedNs(1_000, 2_930)).isZero();
        assertThat(pauses.heldNs(1_000, 1_960)).isEqualTo(10);
        final Map<String, Long> operations = new HashMap<>();
        pauses.addOperations(950, 2_960, operations);
        assertThat(operations)
                .containsOnly(
                        Map.entry("safepoint:G1CollectFull", 50L),
                        Map.entry("safepoint:ICBufferFull", 50L),
                        Map.entry("safepoint:ZMarkEndYoung", 30L));
        assertThat(pauses.deoptimisations())
                .containsExactly(new Pauses.Deoptimisation(3_500, "a.B$C.put", "unstable_if"));
    }

    @Test
    void shouldReadFromALineOn(@TempDir final Path folder) throws Exception {
        final String before = "[1000ns] Safepoint \"G1CollectFull\", Total: 100 ns\n";
        final Path log =
                Files.writeString(
                        folder.resolve("pauses.log"), before + before.replace("1000", "5000"));

        final Pauses pauses = Pauses.of(List.of(log), ClockLine.SAME, _ -> before.length());

        assertThat(pauses.collectedNs(0, 2_000)).isZero();
        assertThat(pauses.collectedNs(4_000, 6_000)).isEqualTo(100);
    }

    @Test
    void shouldSayWhereNoneIsKept() throws Exception {
        assertThat(Pauses.of(List.of(), ClockLine.SAME, _ -> 0).isKept()).isFalse();
    }

    /** A JVM begins an existing log anew: those of the repeats before were lost. */
    @Test
    void shouldReadTheLogsOfProcessesThatFollowedEachOther(@TempDir final Path folder)
            throws Exception {
        for (final long endNs : new long[] {1_000, 5_000}) {
            final Path log = Pauses.next(folder);
            assertThat(log).doesNotExist();
            Files.writeString(
                    log, "[%dns] Safepoint \"G1CollectFull\", Total: 100 ns%n".formatted(endNs));
        }

        assertThat(Pauses.logs(folder))
                .extracting(log -> log.getFileName().toString())
                .containsExactly("pauses.log", "pauses-2.log");
        final Pauses pauses = Pauses.of(Pauses.logs(folder), ClockLine.SAME, _ -> 0);
        assertThat(pauses.collectedNs(0, 2_000)).isEqualTo(100);
        assertThat(pauses.collectedNs(4_000, 6_000)).isEqualTo(100);
    }
}

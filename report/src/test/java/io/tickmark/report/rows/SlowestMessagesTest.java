package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.Attribution.Delay;
import io.tickmark.lab.tail.Cause;
import io.tickmark.lab.tail.Stall;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.NotedMessages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowestMessagesTest {
    private static final long LATENCY_NS = TimeUnit.MILLISECONDS.toNanos(320);

    private static long ms(final long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private static Delay delay(
            final String where, final Cause cause, final long lengthMs, final String instead) {
        final long ns = ms(lengthMs);
        return new Delay(where, new Stall(0, ns, Map.of(cause, ns), instead), ns, false);
    }

    /** Of a message that a busy machine stalled all the time. */
    private static List<Delay> forty() {
        final List<Delay> delays = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            delays.add(delay("the receiver", Cause.PREEMPTED, 20, i < 9 ? "python3" : "task-" + i));
            delays.add(delay("the sender", Cause.OFF_CORE, 4, ""));
            delays.add(delay("the echo", Cause.PREEMPTED, 2, "C2_CompilerThre"));
        }
        for (int i = 0; i < 4; i++) {
            delays.add(delay("the echo", Cause.PAGE_FAULT, 1, ""));
        }
        return delays;
    }

    /** Each was told by itself, in a line of two thousand characters. */
    @Test
    void shouldSumStallsByPlaceAndCause() {
        assertThat(SlowestMessages.why(forty(), LATENCY_NS))
                .isEqualTo(
                        "the receiver was stalled for 240 ms in 12 stalls: another task ran on the core (dated); meanwhile"
                                + " python3, task-9 and 2 more ran; the sender was stalled for 48.0 ms in 12 stalls: off the"
                                + " core for an unknown reason (inferred); the echo was stalled for 24.0 ms in"
                                + " 12 stalls: another task ran on the core (dated); meanwhile C2_CompilerThre ran; and 4 other"
                                + " stalls");
    }

    @Test
    void shouldTellEachCauseOfASingleStall() {
        final Stall stall =
                new Stall(0, ms(10), Map.of(Cause.CORE_TAKEN, ms(7), Cause.ON_CORE, ms(3)), "");

        assertThat(
                        SlowestMessages.why(
                                List.of(new Delay("a thread", stall, ms(9), true)), LATENCY_NS))
                .isEqualTo(
                        "behind others: a thread was stalled for 10.0 ms: 7.00 ms another task ran on the core (apportioned),"
                                + " 3.00 ms on the core by the kernel's count, but not in its loop (interrupt, fault, hypervisor)"
                                + " (inferred)");
    }

    private static Optional<SlowestMessages> of(final Path folder, final int most) {
        final Block block = Block.of(List.of(NotedMessages.row("shm:"))).getFirst();
        return SlowestMessages.of(
                block, block.rows().getFirst(), new TailReader(), new RoleFolders(folder), most);
    }

    @Test
    void shouldListTheSlowestAndWhatDelayedEach(@TempDir final Path folder) throws Exception {
        NotedMessages.in(folder, "shm:");

        final SlowestMessages slowest = of(folder, SlowestMessages.ROWS).orElseThrow();

        assertThat(slowest.title())
                .isEqualTo(
                        "latency on shm:, 64 bytes: median 20.0 ns; the slowest 500 of 1,000 messages");
        assertThat(slowest.rows()).hasSize(SlowestMessages.ROWS);
        assertThat(slowest.rows())
                .allSatisfy(row -> assertThat(row).hasSameSizeAs(SlowestMessages.COLUMNS));
        final List<String> first = slowest.rows().getFirst();
        assertThat(first.subList(0, 2)).containsExactly("0.100000", "1");
        assertThat(first.subList(3, 6)).containsExactly("1.00 ns", "4.00 ms", "4.00 ms");
        assertThat(first.getLast())
                .matches("the .* was stalled for 4.00 ms: .* \\((dated|apportioned|inferred)\\)");
        assertThat(slowest.rows().get(1).getLast()).isEqualTo(TailFigures.REST);
        assertThat(of(folder, 3).orElseThrow().rows()).isEqualTo(slowest.rows().subList(0, 3));
        assertThat(of(folder, 3).orElseThrow().all()).isEqualTo(slowest.all()).isGreaterThan(400);
    }

    @Test
    void shouldListNothingWhereNothingWasNoted(@TempDir final Path folder) {
        assertThat(of(folder, SlowestMessages.ROWS)).isEmpty();
    }

    @Test
    void shouldNotTakeWhatCannotBeReadForNothing(@TempDir final Path folder) throws Exception {
        final Path role = NotedMessages.in(folder, "shm:");
        Files.writeString(role.resolve(RoleFiles.STALLS), "stall,1,7,nonsense\n");

        assertThatThrownBy(() -> of(folder, SlowestMessages.ROWS))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(
                        "What the roles of latency on shm: noted of repeat 1 is incomplete");
    }
}

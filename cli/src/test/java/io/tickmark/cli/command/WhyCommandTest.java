package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.tail.Attribution.Delay;
import io.tickmark.lab.tail.Cause;
import io.tickmark.lab.tail.Stall;
import io.tickmark.report.text.Ink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WhyCommandTest {
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
        assertThat(WhyCommand.why(forty(), LATENCY_NS))
                .isEqualTo(
                        "the receiver was stalled for 240 ms in 12 stalls: another task had the core (dated); meanwhile"
                                + " python3, task-9 and 2 more ran; the sender was stalled for 48.0 ms in 12 stalls: off the"
                                + " core for an unknown reason (inferred); the echo was stalled for 24.0 ms in"
                                + " 12 stalls: another task had the core (dated); meanwhile C2_CompilerThre ran; and 4 other"
                                + " stalls");
    }

    @Test
    void shouldTellEachCauseOfASingleStall() {
        final Stall stall =
                new Stall(0, ms(10), Map.of(Cause.CORE_TAKEN, ms(7), Cause.ON_CORE, ms(3)), "");

        assertThat(WhyCommand.why(List.of(new Delay("a thread", stall, ms(9), true)), LATENCY_NS))
                .isEqualTo(
                        "behind others: a thread was stalled for 10.0 ms: 7.00 ms another task had the core (apportioned),"
                                + " 3.00 ms on the core by the kernel's count, but not in its loop (interrupt, fault, hypervisor)"
                                + " (inferred)");
    }

    @Test
    void shouldKeepWithinTheWidthOfTheTerminal() {
        final String why = WhyCommand.why(forty(), LATENCY_NS);
        final List<String> row =
                List.of("7.731000", "1", "19", "135 ns", "320 ms", "316 ms", "4.00 ms", why);

        for (final int width : List.of(40, 80, 100, 132)) {
            final List<String> lines = WhyCommand.lines(List.of(row, row), width, Ink.PLAIN);
            assertThat(lines).allMatch(line -> line.length() <= width);
            assertThat(String.join(" ", lines).replaceAll("\\s+", " ")).contains(why);
        }
    }
}

package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.report.text.Ink;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhyCommandTest {
    @Test
    void shouldKeepWithinTheWidthOfTheTerminal() {
        final String why =
                "the receiver was stalled for 240 ms in 12 stalls: another task ran on the core (dated); meanwhile"
                        + " python3, task-9 and 2 more ran; the sender was stalled for 48.0 ms in 12 stalls: off the"
                        + " core for an unknown reason (inferred); and 16 other stalls";
        final List<String> row =
                List.of("7.731000", "1", "19", "135 ns", "320 ms", "316 ms", "4.00 ms", why);

        for (final int width : List.of(40, 80, 100, 132)) {
            final List<String> lines = WhyCommand.lines(List.of(row, row), width, Ink.PLAIN);
            assertThat(lines).allMatch(line -> line.length() <= width);
            assertThat(String.join(" ", lines).replaceAll("\\s+", " ")).contains(why);
        }
    }
}

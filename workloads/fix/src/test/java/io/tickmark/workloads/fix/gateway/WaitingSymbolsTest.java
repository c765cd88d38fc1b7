package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingSymbolsTest {
    private final ConsumerSession.WaitingSymbols waiting = new ConsumerSession.WaitingSymbols();

    private List<Integer> takenOut() {
        final List<Integer> symbols = new ArrayList<>();
        while (!waiting.isEmpty()) {
            symbols.add(waiting.first());
            waiting.removeFirst();
        }
        return symbols;
    }

    @Test
    void shouldGiveSymbolsInTheOrderOfTheirNewestMessages() {
        assertThat(waiting.isEmpty()).isTrue();
        for (final int symbol : new int[] {7, 0, 300, 2}) {
            assertThat(waiting.add(symbol)).as("symbol %d", symbol).isTrue();
        }
        assertThat(waiting.add(7)).as("first again").isFalse();
        assertThat(waiting.add(300)).as("in the middle again").isFalse();
        assertThat(waiting.add(300)).as("last again").isFalse();
        assertThat(takenOut()).containsExactly(0, 2, 7, 300);
    }

    @Test
    void shouldTakeASymbolAgainThatWasTakenOut() {
        waiting.add(1);
        waiting.add(2);
        waiting.removeFirst();
        assertThat(waiting.add(1)).isTrue();
        assertThat(takenOut()).containsExactly(2, 1);
        assertThat(waiting.add(2)).isTrue();
        assertThat(takenOut()).containsExactly(2);
    }
}

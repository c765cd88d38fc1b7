package io.tickmark.transport.nulls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.nulls.DelayProgram.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PatternTest {
    @Test
    void shouldPickEveryHundredthForOnePercent() {
        final Pattern pattern = new Pattern(0.01, 0, 0);

        assertThat(picked(pattern, 400)).containsExactly(99, 199, 299, 399);
    }

    @Test
    void shouldPickInTheMiddleOfThePeriodWithHalfAPhase() {
        assertThat(picked(new Pattern(0.01, 0.5, 0), 200)).containsExactly(49, 149);
    }

    @Test
    void shouldShiftBySeed() {
        assertThat(picked(new Pattern(0.01, 0, 9), 200)).containsExactly(90, 190);
    }

    @Test
    void shouldCountWhatItPicksForAnyPart() {
        for (final double part : new double[] {0, 0.001, 0.29, 1.0 / 3, 0.5, 0.999, 1}) {
            final Pattern pattern = new Pattern(part, 0.25, 7);

            assertThat(pattern.pickedOf(10_000))
                    .isEqualTo(picked(pattern, 10_000).length)
                    .isBetween((long) (part * 10_000) - 1, (long) (part * 10_000) + 1);
        }
    }

    @Test
    void shouldStayExactAtTheLargestSequence() {
        final long last = (1L << 32) - 1;

        assertThat(new Pattern(1, 0.5, 1_000_000).picks(last)).isTrue();
        assertThat(new Pattern(1, 0.5, 1_000_000).pickedOf(last + 1)).isEqualTo(last + 1);
    }

    private static long[] picked(final Pattern pattern, final long messages) {
        return LongStream.range(0, messages).filter(pattern::picks).toArray();
    }
}

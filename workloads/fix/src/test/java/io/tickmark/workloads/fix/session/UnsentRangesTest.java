package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnsentRangesTest {
    private final UnsentRanges numbers = new UnsentRanges();

    @Test
    void shouldContainEachNumberUntilItIsRemoved() {
        for (int number = 5; number < 9; number++) {
            numbers.add(number);
        }
        numbers.add(20);
        assertThat(numbers.remove(4)).isFalse();
        assertThat(numbers.remove(9)).isFalse();
        assertThat(numbers.remove(6)).as("within").isTrue();
        assertThat(numbers.remove(6)).as("again").isFalse();
        assertThat(numbers.remove(8)).as("at the end").isTrue();
        assertThat(numbers.remove(5)).as("alone").isTrue();
        assertThat(numbers.remove(7)).isTrue();
        assertThat(numbers.remove(20)).isTrue();
        assertThat(numbers.remove(20)).isFalse();
    }

    @Test
    void shouldForgetAllWhereNumbersBeginAnew() {
        numbers.add(7);
        numbers.clear();
        numbers.add(1);
        assertThat(numbers.remove(7)).isFalse();
        assertThat(numbers.remove(1)).isTrue();
    }

    @Test
    void shouldDoAsASetDoesInAnyOrder() {
        final Random random = new Random(11);
        final Set<Long> expected = new HashSet<>();
        long next = 1;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextBoolean()) {
                next += random.nextInt(3) == 0 ? 2 : 1;
                numbers.add(next);
                expected.add(next);
            } else {
                final long number = next - random.nextInt(50);
                assertThat(numbers.remove(number)).isEqualTo(expected.remove(number));
            }
        }
    }
}

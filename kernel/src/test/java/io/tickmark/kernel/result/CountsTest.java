package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CountsTest {
    /** Roles report counts that are named nowhere but where they count. */
    @Test
    void shouldKeepTheLargestWhereTheNameSaysMaximumAndAddUpEverythingElse() {
        final Map<String, Long> counts = new HashMap<>();
        for (final long count : new long[] {3, 7, 5}) {
            for (final String name :
                    List.of("seen", "maxPause", "role-2.maxPause", Counts.MAX_LAG_NS)) {
                Counts.merge(counts, name, count);
            }
            Counts.merge(counts, Counts.COUNTED_IN, count);
            Counts.merge(counts, Counts.RECEIVED, count);
        }

        assertThat(counts)
                .containsOnly(
                        Map.entry("seen", 15L),
                        Map.entry("maxPause", 7L),
                        Map.entry("role-2.maxPause", 7L),
                        Map.entry(Counts.MAX_LAG_NS, 7L),
                        Map.entry(Counts.COUNTED_IN, 7L),
                        Map.entry(Counts.RECEIVED, 15L));
    }
}

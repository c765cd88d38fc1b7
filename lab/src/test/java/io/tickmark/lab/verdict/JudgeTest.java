package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JudgeTest {
    /** Up to 50 ms in the end is a stall, or a tenth of a short trial; of a long one, 1 %. */
    @ParameterizedTest
    @CsvSource({
        "100000000000, 989, true",
        "100000000000, 991, false",
        "10000000000, 989, true",
        "1000000000, 960, false",
        "1000000000, 940, true",
        "300000000, 910, false",
        "300000000, 890, true",
    })
    void shouldTellAStallInTheEndFromARateThatIsNotHeld(
            final long durationNs, final double achieved, final boolean isSaturated) {
        final StepMerge step = new StepMerge(0, Set.of());
        final Map<String, Long> counts = Map.of(Counts.SENT, 10L);
        step.add(
                new StepResult(0, "", 64, counts, durationNs, 1000, achieved, Map.of(), List.of()));

        final Criteria criteria = Settings.read(Criteria.class, Map.of(), key -> key);
        assertThat(Judge.isSaturated(step, criteria)).isEqualTo(isSaturated);
    }
}

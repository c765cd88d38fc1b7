package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.lab.cores.CorePlacement;
import io.tickmark.lab.cores.Recommendation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTableTest {
    /** A machine of eight nodes filled the screen below that of the run. */
    @Test
    void shouldShowTheBestOfManyPlacementsAndCountTheOthers() {
        final List<Recommendation.Score> scores = new ArrayList<>();
        for (int node = 0; node < 24; node++) {
            scores.add(
                    new Recommendation.Score(
                            new CorePlacement(
                                    "node%d-cores".formatted(node), List.of(1), List.of()),
                            new Aggregate.Spread(10 * node, 10 * node - 1, 10 * node + 1),
                            5,
                            0));
        }
        final Recommendation many = new Recommendation(false, 1, scores, List.of());

        assertThat(PlacementTable.screen(many, 100))
                .contains("node7-cores ", "and 16 more placements with --verbose.")
                .doesNotContain("node8-cores");
        assertThat(PlacementTable.text(many, 100))
                .contains("node23-cores")
                .doesNotContain("--verbose");
    }
}

package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.data.ItemList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartupDiagnosisTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    private final WatchedItems items = new WatchedItems(ItemList.own(2, "--item-count"));

    private String diagnosis(final boolean allRequested, final String refusal) {
        return ConsumerConnection.StartupDiagnosis.of(
                PATIENCE_NS, items, ConsumerCounts.COLUMNS.zero(), allRequested, refusal);
    }

    @Test
    void shouldSayWhyARequestWasRefused() {
        assertThat(diagnosis(false, "ReactorChannel is not available"))
                .isEqualTo(
                        "Steady state was not reached within 3s: 0 of 2 images arrived; not all items could be "
                                + "requested: ReactorChannel is not available.");
    }

    @Test
    void shouldBlameTheRequestRateWhereNothingWasRefused() {
        assertThat(diagnosis(false, "")).contains("raise --request-rate");
    }

    @Test
    void shouldDistinguishUnansweredItemsFromSlowOnes() {
        assertThat(diagnosis(true, "")).contains("2 items are unanswered").doesNotContain("slow");
        items.answer(0);
        assertThat(diagnosis(true, "")).contains("1 item is unanswered");
        items.answer(1);
        assertThat(diagnosis(true, "")).contains("they arrive too slowly");
    }
}

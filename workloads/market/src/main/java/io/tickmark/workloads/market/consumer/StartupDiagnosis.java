package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.settings.Durations;
import java.time.Duration;

/** Says why the steady state was not reached, from the consumer's own counts. */
final class StartupDiagnosis {
    private StartupDiagnosis() {}

    /** {@code refusal} is the library's, of the request that waits; empty where it refused none. */
    static String of(
            final long patienceNs,
            final WatchedItems items,
            final ConsumerCounts counts,
            final boolean allRequested,
            final String refusal) {
        return "Steady state was not reached within %s: %d of %d images came%s."
                .formatted(
                        Durations.format(Duration.ofNanos(patienceNs)),
                        items.images(),
                        items.size(),
                        reason(items, counts, allRequested, refusal));
    }

    private static String reason(
            final WatchedItems items,
            final ConsumerCounts counts,
            final boolean allRequested,
            final String refusal) {
        if (items.closed() > 0) {
            return "; %d items were closed by the provider, the last one %s (do the item lists of both sides match?)"
                    .formatted(items.closed(), items.closedWords());
        }
        if (counts.suspects().get() > 0) {
            return ("; %d images were placeholders with suspect data: the hub does not hold these items "
                            + "(yet), do the item lists match?")
                    .formatted(counts.suspects().get());
        }
        if (!allRequested && !refusal.isEmpty()) {
            return "; not all items could be requested: " + refusal;
        }
        if (!allRequested) {
            return "; not all items were requested yet: raise --request-rate or --steady-state-time";
        }
        final int unanswered = items.size() - items.answered();
        if (unanswered > 0) {
            return ("; %d items are unanswered: the provider says nothing of them, neither an image nor that "
                            + "there is none%s; does it serve them, or is it overloaded by its update rate?")
                    .formatted(
                            unanswered,
                            counts.repeated().get() == 0
                                    ? ""
                                    : ", although %d requests were sent again (--request-timeout)"
                                            .formatted(counts.repeated().get()));
        }
        return "; they come too slowly: lower the provider's update rate, or raise --steady-state-time";
    }
}

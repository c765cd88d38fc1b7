package io.tickmark.lab.control;

import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Searches of an engine whose capacity is known. */
abstract class SearchTesting {
    final KnownCapacity engine = new KnownCapacity();

    /** What is reported after each trial. */
    final List<SearchRun.End> parts = new ArrayList<>();

    Criteria criteria = Criteria.DEFAULT;

    private static SearchGoal goal(final Map<String, Object> changes) {
        final Map<String, Object> settings = new HashMap<>(changes);
        settings.putIfAbsent("width", 0.01);
        return Settings.read(SearchGoal.class, settings, key -> key);
    }

    SearchRun.End search(final Map<String, Object> goal) {
        final TestPlan test =
                TestPlan.builder("t", "stream")
                        .role(RolePlan.of("stream-pub", Map.of("rate", 5, "duration", "1s")))
                        .criteria(criteria)
                        .build();
        return new SearchRun(test, "shm:", goal(goal), engine, new VirtualClock(0), parts::add)
                .run();
    }

    static List<SearchTrial> of(final SearchSummary summary, final Purpose purpose) {
        return summary.trials().stream().filter(trial -> trial.purpose() == purpose).toList();
    }
}

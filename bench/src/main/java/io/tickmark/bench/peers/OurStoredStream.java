package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Our stream through an archive as fast as possible, with all that is recorded by default; the
 * figure named after the size is the rate found on disk when the store was read back.
 *
 * @param frontDoor to run it
 * @param payloadBytes message length
 * @param settings of the run
 */
record OurStoredStream(PlanRunner frontDoor, int payloadBytes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Override
    public String name() {
        return "tickmark archive: %d B".formatted(payloadBytes);
    }

    @Override
    public Map<String, Double> measure() {
        final TestPlan test =
                PlanRunner.throughArchive("stored", settings.pinning())
                        .setting("payloadBytes", payloadBytes)
                        .setting("duration", settings.seconds() + "s")
                        .setting("jvmWarmUp", settings.warmUpSeconds() + "s")
                        .build();
        final List<TrialResult> rows =
                frontDoor.run(
                        test, LIMIT.plusSeconds(settings.warmUpSeconds() + settings.seconds()));
        final TrialResult row = rows.getFirst();
        final long stored = row.counts().getOrDefault(Counts.STORED, 0L);
        if (stored == 0 || row.durationNs() <= 0) {
            throw new NotMeasured(name() + " stored nothing: " + row.reasons());
        }
        return Map.of(Integer.toString(payloadBytes), stored * 1e9 / row.durationNs());
    }
}

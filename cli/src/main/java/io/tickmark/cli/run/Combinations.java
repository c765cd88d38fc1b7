package io.tickmark.cli.run;

import io.tickmark.cli.option.PlanSettings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.InterleavedRun.Variant;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.plan.Matrix;
import io.tickmark.lab.plan.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The combinations of a plan's matrix, as plans that take turns. */
public final class Combinations {
    private static final String KEY = "matrix";
    private static final int LONGEST_SLUG = 40;

    private final Consumer<String> skipped;

    /**
     * Creates them.
     *
     * @param skipped receives one sentence for each engine that is absent
     */
    public Combinations(final Consumer<String> skipped) {
        this.skipped = skipped;
    }

    /**
     * The combinations that can be run here.
     *
     * @param plan with a matrix
     * @param options of the run
     * @param folder of the run; each combination has one below it
     * @return at least two, in the order of the matrix
     */
    public List<Variant> of(final Plan plan, final RunOptions options, final Path folder) {
        final AbsentEngines absent =
                new AbsentEngines(options.placements().environments().isEmpty());
        final List<Variant> runs = new ArrayList<>();
        final Set<String> seen = new HashSet<>();
        for (final Map<String, String> values : Matrix.combinations(plan.matrix())) {
            final Plan one = new PlanSettings(values).applyTo(plan.withMatrix(Map.of()), KEY);
            final List<String> reasons = absent.reasons(one);
            if (reasons.isEmpty()) {
                final String name = name(values);
                runs.add(
                        new Variant(
                                name,
                                one,
                                options.into(
                                        folder.resolve((runs.size() + 1) + "-" + slug(name)))));
            } else {
                reasons.stream()
                        .filter(seen::add)
                        .forEach(reason -> skipped.accept("left out of the matrix: " + reason));
            }
        }
        if (runs.size() < 2) {
            throw UserError.environment(
                    "plan %s: fewer than two combinations of its matrix can run here; see 'tickmark engines'."
                            .formatted(plan.name()));
        }
        return runs;
    }

    /** Channels are self-explanatory, numbers are not. */
    private static String name(final Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry ->
                        entry.getKey().equals(PlanSettings.CHANNEL)
                                ? entry.getValue()
                                : entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String slug(final String name) {
        final String slug =
                name.toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9.]+", "-")
                        .replaceAll("^[-.]+|[-.]+$", "");
        return slug.length() <= LONGEST_SLUG ? slug : slug.substring(0, LONGEST_SLUG);
    }
}

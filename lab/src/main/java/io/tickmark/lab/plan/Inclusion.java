package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.PlanLibrary.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Puts the tests of included plans before a plan's own. */
final class Inclusion {
    private static final int MAX_DEPTH = 8;

    private final BiFunction<String, Path, Source> finder;
    private final PlanReader reader;
    private final List<String> open = new ArrayList<>();
    private final Map<String, String> testToPlan = new LinkedHashMap<>();

    /** Finds plans by name and folder. */
    Inclusion(final BiFunction<String, Path, Source> finder, final PlanReader reader) {
        this.finder = finder;
        this.reader = reader;
    }

    Plan resolve(final Source source) {
        final PlanFile file = reader.read(source.text(), source.name());
        final List<TestPlan> tests = new ArrayList<>();
        addTests(tests, source, file);
        if (tests.isEmpty()) {
            throw UserError.usage(
                    source.name() + ": has no tests; give it 'tests', or 'include' another plan.");
        }
        return new Plan(
                file.name(),
                file.description(),
                file.noise(),
                file.freshProcesses(),
                Matrix.read(file.matrix(), source.name()),
                tests);
    }

    private void addTests(final List<TestPlan> tests, final Source source, final PlanFile file) {
        if (open.contains(source.name()) || open.size() >= MAX_DEPTH) {
            throw UserError.usage(
                    "%s: includes itself by way of %s; take one 'include' out."
                            .formatted(open.getFirst(), String.join(", ", open)));
        }
        open.add(source.name());
        for (final String included : file.include()) {
            final Source other = finder.apply(included, source.folder());
            final PlanFile otherFile = reader.read(other.text(), other.name());
            if (!otherFile.matrix().isEmpty()) {
                throw UserError.usage(
                        "%s: includes %s, which has a matrix; run that plan by itself."
                                .formatted(source.name(), other.name()));
            }
            addTests(tests, other, otherFile);
        }
        open.removeLast();
        for (final TestPlan test : file.tests()) {
            final String before = testToPlan.putIfAbsent(test.name(), source.name());
            if (before != null) {
                throw UserError.usage(
                        "%s: test %s is already in %s; give it a name of its own or include that plan once."
                                .formatted(source.name(), test.name(), before));
            }
            tests.add(test);
        }
        if (tests.size() > Plan.MAX_TESTS) {
            throw UserError.usage(
                    "%s: more than %d tests, those of included plans counted in; split it."
                            .formatted(source.name(), Plan.MAX_TESTS));
        }
    }
}

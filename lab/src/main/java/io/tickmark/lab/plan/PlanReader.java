package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;

/** Reads one plan file: first its shape, then what only the roles can tell. */
final class PlanReader {
    private final RoleCatalog catalog;
    private PlanCheck check;

    /** Reads plans of these roles. */
    PlanReader(final RoleCatalog catalog) {
        this.catalog = catalog;
    }

    /** Reads {@code text}; throws one error that tells all problems. */
    PlanFile read(final String text, final String name) {
        final YamlText yaml = new YamlText(text, name);
        if (check == null) {
            check = new PlanCheck(PlanSchema.tree(catalog));
        }
        final List<PlanProblem> problems = check.problems(yaml);
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
        final PlanFile file = bind(yaml, name);
        for (int i = 0; i < file.tests().size(); i++) {
            problems.addAll(
                    new TestCheck(catalog, yaml, "/tests/" + i, file.matrix().keySet())
                            .of(file.tests().get(i)));
        }
        problems.addAll(sameNames(file, yaml));
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
        return file;
    }

    private static PlanFile bind(final YamlText yaml, final String name) {
        try {
            return YamlText.MAPPER.treeToValue(yaml.tree(), PlanFile.class);
        } catch (final JacksonException e) {
            if (e.getCause() instanceof final UserError cause) {
                throw UserError.usage(name + ": " + cause.getMessage());
            }
            throw UserError.usage(name + ": " + e.getOriginalMessage());
        } catch (final UserError e) {
            throw UserError.usage(name + ": " + e.getMessage());
        }
    }

    private static List<PlanProblem> sameNames(final PlanFile file, final YamlText yaml) {
        final List<PlanProblem> problems = new ArrayList<>();
        final Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < file.tests().size(); i++) {
            final String pointer = "/tests/" + i + "/name";
            final Integer first = seen.putIfAbsent(file.tests().get(i).name(), yaml.line(pointer));
            if (first != null) {
                problems.add(
                        new PlanProblem(
                                yaml.line(pointer),
                                "%s is used by another test already, in line %d; give it a name of its own."
                                        .formatted(yaml.called(pointer), first)));
            }
        }
        return problems;
    }
}

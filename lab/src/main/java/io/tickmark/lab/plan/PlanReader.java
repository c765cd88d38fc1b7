package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.core.JacksonException;

/** Reads one plan file: first its structure, then what only the roles can check. */
final class PlanReader {
    private final RoleCatalog catalog;
    private PlanCheck check;

    /** Reads plans of these roles. */
    PlanReader(final RoleCatalog catalog) {
        this.catalog = catalog;
    }

    /** Reads {@code text}; throws one error that lists all problems. */
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

    /** Checks of one test that a schema cannot make. */
    private static final class TestCheck {
        private final RoleCatalog catalog;
        private final RoleResolver resolver;
        private final YamlText yaml;
        private final String pointer;
        private final Set<String> later;

        /**
         * Checks the test at {@code pointer} of {@code yaml}; {@code later} are settings of the
         * matrix.
         */
        TestCheck(
                final RoleCatalog catalog,
                final YamlText yaml,
                final String pointer,
                final Set<String> later) {
            this.catalog = catalog;
            resolver = new RoleResolver(catalog);
            this.yaml = yaml;
            this.pointer = pointer;
            this.later = later;
        }

        List<PlanProblem> of(final TestPlan test) {
            final List<PlanProblem> problems = new ArrayList<>();
            for (final String key : resolver.unknownKeys(test)) {
                problems.add(
                        at(
                                "/settings/" + key,
                                "is a setting that no role of this test has; "
                                        + resolver.meant(test, key)));
            }
            problems.addAll(workload(test));
            try {
                resolver.checkSearch(test);
                resolver.resolve(test, test.channels().getFirst(), this::called);
                resolver.checkGiven(test, later, this::called);
                resolver.checkCompany(test, this::called);
            } catch (final UserError e) {
                final String called = yaml.called(pointer);
                final int line = yaml.line(pointer);
                final boolean placed =
                        e.getMessage().startsWith(called.substring(0, called.indexOf(" line")));
                problems.add(
                        new PlanProblem(
                                line, placed ? e.getMessage() : called + ": " + e.getMessage()));
            }
            problems.addAll(faults(test));
            problems.addAll(processes(test));
            problems.addAll(cores(test));
            return problems;
        }

        /**
         * Tables and comparisons depend on this name: with that of another test they would be
         * wrong.
         */
        private List<PlanProblem> workload(final TestPlan test) {
            final List<String> words =
                    test.roles().stream()
                            .map(role -> catalog.find(role.role()).workload())
                            .distinct()
                            .toList();
            return words.contains(test.workload())
                    ? List.of()
                    : List.of(
                            at(
                                    "/workload",
                                    "is %s, and its roles measure %s; write that."
                                            .formatted(
                                                    test.workload(), String.join(" or ", words))));
        }

        private String called(final int role, final String key) {
            final String ofRole = pointer + "/roles/" + role + "/settings/" + key;
            final String ofTest = pointer + "/settings/" + key;
            if (!yaml.tree().at(ofRole).isMissingNode() || yaml.tree().at(ofTest).isMissingNode()) {
                return yaml.called(ofRole);
            }
            return yaml.called(ofTest);
        }

        private List<PlanProblem> faults(final TestPlan test) {
            final Map<String, Integer> counts = new HashMap<>();
            test.roles().forEach(role -> counts.merge(role.role(), role.count(), Integer::sum));
            final List<PlanProblem> problems = new ArrayList<>();
            for (int i = 0; i < test.faults().size(); i++) {
                final FaultPlan fault = test.faults().get(i);
                final int count = counts.getOrDefault(fault.role(), 0);
                if (count == 0) {
                    problems.add(
                            at(
                                    "/faults/" + i + "/role",
                                    "is %s, which the test does not have; %s"
                                            .formatted(
                                                    fault.role(),
                                                    nearest(
                                                            fault.role(),
                                                            List.copyOf(counts.keySet())))));
                } else if (fault.index() > count) {
                    problems.add(
                            at(
                                    "/faults/" + i,
                                    "is for %s number %d, but the test has %d of it."
                                            .formatted(fault.role(), fault.index(), count)));
                }
                if (fault.member() == 0 && fault.action() == FaultPlan.Action.RESTART) {
                    problems.add(
                            at("/faults/" + i, "restarts no member; give the member to restart."));
                }
                if (fault.member() > 0
                        && fault.action() != FaultPlan.Action.RESTART
                        && fault.action() != FaultPlan.Action.KILL) {
                    problems.add(
                            at(
                                    "/faults/" + i,
                                    "is for a member, which can be killed and restarted only."));
                }
                final OptionalInt members =
                        fault.member() > 0 ? members(test, fault) : OptionalInt.empty();
                if (members.isPresent() && fault.member() > members.getAsInt()) {
                    problems.add(
                            at("/faults/" + i + "/member", noMember(fault, members.getAsInt())));
                }
            }
            return problems;
        }

        /**
         * For the channel with the fewest; empty where that is unknown, which is reported
         * elsewhere.
         */
        private OptionalInt members(final TestPlan test, final FaultPlan fault) {
            try {
                return test.channels().stream()
                        .flatMap(channel -> resolver.resolve(test, channel).stream())
                        .filter(role -> role.role().equals(fault.role()))
                        .filter(role -> role.index() == fault.index())
                        .mapToInt(RoleInstance::members)
                        .min();
            } catch (final UserError e) {
                return OptionalInt.empty();
            }
        }

        private static String nearest(final String typed, final List<String> known) {
            return NearestWord.to(typed, known)
                    .map(word -> "did you mean " + word + "?")
                    .orElse("it has " + String.join(", ", known.stream().sorted().toList()) + ".");
        }

        private static String noMember(final FaultPlan fault, final int members) {
            return members == 0
                    ? "is %d, and %s runs no processes of its own; leave it out, or name another role."
                            .formatted(fault.member(), fault.role())
                    : "is %d, and %s-%d has the members 1 to %d; name one of those."
                            .formatted(fault.member(), fault.role(), fault.index(), members);
        }

        private List<PlanProblem> processes(final TestPlan test) {
            final List<PlanProblem> problems = new ArrayList<>();
            final Map<String, RolePlan> first = new HashMap<>();
            for (int i = 0; i < test.roles().size(); i++) {
                final RolePlan role = test.roles().get(i);
                final RolePlan other =
                        role.process().isEmpty() ? null : first.putIfAbsent(role.process(), role);
                if (other != null
                        && !(other.jvm().equals(role.jvm())
                                && other.environment().equals(role.environment())
                                && other.wrapper().equals(role.wrapper()))) {
                    problems.add(
                            at(
                                    "/roles/" + i,
                                    ("shares process %s with %s but asks for another jvm, environment or wrapper; give"
                                                    + " both the same.")
                                            .formatted(role.process(), other.role())));
                }
            }
            return problems;
        }

        private List<PlanProblem> cores(final TestPlan test) {
            final List<PlanProblem> problems = new ArrayList<>();
            for (int i = 0; i < test.roles().size(); i++) {
                final RolePlan role = test.roles().get(i);
                if (!role.cores().isEmpty() && !catalog.find(role.role()).isPlaceable()) {
                    problems.add(
                            at(
                                    "/roles/" + i + "/cores",
                                    ("is for threads of the role, and the hot threads of %s are those of its engine;"
                                                    + " leave it out, and give the channel a parameter for it where the"
                                                    + " engine has one, such as ?cores=2.")
                                            .formatted(role.role())));
                }
            }
            return problems;
        }

        private PlanProblem at(final String place, final String sentence) {
            return new PlanProblem(
                    yaml.line(pointer + place), yaml.called(pointer + place) + " " + sentence);
        }
    }
}

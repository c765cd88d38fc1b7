package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Secrets;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Settings typed as {@code key=value}: those of roles, {@code channel}, and {@code jvm.heap},
 * {@code jvm.collector} and {@code jvm.options} of role processes.
 *
 * @param values in the order typed
 */
public record PlanSettings(Map<String, String> values) {
    public static final String CHANNEL = "channel";
    private static final String JVM = "jvm.";

    /**
     * Reads what was typed.
     *
     * @param option name, for errors
     * @param typed texts
     * @return the settings
     */
    public static PlanSettings read(final String option, final List<String> typed) {
        final Map<String, String> values = new LinkedHashMap<>();
        for (final String text : typed) {
            final int equals = text.indexOf('=');
            if (equals < 1) {
                throw UserError.usage(
                        "%s %s: type a setting as key=value, for example rate=20k or channel=shm:."
                                .formatted(option, text));
            }
            if (values.put(key(text.substring(0, equals)), text.substring(equals + 1)) != null) {
                throw UserError.usage(
                        "%s %s: the key is given twice; leave one out.".formatted(option, text));
            }
        }
        return new PlanSettings(values);
    }

    /**
     * Whether a text looks like a setting, and not like a name, a folder or a channel.
     *
     * @param text as typed
     * @return true for {@code key=value}
     */
    public static boolean isSetting(final String text) {
        return text.matches("[A-Za-z][A-Za-z0-9.-]*=.*");
    }

    /** Options are typed with dashes, keys are not: both are understood. */
    private static String key(final String typed) {
        final StringBuilder key = new StringBuilder();
        for (int i = 0; i < typed.length(); i++) {
            final boolean isDash = typed.charAt(i) == '-' && i + 1 < typed.length() && i > 0;
            key.append(
                    isDash
                            ? typed.substring(++i, i + 1).toUpperCase(Locale.ROOT)
                            : typed.substring(i, i + 1));
        }
        return key.toString();
    }

    /**
     * The plan with these settings.
     *
     * @param plan to change
     * @param option name, for errors
     * @return the plan
     * @throws UserError if no role of it knows a key
     */
    public Plan applyTo(final Plan plan, final String option) {
        final Map<String, Object> ofRoles = new LinkedHashMap<>();
        Plan changed = plan;
        for (final Map.Entry<String, String> entry : values.entrySet()) {
            if (entry.getKey().equals(CHANNEL)) {
                final List<TestPlan> tests =
                        changed.tests().stream()
                                .map(test -> test.onChannels(List.of(entry.getValue())))
                                .toList();
                changed = changed.withTests(tests);
            } else if (entry.getKey().startsWith(JVM)) {
                changed = withJvm(changed, entry, option);
            } else {
                ofRoles.put(entry.getKey(), entry.getValue());
            }
        }
        return ofRoles.isEmpty() ? changed : withRoles(changed, ofRoles, option);
    }

    /**
     * The plan with these settings, and with a description that says so, as its own mentions other
     * ones.
     *
     * @param plan to change
     * @param option name, for errors
     * @return the plan
     * @throws UserError if no role of it knows a key
     */
    public Plan change(final Plan plan, final String option) {
        if (values.isEmpty()) {
            return plan;
        }
        final List<String> changes = new ArrayList<>();
        Secrets.hidden(values).forEach((key, value) -> changes.add(key + "=" + shown(value)));
        return applyTo(plan, option)
                .describedAs(
                        "%s Changed: %s."
                                .formatted(plan.description(), String.join(", ", changes))
                                .strip());
    }

    /** JVM options are several words. */
    private static String shown(final Object value) {
        return String.join(" ", Secrets.hidden(List.of(value.toString().split(" "))));
    }

    /** Each test takes the settings that one of its roles knows. */
    private static Plan withRoles(
            final Plan plan, final Map<String, Object> settings, final String option) {
        final RoleResolver resolver = new RoleResolver(RoleCatalog.load());
        final Map<String, Object> unknown = new LinkedHashMap<>(settings);
        final List<TestPlan> tests = new ArrayList<>();
        for (final TestPlan test : plan.tests()) {
            final Map<String, Object> known = new LinkedHashMap<>(settings);
            known.keySet().retainAll(resolver.keys(test));
            unknown.keySet().removeAll(known.keySet());
            tests.add(test.withSettings(known));
            resolver.check(tests.getLast(), known.keySet(), option, plan.matrix().keySet());
        }
        if (!unknown.isEmpty()) {
            final String key = unknown.keySet().iterator().next();
            throw UserError.usage(
                    "%s %s=%s: no role of plan %s has this setting; %s"
                            .formatted(
                                    option,
                                    key,
                                    unknown.get(key),
                                    plan.name(),
                                    resolver.meant(plan.tests().getFirst(), key)));
        }
        return plan.withTests(tests);
    }

    private static Plan withJvm(
            final Plan plan, final Map.Entry<String, String> entry, final String option) {
        final String name = entry.getKey().substring(JVM.length());
        final String value = entry.getValue();
        return plan.withTests(
                plan.tests().stream()
                        .map(test ->
                                test.withRoles(
                                        test.roles().stream()
                                                .map(role ->
                                                        role.on(
                                                                jvm(
                                                                        role.jvm(),
                                                                        name,
                                                                        value,
                                                                        option)))
                                                .toList()))
                        .toList());
    }

    private static JvmPlan jvm(
            final JvmPlan jvm, final String name, final String value, final String option) {
        return switch (name) {
            case "heap" -> {
                if (!value.matches("[1-9][0-9]*[kKmMgG]")) {
                    throw UserError.usage(
                            "%s jvm.heap=%s: write a size such as 512m or 2g."
                                    .formatted(option, value));
                }
                yield new JvmPlan(value, jvm.collector(), jvm.options());
            }
            case "collector" -> {
                for (final JvmPlan.Collector collector : JvmPlan.Collector.values()) {
                    if (collector.name().equalsIgnoreCase(value)) {
                        yield new JvmPlan(jvm.heap(), collector, jvm.options());
                    }
                }
                throw UserError.usage(
                        "%s jvm.collector=%s: must be one of serial, parallel, g1, z, epsilon."
                                .formatted(option, value));
            }
            case "options" -> new JvmPlan(jvm.heap(), jvm.collector(), List.of(value.split(" +")));
            default ->
                    throw UserError.usage(
                            "%s jvm.%s=%s: the settings of a JVM are heap, collector and options."
                                    .formatted(option, name, value));
        };
    }
}

package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Secrets;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/**
 * Writes a resolved plan; {@link PlanLibrary} reads it back as the same plan, except for {@link
 * Secrets}, because reports show it.
 */
public final class PlanYaml {
    private static final YAMLMapper MAPPER =
            YAMLMapper.builder(
                            YAMLFactory.builder()
                                    .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                                    .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                                    .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                                    .disable(YAMLWriteFeature.SPLIT_LINES)
                                    .build())
                    .build();

    private PlanYaml() {}

    /**
     * A plan as YAML; empty values are omitted, defaults are written.
     *
     * @param plan to write
     * @return its text
     */
    public static String write(final Plan plan) {
        final Map<String, Object> file = new LinkedHashMap<>();
        file.put("schema", Plan.SCHEMA);
        file.put("name", plan.name());
        putUnlessEmpty(file, "description", plan.description());
        file.put("noise", Durations.format(plan.noise()));
        if (plan.freshProcesses()) {
            file.put("freshProcesses", true);
        }
        if (plan.explain()) {
            file.put("explain", true);
        }
        putUnlessEmpty(file, "matrix", plan.matrix());
        file.put("tests", plan.tests().stream().map(PlanYaml::test).toList());
        return MAPPER.writeValueAsString(file);
    }

    private static Map<String, Object> test(final TestPlan test) {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", test.name());
        values.put("workload", test.workload());
        if (!test.channels().equals(List.of(""))) {
            values.put("channels", test.channels());
        }
        values.put("repeats", test.repeats());
        putUnlessEmpty(values, "settings", Secrets.hidden(test.settings()));
        values.put("roles", test.roles().stream().map(PlanYaml::role).toList());
        values.put("criteria", Settings.toMap(test.criteria()));
        putUnlessEmpty(values, "faults", test.faults().stream().map(PlanYaml::fault).toList());
        if (test.search() != null) {
            values.put("search", Settings.toMap(test.search()));
        }
        if (!test.timeout().isZero()) {
            values.put("timeout", Durations.format(test.timeout()));
        }
        return values;
    }

    private static Map<String, Object> role(final RolePlan role) {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("role", role.role());
        values.put("count", role.count());
        putUnlessEmpty(values, "settings", Secrets.hidden(role.settings()));
        putUnlessEmpty(values, "cores", role.cores());
        putUnlessEmpty(values, "process", role.process());
        final Map<String, Object> jvm = new LinkedHashMap<>();
        jvm.put("heap", role.jvm().heap());
        jvm.put("collector", SettingDescriptor.word(role.jvm().collector()));
        putUnlessEmpty(jvm, "options", Secrets.hidden(role.jvm().options()));
        values.put("jvm", jvm);
        putUnlessEmpty(values, "environment", Secrets.hidden(role.environment()));
        putUnlessEmpty(values, "wrapper", Secrets.hidden(role.wrapper()));
        putUnlessEmpty(values, "hosts", role.hosts());
        return values;
    }

    private static Map<String, Object> fault(final FaultPlan fault) {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("role", fault.role());
        values.put("index", fault.index());
        if (fault.member() > 0) {
            values.put("member", fault.member());
        }
        values.put("at", Durations.format(fault.at()));
        values.put("do", SettingDescriptor.word(fault.action()));
        return values;
    }

    private static void putUnlessEmpty(
            final Map<String, Object> values, final String key, final Object value) {
        if (!value.equals("") && !value.equals(Map.of()) && !value.equals(List.of())) {
            values.put(key, value);
        }
    }
}

package io.tickmark.report.page;

import io.tickmark.report.page.PageData.Fact;
import io.tickmark.report.page.PageData.Group;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The environment record as tables of text, and the machine on one line. */
final class EnvironmentGroups {
    private static final String BYTES = "Bytes";
    private static final double KIB = 1024;
    private static final double FEW = 10 * KIB;

    private EnvironmentGroups() {}

    static List<Group> of(final Map<String, Map<String, Object>> environment) {
        final List<Group> groups = new ArrayList<>();
        environment.forEach((name, facts) -> {
            final List<Fact> shown = new ArrayList<>();
            facts.forEach((key, value) -> shown.add(fact(key, value)));
            if (!shown.isEmpty() && !name.equals("checks")) {
                groups.add(new Group(Printable.of(name), shown));
            }
        });
        return groups;
    }

    private static Fact fact(final String key, final Object value) {
        return value instanceof final Number number && key.endsWith(BYTES)
                ? new Fact(
                        Printable.of(key.substring(0, key.length() - BYTES.length())),
                        bytes(number.doubleValue()))
                : new Fact(Printable.of(key), text(value));
    }

    private static String text(final Object value) {
        return switch (value) {
            case null -> "";
            case final Boolean flag -> flag ? "yes" : "no";
            case final Integer number -> Integer.toString(number);
            case final Long number -> Long.toString(number);
            case final Double number -> Figures.digits(number);
            case final Collection<?> list ->
                    list.stream().map(EnvironmentGroups::text).collect(Collectors.joining(", "));
            case final Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> entry(entry.getKey().toString(), entry.getValue()))
                            .collect(Collectors.joining(", "));
            default -> Printable.of(value.toString());
        };
    }

    private static String entry(final String key, final Object value) {
        final Fact fact = fact(key, value);
        return fact.name() + " " + fact.value();
    }

    private static String bytes(final double bytes) {
        if (bytes < FEW) {
            return Figures.digits(bytes) + " B"; // an MTU of 1,500 is no 1.46 KiB
        }
        if (bytes < KIB * KIB) {
            return Figures.digits(bytes / KIB) + " KiB";
        }
        return bytes < KIB * KIB * KIB
                ? Figures.digits(bytes / KIB / KIB) + " MiB"
                : Figures.digits(bytes / KIB / KIB / KIB) + " GiB";
    }

    /** Host, processor, kernel and JVM, as far as known. */
    static String line(final Map<String, Map<String, Object>> environment) {
        return Stream.of(
                        value(environment, "host", "name"),
                        value(environment, "cpu", "model"),
                        cores(environment),
                        named("Linux ", number(value(environment, "kernel", "release"))),
                        named("JDK ", value(environment, "jvm", "version")))
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining(" · "));
    }

    /** Of a kernel; the name of its build is among the facts below. */
    private static String number(final String release) {
        return release.replaceFirst("^([0-9]+([.][0-9]+)*).*", "$1");
    }

    private static String named(final String what, final String value) {
        return value.isEmpty() ? "" : what + value;
    }

    private static String cores(final Map<String, Map<String, Object>> environment) {
        final String logical = value(environment, "cpu", "logicalCores");
        return logical.isEmpty() ? "" : logical + " cores";
    }

    private static String value(
            final Map<String, Map<String, Object>> environment,
            final String group,
            final String key) {
        return text(environment.getOrDefault(group, Map.of()).get(key));
    }
}

package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A YAML file of another tool, of keys with plain values, to be made into a plan. Problems are
 * gathered and reported together. One thread.
 */
public final class ForeignYaml {
    private final String name;
    private final YamlText yaml;
    private final List<PlanProblem> problems = new ArrayList<>();

    private ForeignYaml(final String name, final YamlText yaml) {
        this.name = name;
        this.yaml = yaml;
        for (final String key : keys()) {
            final JsonNode value = yaml.tree().path(key);
            if (value.isContainer()) {
                problem(
                        key,
                        "holds %s; write a single value here"
                                .formatted(value.isArray() ? "a list" : "keys of its own"));
            }
        }
    }

    /**
     * Reads a file.
     *
     * @param file of the other tool
     * @param kind what it is called there
     * @param beginning what such a file begins with, for an error
     * @return its keys and values
     * @throws UserError if it cannot be read, or is not YAML with keys
     */
    public static ForeignYaml read(final Path file, final String kind, final String beginning) {
        try (InputStream in = Files.newInputStream(file)) {
            final byte[] bytes = in.readNBytes(YamlText.MAX_BYTES + 1);
            if (bytes.length > YamlText.MAX_BYTES) {
                throw UserError.usage(
                        "%s: larger than 1 MiB; this is not a %s.".formatted(file, kind));
            }
            final String text = new String(bytes, StandardCharsets.UTF_8);
            return new ForeignYaml(
                    file.toString(), new YamlText(text, file.toString(), kind, beginning));
        } catch (final IOException e) {
            throw UserError.usage(
                    "%s: cannot be read (%s); give the path of a %s."
                            .formatted(file, IoReason.of(e), kind));
        }
    }

    /**
     * All keys.
     *
     * @return in the order of the file
     */
    public Set<String> keys() {
        return new LinkedHashSet<>(yaml.tree().propertyNames());
    }

    /**
     * A value as text.
     *
     * @param key to look up
     * @param byDefault where the file does not have it, has it empty, or has a list or keys there,
     *     which is a problem already
     * @return its text
     */
    public String text(final String key, final String byDefault) {
        final JsonNode value = yaml.tree().path(key);
        return value.isMissingNode() || value.isNull() || value.isContainer()
                ? byDefault
                : value.asString(byDefault);
    }

    /**
     * A whole number; a problem where it is none, or not within its bounds.
     *
     * @param key to look up
     * @param byDefault where the file does not have it; outside of the bounds where it has to
     * @param min smallest
     * @param max largest
     * @return the number; {@code min} where there is a problem
     */
    public long whole(final String key, final long byDefault, final long min, final long max) {
        if (yaml.tree().path(key).isContainer()) {
            return min;
        }
        final String text = text(key, Long.toString(byDefault)).replace("_", "");
        try {
            final long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (final NumberFormatException e) {
            // told below
        }
        problem(
                key,
                keys().contains(key)
                        ? "is %s; write a whole number from %d to %d here".formatted(text, min, max)
                        : "is missing; add it, as a whole number from %d to %d"
                                .formatted(min, max));
        return min;
    }

    /**
     * Where a key stands.
     *
     * @param key to look up
     * @return file, line and key, for a sentence
     */
    public String called(final String key) {
        return yaml.called("/" + key);
    }

    /**
     * Something that is wrong.
     *
     * @param key with which it is
     * @param clause what is wrong and what to do, without its full stop
     */
    public void problem(final String key, final String clause) {
        problems.add(
                new PlanProblem(yaml.line("/" + key), "%s %s.".formatted(called(key), clause)));
    }

    /**
     * Ends where there were problems.
     *
     * @throws UserError that names all of them
     */
    public void refuseProblems() {
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
    }
}

package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Finds plans, those shipped on the class path and files, and reads them. */
public final class PlanLibrary {
    private final PlanReader reader;
    private final ShippedPlans shipped;

    /**
     * A library of the plans on the class path.
     *
     * @param catalog roles that plans may use
     */
    public PlanLibrary(final RoleCatalog catalog) {
        this(catalog, PlanLibrary.class.getClassLoader());
    }

    PlanLibrary(final RoleCatalog catalog, final ClassLoader loader) {
        reader = new PlanReader(catalog);
        shipped = new ShippedPlans(loader);
    }

    /**
     * The names of the shipped plans.
     *
     * @return in alphabetical order
     */
    public List<String> names() {
        return shipped.names();
    }

    /**
     * Finds and reads a plan.
     *
     * @param nameOrFile name of a shipped plan, or path of a file
     * @return the plan, inclusions resolved
     * @throws UserError if there is none, or it has problems: all of them are reported
     */
    public Plan find(final String nameOrFile) {
        final Source source = source(nameOrFile, Path.of(""));
        final Inclusion inclusion = new Inclusion(this::source, reader);
        return inclusion.resolve(source);
    }

    /** Where a plan's text comes from; {@code folder} is where it resolves files. */
    record Source(String name, String text, Path folder) {}

    private Source source(final String nameOrFile, final Path folder) {
        final boolean looksLikeFile =
                nameOrFile.contains("/")
                        || nameOrFile.endsWith(ShippedPlans.ENDING)
                        || nameOrFile.endsWith(".yml");
        if (!looksLikeFile && shipped.names().contains(nameOrFile)) {
            return new Source(
                    nameOrFile + ShippedPlans.ENDING, shipped.text(nameOrFile), Path.of(""));
        }
        final Path file = folder.resolve(nameOrFile);
        if (Files.isDirectory(file)) {
            throw UserError.usage("%s: is a folder; name a plan file.".formatted(file));
        }
        if (Files.exists(file)) { // a pipe as well
            return new Source(nameOrFile, fileText(file), file.toAbsolutePath().getParent());
        }
        if (looksLikeFile) {
            throw UserError.usage(
                    "%s: there is no such file; 'tickmark plans' lists the shipped plans."
                            .formatted(file));
        }
        throw UserError.usage(
                "'%s' is neither a shipped plan nor a file; %s"
                        .formatted(
                                nameOrFile,
                                NearestWord.to(nameOrFile, names())
                                        .map(nearest -> "did you mean " + nearest + "?")
                                        .orElse("'tickmark plans' lists the shipped plans.")));
    }

    private static String fileText(final Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            final byte[] bytes = in.readNBytes(YamlText.MAX_BYTES + 1);
            if (bytes.length > YamlText.MAX_BYTES) {
                throw UserError.usage(file + ": larger than 1 MiB; this is not a plan.");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw UserError.usage(file + ": cannot be read (" + e + "); check its permissions.");
        }
    }

    /** Puts the tests of included plans before a plan's own. */
    private static final class Inclusion {
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
                        source.name()
                                + ": has no tests; give it 'tests', or 'include' another plan.");
            }
            return new Plan(
                    file.name(),
                    file.description(),
                    file.noise(),
                    file.freshProcesses(),
                    file.explain(),
                    Matrix.read(file.matrix(), source.name()),
                    tests);
        }

        private void addTests(
                final List<TestPlan> tests, final Source source, final PlanFile file) {
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
                        "%s: more than %d tests, counting those of included plans; split it."
                                .formatted(source.name(), Plan.MAX_TESTS));
            }
        }
    }
}

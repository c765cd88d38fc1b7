package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Finds plans: those shipped on the class path ({@code tickmark/plans/*.yaml}, listed in each jar's
 * {@code tickmark/plans/index.txt}) and files.
 */
public final class PlanLibrary {
    private static final String FOLDER = "tickmark/plans/";
    private static final String INDEX = FOLDER + "index.txt";
    private static final String ENDING = ".yaml";

    private final PlanReader reader;
    private final Map<String, URL> shipped = new TreeMap<>();

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
        try {
            for (final URL index : Collections.list(loader.getResources(INDEX))) {
                for (final String line : text(index).lines().map(String::strip).toList()) {
                    if (!line.isEmpty() && !line.startsWith("#")) {
                        ship(line, loader);
                    }
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A jar may be on the class path twice, the second time by way of another one's manifest. */
    private void ship(final String file, final ClassLoader loader) throws IOException {
        final List<URL> copies = Collections.list(loader.getResources(FOLDER + file));
        if (copies.isEmpty()) {
            throw new IllegalStateException(INDEX + " lists " + file + ", which is absent");
        }
        for (final URL copy : copies) {
            if (!text(copy).equals(text(copies.getFirst()))) {
                throw new IllegalStateException(
                        INDEX + " lists " + file + ", of which there are two: " + copies);
            }
        }
        shipped.put(file.substring(0, file.length() - ENDING.length()), copies.getFirst());
    }

    /**
     * The names of the shipped plans.
     *
     * @return in alphabetical order
     */
    public List<String> names() {
        return List.copyOf(shipped.keySet());
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
                        || nameOrFile.endsWith(ENDING)
                        || nameOrFile.endsWith(".yml");
        if (!looksLikeFile && shipped.containsKey(nameOrFile)) {
            return new Source(nameOrFile + ENDING, shippedText(nameOrFile), Path.of(""));
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

    private String shippedText(final String name) {
        try {
            return text(shipped.get(name));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(final URL resource) throws IOException {
        try (InputStream in = resource.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
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
                        "%s: more than %d tests, those of included plans counted in; split it."
                                .formatted(source.name(), Plan.MAX_TESTS));
            }
        }
    }
}

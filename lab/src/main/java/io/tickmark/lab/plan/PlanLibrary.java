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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
     * A library of what is on the class path.
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
     * @throws UserError if there is none, or it has problems: all of them are told
     */
    public Plan find(final String nameOrFile) {
        final Source source = source(nameOrFile, Path.of(""));
        final Inclusion inclusion = new Inclusion(this::source, reader);
        return inclusion.resolve(source);
    }

    /** Where a plan's text comes from; {@code folder} is where it looks for files. */
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
                throw UserError.usage(file + ": larger than 1 MiB; this is no plan.");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw UserError.usage(file + ": cannot be read (" + e + "); check its permissions.");
        }
    }
}

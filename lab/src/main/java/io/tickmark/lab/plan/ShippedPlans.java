package io.tickmark.lab.plan;

import io.tickmark.kernel.jars.OwnJars;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * The texts of the plans on the class path, {@code tickmark/plans/*.yaml}. {@link PlanLibrary}
 * reads and checks them.
 */
public final class ShippedPlans {
    /** Ending of a plan's file. */
    static final String ENDING = ".yaml";

    private static final String FOLDER = "tickmark/plans/";
    private static final String DESCRIPTION = "description";

    /** For each name the folders that have it: a search through all jars takes longer. */
    private final Map<String, List<URL>> folders = new TreeMap<>();

    /** Those on the class path. */
    public ShippedPlans() {
        this(ShippedPlans.class.getClassLoader());
    }

    ShippedPlans(final ClassLoader loader) {
        try {
            for (final URL plans : OwnJars.files(FOLDER, loader)) {
                for (final String name : namesIn(plans)) {
                    folders.computeIfAbsent(name, _ -> new ArrayList<>()).add(plans);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a jar, or of a folder with classes. */
    private static List<String> namesIn(final URL plans) throws IOException {
        if (plans.openConnection() instanceof final JarURLConnection inJar) {
            return inJar.getJarFile().stream()
                    .map(JarEntry::getName)
                    .filter(entry -> entry.startsWith(FOLDER) && entry.endsWith(ENDING))
                    .map(entry -> withoutEnding(entry.substring(FOLDER.length())))
                    .filter(name -> !name.contains("/")) // with one it would be a file's
                    .toList();
        }
        try (Stream<Path> files = Files.list(Path.of(URI.create(plans.toString())))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(ENDING))
                    .map(ShippedPlans::withoutEnding)
                    .toList();
        }
    }

    private static String withoutEnding(final String file) {
        return file.substring(0, file.length() - ENDING.length());
    }

    /**
     * Their names.
     *
     * @return in alphabetical order
     */
    public List<String> names() {
        return List.copyOf(folders.keySet());
    }

    /**
     * What a plan is for. Only its head is read, and nothing of it is checked.
     *
     * @param name of a shipped plan
     * @return its description; empty where it has none
     */
    public String description(final String name) {
        // events alone: what binds them to objects takes longer to load than this list to print
        int depth = 0;
        String key = null;
        for (final Event event :
                new Parse(LoadSettings.builder().build()).parseString(text(name))) {
            switch (event) {
                case final CollectionStartEvent _ -> depth++;
                case final CollectionEndEvent _ -> {
                    depth--;
                    key = null;
                }
                case final NodeEvent node -> {
                    final String value = node instanceof final ScalarEvent s ? s.getValue() : "";
                    if (depth == 1 && DESCRIPTION.equals(key)) {
                        return value;
                    }
                    key = depth == 1 && key == null ? value : null;
                }
                default -> {}
            }
        }
        return "";
    }

    /** A jar may be on the class path twice, the second time by way of another one's manifest. */
    String text(final String name) {
        final String file = name + ENDING;
        final List<URL> having = folders.getOrDefault(name, List.of());
        String text = null;
        for (final URL plans : having) {
            final String copy = textIn(plans, file);
            if (text != null && !text.equals(copy)) {
                throw new IllegalStateException(
                        "there are two different " + FOLDER + file + ", in " + having);
            }
            text = copy;
        }
        if (text == null) {
            throw new IllegalStateException("no jar has " + FOLDER + file);
        }
        return text;
    }

    private static String textIn(final URL plans, final String file) {
        try {
            // of a jar it is no path that a URI resolves
            return text(URI.create(plans + file).toURL());
        } catch (final IOException e) {
            throw new IllegalStateException(plans + " has " + file + ", which cannot be read", e);
        }
    }

    private static String text(final URL resource) throws IOException {
        try (InputStream in = resource.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

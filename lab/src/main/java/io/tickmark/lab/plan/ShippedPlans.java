package io.tickmark.lab.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * The texts of the plans on the class path: {@code tickmark/plans/*.yaml}, listed in each jar's
 * {@code tickmark/plans/index.txt}. {@link PlanLibrary} reads and checks them.
 */
public final class ShippedPlans {
    /** Ending of a plan's file. */
    static final String ENDING = ".yaml";

    private static final String FOLDER = "tickmark/plans/";
    private static final String INDEX = FOLDER + "index.txt";
    private static final String DESCRIPTION = "description";

    /** For each name the indexes that list it: a search through all jars takes longer. */
    private final Map<String, List<URL>> indexes = new TreeMap<>();

    /** Those on the class path. */
    public ShippedPlans() {
        this(ShippedPlans.class.getClassLoader());
    }

    ShippedPlans(final ClassLoader loader) {
        try {
            for (final URL index : Collections.list(loader.getResources(INDEX))) {
                text(index)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .map(file -> file.substring(0, file.length() - ENDING.length()))
                        .forEach(name ->
                                indexes.computeIfAbsent(name, _ -> new ArrayList<>()).add(index));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Their names.
     *
     * @return in alphabetical order
     */
    public List<String> names() {
        return List.copyOf(indexes.keySet());
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
        final List<URL> listing = indexes.getOrDefault(name, List.of());
        String text = null;
        for (final URL index : listing) {
            final String copy = besideIndex(index, file);
            if (text != null && !text.equals(copy)) {
                throw new IllegalStateException(
                        INDEX + " lists " + file + ", of which there are two: " + listing);
            }
            text = copy;
        }
        if (text == null) {
            throw new IllegalStateException("no " + INDEX + " lists " + file);
        }
        return text;
    }

    private static String besideIndex(final URL index, final String file) {
        try {
            final String path = index.toString(); // of a jar is no path that a URI resolves
            return text(URI.create(path.substring(0, path.lastIndexOf('/') + 1) + file).toURL());
        } catch (final IOException e) {
            throw new IllegalStateException(index + " lists " + file + ", which is absent", e);
        }
    }

    private static String text(final URL resource) throws IOException {
        try (InputStream in = resource.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

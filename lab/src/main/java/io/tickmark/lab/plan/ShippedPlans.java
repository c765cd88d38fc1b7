package io.tickmark.lab.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

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

    private final ClassLoader loader;
    private final List<String> names;

    /** Those on the class path. */
    public ShippedPlans() {
        this(ShippedPlans.class.getClassLoader());
    }

    ShippedPlans(final ClassLoader loader) {
        this.loader = loader;
        final TreeSet<String> listed = new TreeSet<>();
        try {
            for (final URL index : Collections.list(loader.getResources(INDEX))) {
                text(index)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .map(file -> file.substring(0, file.length() - ENDING.length()))
                        .forEach(listed::add);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        names = List.copyOf(listed);
    }

    /**
     * Their names.
     *
     * @return in alphabetical order
     */
    public List<String> names() {
        return names;
    }

    /**
     * What a plan is for. Only its head is read, and nothing of it is checked.
     *
     * @param name of a shipped plan
     * @return its description; empty where it has none
     */
    public String description(final String name) {
        try (JsonParser parser =
                new YAMLFactory().createParser(ObjectReadContext.empty(), text(name))) {
            parser.nextToken(); // the plan itself
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                final boolean isDescription = parser.currentName().equals(DESCRIPTION);
                parser.nextToken();
                if (isDescription) {
                    return parser.getString();
                }
                parser.skipChildren();
            }
            return "";
        }
    }

    /** A jar may be on the class path twice, the second time by way of another one's manifest. */
    String text(final String name) {
        final String file = name + ENDING;
        try {
            final List<URL> copies = Collections.list(loader.getResources(FOLDER + file));
            if (copies.isEmpty()) {
                throw new IllegalStateException(INDEX + " lists " + file + ", which is absent");
            }
            final String text = text(copies.getFirst());
            for (final URL other : copies.subList(1, copies.size())) {
                if (!text(other).equals(text)) {
                    throw new IllegalStateException(
                            INDEX + " lists " + file + ", of which there are two: " + copies);
                }
            }
            return text;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(final URL resource) throws IOException {
        try (InputStream in = resource.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

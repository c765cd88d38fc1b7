package io.tickmark.lab.place;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Jars of the user's own: engines, roles and policies that {@link java.util.ServiceLoader} finds.
 * They lie in one folder, and every process of tickmark has all of them behind its own jars.
 *
 * @param folder that holds them; it need not exist
 */
public record Plugins(Optional<Path> folder) {
    /** System property that names the folder. */
    public static final String FOLDER_PROPERTY = "tickmark.plugins";

    /**
     * Those in the folder that the launcher names.
     *
     * @return plug-ins of this installation
     */
    public static Plugins here() {
        return new Plugins(
                Optional.ofNullable(System.getProperty(FOLDER_PROPERTY))
                        .map(folder -> Path.of(folder).toAbsolutePath()));
    }

    /**
     * What lies there.
     *
     * @return jars, sorted by name
     * @throws UserError if the folder cannot be read
     */
    public List<Path> jars() {
        if (folder.isEmpty() || !Files.isDirectory(folder.get())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder.get())) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (final IOException e) {
            throw UserError.environment(
                    "The plug-ins in %s cannot be read (%s)."
                            .formatted(folder.get(), e.getMessage()),
                    e);
        }
    }

    /**
     * Whether a jar is one of them.
     *
     * @param jar to look for
     * @return whether it lies in the folder
     */
    boolean contains(final Path jar) {
        return jar.toAbsolutePath().getParent().equals(folder.orElse(null));
    }
}

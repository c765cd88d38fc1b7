import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * Writes the runtime class path of each of our modules, from the manifest of its jar: one file {@code
 * classpaths/<artifactId>.txt} with one jar name a line, the module's own first. Run by the build:
 * {@code java DistClassPaths.java DIST VERSION}.
 */
final class DistClassPaths {
    private DistClassPaths() {}

    public static void main(final String[] args) throws IOException {
        final Path dist = Path.of(args[0]);
        final String ending = "-" + args[1] + ".jar";
        final Path folder = Files.createDirectories(dist.resolve("classpaths"));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(dist.resolve("lib"), "tickmark-*" + ending)) {
            for (final Path jar : jars) {
                final String name = jar.getFileName().toString();
                final String artifactId = name.substring(0, name.length() - ending.length());
                Files.write(folder.resolve(artifactId + ".txt"), classPath(dist, jar));
            }
        }
    }

    private static List<String> classPath(final Path dist, final Path jar) throws IOException {
        final List<String> names = new ArrayList<>();
        names.add(jar.getFileName().toString());
        try (JarFile file = new JarFile(jar.toFile())) {
            final String others = file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (others != null) {
                names.addAll(List.of(others.split(" ")));
            }
        }
        for (final String name : names) {
            if (!Files.isRegularFile(dist.resolve("lib").resolve(name))) {
                throw new IOException(jar + " needs " + name + ", which is not in " + dist.resolve("lib"));
            }
        }
        return names;
    }
}

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * Gathers the flags of every JVM: those of {@code config/jvm.options} and those of engines, {@code jvm.options} in their
 * folders. Writes them to {@code DIST/config/jvm.options}, and what a manifest can hold of them (JAR file specification, "Main
 * Attributes") to MANIFEST, for the front door, which is started with {@code -jar}; the rest, which roles by hand need as well,
 * to {@code DIST/config/jar.options}. Run by the build: {@code java JvmOptions.java ROOT DIST MANIFEST}.
 */
final class JvmOptions {
    private static final String TO_ALL = "=ALL-UNNAMED";

    /** Flags that a manifest can hold, and their names there. */
    private static final Map<String, String> ATTRIBUTES =
            Map.of(
                    "--add-exports=", "Add-Exports",
                    "--add-opens=", "Add-Opens",
                    "--enable-native-access", "Enable-Native-Access");

    private JvmOptions() {}

    public static void main(final String[] args) throws IOException {
        final Path root = Path.of(args[0]);
        final Set<String> flags = new LinkedHashSet<>(flags(root.resolve("config/jvm.options")));
        for (final Path file : ofEngines(root.resolve("engines"))) {
            flags.addAll(flags(file));
        }
        final Path config = Files.createDirectories(Path.of(args[1]).resolve("config"));
        Files.write(config.resolve("jvm.options"), flags);
        Files.write(
                config.resolve("jar.options"),
                flags.stream().filter(flag -> ATTRIBUTES.keySet().stream().noneMatch(flag::startsWith)).toList());
        writeManifest(flags, Path.of(args[2]));
    }

    private static List<Path> ofEngines(final Path engines) throws IOException {
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(engines)) {
            for (final Path folder : folders) {
                final Path file = folder.resolve("jvm.options");
                if (Files.isRegularFile(file)) {
                    files.add(file);
                }
            }
        }
        files.sort(null); // the same bytes for the same sources
        return files;
    }

    private static List<String> flags(final Path file) throws IOException {
        final List<String> flags =
                Files.readAllLines(file).stream()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .toList();
        for (final String flag : flags) {
            if (!flag.startsWith("-") || flag.startsWith("--add-") && !flag.endsWith(TO_ALL)) {
                throw new IOException(
                        file + ": '" + flag + "' is not a flag that holds for every JVM; write one flag a line, and packages as"
                                + " --add-opens=MODULE/PACKAGE" + TO_ALL);
            }
        }
        return flags;
    }

    private static void writeManifest(final Set<String> flags, final Path file) throws IOException {
        final Map<String, List<String>> values = new LinkedHashMap<>();
        for (final String flag : flags) {
            ATTRIBUTES.forEach((start, attribute) -> {
                if (flag.startsWith(start)) {
                    final String value = flag.substring(start.length()).replace(TO_ALL, "");
                    values.computeIfAbsent(attribute, _ -> new ArrayList<>()).add(value.isEmpty() ? "ALL-UNNAMED" : value);
                }
            });
        }
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        values.forEach((attribute, all) ->
                manifest.getMainAttributes().putValue(attribute, all.stream().collect(Collectors.joining(" "))));
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file)) {
            manifest.write(out);
        }
    }
}

package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.place.JvmFlags;
import io.tickmark.lab.place.Plugins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The build that runs here, as it is copied to other hosts: jars, lists of class paths, flags,
 * plug-ins.
 *
 * @param home folder of the build
 * @param options file with the flags of every JVM
 * @param version the same for the same build, 32 hexadecimal digits
 * @param agentJar name of the jar that the agent is in
 * @param plugins jars of the user
 */
record Build(Path home, Path options, String version, String agentJar, List<Path> plugins) {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._+-]+");

    /** The build that runs here. */
    static Build here() {
        final String home = System.getProperty(ClassPaths.HOME_PROPERTY, "");
        final String options = System.getProperty(JvmFlags.FILE_PROPERTY, "");
        if (home.isEmpty() || options.isEmpty()) {
            throw UserError.environment(
                    "Roles on other hosts need a complete build; start tickmark with its launcher.");
        }
        try {
            final Path folder = Path.of(home);
            final List<Path> jars;
            try (Stream<Path> lib = Files.list(folder.resolve("lib"))) {
                jars = lib.sorted().toList();
            }
            final String agent =
                    jars.stream()
                            .map(jar -> jar.getFileName().toString())
                            .filter(name -> name.startsWith("tickmark-lab-"))
                            .filter(SAFE.asMatchPredicate())
                            .findFirst()
                            .orElseThrow(() -> new IOException("no tickmark-lab jar in it"));
            final List<Path> plugins = Plugins.here().jars();
            return new Build(
                    folder,
                    Path.of(options),
                    version(jars, plugins, Path.of(options)),
                    agent,
                    plugins);
        } catch (final IOException e) {
            throw UserError.environment(
                    home + " cannot be read (" + e.getMessage() + "); build tickmark again.", e);
        }
    }

    /**
     * Our own jars and plug-ins change while their names stay the same; libraries have their
     * version in their names.
     */
    private static String version(
            final List<Path> jars, final List<Path> plugins, final Path options)
            throws IOException {
        try {
            final MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (final Path jar : jars) {
                final String name = jar.getFileName().toString();
                digest.update((name + " " + Files.size(jar)).getBytes(StandardCharsets.UTF_8));
                if (name.startsWith("tickmark-")) {
                    digest.update(Files.readAllBytes(jar));
                }
            }
            for (final Path plugin : plugins) {
                digest.update(plugin.getFileName().toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(plugin));
            }
            digest.update(Files.readAllBytes(options));
            return HexFormat.of().formatHex(digest.digest()).substring(0, 32);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

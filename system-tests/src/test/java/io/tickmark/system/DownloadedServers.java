package io.tickmark.system;

import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Servers that no package has: the build of an engine downloads one for its tests, as an
 * installation in {@code target/SCHEME} of its folder. The front door depends on all engines and
 * these tests on the front door, so it is there before they run.
 */
final class DownloadedServers {
    private DownloadedServers() {}

    /** What of an engine cannot be used here, a clause; empty where its server was downloaded. */
    static Optional<String> missing(final Transport engine) {
        return isHere(engine.scheme()) ? Optional.empty() : engine.missing();
    }

    /** Environment variables that name their folders, as they name that of an installation. */
    static Map<String, String> homes() {
        return new Transports()
                .all().keySet().stream()
                        .filter(DownloadedServers::isHere)
                        .collect(
                                Collectors.toMap(
                                        DownloadedServers::variable,
                                        scheme -> folder(scheme).toString()));
    }

    /** The one that names the folder of an engine's server. */
    static String variable(final String scheme) {
        return scheme.toUpperCase(Locale.ROOT) + "_HOME";
    }

    private static boolean isHere(final String scheme) {
        return Files.isDirectory(folder(scheme));
    }

    private static Path folder(final String scheme) {
        return Launch.ROOT.resolve("engines/%1$s/target/%1$s".formatted(scheme));
    }
}

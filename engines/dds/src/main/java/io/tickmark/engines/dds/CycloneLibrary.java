package io.tickmark.engines.dds;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The shared library of Eclipse Cyclone DDS: loaded once for a process and kept until it ends,
 * because its threads and our call-backs outlive any single channel.
 */
@SuppressWarnings("restricted") // loading a library is the purpose
final class CycloneLibrary {
    /** Environment variable that names the library, for every process of a test. */
    static final String VARIABLE = "TICKMARK_DDS_LIBRARY";

    /** Debian's name first: a plain libddsc.so may be of any version. */
    private static final List<String> NAMES =
            List.of("libddsc.so.0debian", "libddsc.so.0", "libddsc.so");

    /**
     * Functions of 0.10, the version whose layout of descriptors, samples and statuses is used
     * here: the first was added in it, the second was removed after it.
     */
    private static final List<String> TELL_TALE =
            List.of("dds_qset_data_representation", "dds_loan_sample");

    private static final String INSTALL =
            "install Debian's package libddsc0debian, or name the library file by ?library= or "
                    + VARIABLE;

    /** By requested name; empty for the library that is found without a name. */
    private static final Map<String, CycloneLibrary> LOADED = new HashMap<>();

    private static CycloneLibrary chosen;

    private final String name;
    private final SymbolLookup symbols;

    private CycloneLibrary(final String name, final SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Why a library cannot be loaded, empty where it can; loads it. Several may be checked in a
     * process, but only one can be used.
     */
    static synchronized Optional<String> absence(final String library) {
        if (LOADED.containsKey(library)) {
            return Optional.empty();
        }
        if (!Libc.isAvailable()) {
            return Optional.of("Cyclone DDS cannot be called: " + Libc.whyNotAvailable() + ".");
        }
        return load(library, names(library));
    }

    private static List<String> names(final String library) {
        if (!library.isEmpty()) {
            return List.of(library);
        }
        final String ofEnvironment = System.getenv(VARIABLE);
        return ofEnvironment == null || ofEnvironment.isBlank() ? NAMES : List.of(ofEnvironment);
    }

    /** Sets the library of this process, which has to exist and be the only one. */
    static synchronized void choose(final String library) {
        absence(library)
                .ifPresent(reason -> {
                    throw UserError.environment(reason);
                });
        final CycloneLibrary wanted = LOADED.get(library);
        if (chosen != null && chosen != wanted && !chosen.file().equals(wanted.file())) {
            throw UserError.usage(
                    "library %s cannot be used beside %s: a process can load only one; give all its channels the same."
                            .formatted(wanted.file(), chosen.file()));
        }
        chosen = chosen == null ? wanted : chosen;
    }

    /** The library of this process. */
    static synchronized CycloneLibrary get() {
        if (chosen == null) {
            choose("");
        }
        return chosen;
    }

    /** Tries names in turn; returns why none of them works. */
    private static Optional<String> load(final String library, final List<String> names) {
        String other = "";
        for (final String name : names) {
            final SymbolLookup symbols;
            try {
                symbols = SymbolLookup.libraryLookup(name, Arena.global());
            } catch (final IllegalArgumentException e) {
                continue;
            }
            if (TELL_TALE.stream().allMatch(symbol -> symbols.find(symbol).isPresent())) {
                LOADED.put(library, new CycloneLibrary(name, symbols));
                return Optional.empty();
            }
            other = name;
        }
        return Optional.of(
                other.isEmpty()
                        ? "Cyclone DDS is missing (no "
                                + String.join(", ", names)
                                + " can be loaded); "
                                + INSTALL
                                + "."
                        : other
                                + " is not Cyclone DDS 0.10, the version that can be used; "
                                + INSTALL
                                + ".");
    }

    SymbolLookup symbols() {
        return symbols;
    }

    private String realPath() {
        try {
            return Path.of(name).toRealPath().toString();
        } catch (final IOException e) {
            return name;
        }
    }

    /** The file that was loaded, which names the version; the requested name where it is hidden. */
    String file() {
        if (name.contains("/")) {
            return realPath();
        }
        final String stem = Path.of(name).getFileName().toString().replaceAll("\\.so.*", "");
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.map(line -> line.substring(Math.max(0, line.indexOf('/'))))
                    .filter(path -> path.startsWith("/"))
                    .filter(path -> Path.of(path).getFileName().toString().startsWith(stem))
                    .findFirst()
                    .orElse(name);
        } catch (final IOException e) {
            return name;
        }
    }
}

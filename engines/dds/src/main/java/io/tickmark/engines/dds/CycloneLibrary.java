package io.tickmark.engines.dds;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The shared library of Eclipse Cyclone DDS: found once for a process and kept for its life,
 * because its threads and our call-backs outlive any one channel.
 */
@SuppressWarnings("restricted") // loading a library is the purpose
final class CycloneLibrary {
    /** Names the library by environment, for every process of a test. */
    static final String VARIABLE = "TICKMARK_DDS_LIBRARY";

    /** Debian's name first: a plain libddsc.so may be of any version. */
    private static final List<String> NAMES =
            List.of("libddsc.so.0debian", "libddsc.so.0", "libddsc.so");

    /**
     * Of 0.10, the version whose layout of descriptors, samples and statuses is used here: the
     * first came with it, the second went after it.
     */
    private static final List<String> TELL_TALE =
            List.of("dds_qset_data_representation", "dds_loan_sample");

    private static final String INSTALL =
            "install Debian's package libddsc0debian, or name the library file by " + VARIABLE;

    private static CycloneLibrary loaded;

    private final String name;
    private final SymbolLookup symbols;

    private CycloneLibrary(final String name, final SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /** Why there is none, empty where there is one. */
    static synchronized Optional<String> absence() {
        if (loaded != null) {
            return Optional.empty();
        }
        if (!Libc.isAvailable()) {
            return Optional.of("Cyclone DDS cannot be called: " + Libc.whyNotAvailable() + ".");
        }
        final String chosen = System.getenv(VARIABLE);
        return chosen == null || chosen.isBlank() ? load(NAMES) : load(List.of(chosen));
    }

    /** The library, which has to be there. */
    static synchronized CycloneLibrary get() {
        absence()
                .ifPresent(reason -> {
                    throw UserError.environment(reason);
                });
        return loaded;
    }

    /** Tries names in turn; why none of them will do. */
    static synchronized Optional<String> load(final List<String> names) {
        String other = "";
        for (final String name : names) {
            final SymbolLookup symbols;
            try {
                symbols = SymbolLookup.libraryLookup(name, Arena.global());
            } catch (final IllegalArgumentException e) {
                continue;
            }
            if (TELL_TALE.stream().allMatch(symbol -> symbols.find(symbol).isPresent())) {
                loaded = new CycloneLibrary(name, symbols);
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

    /** The file that was loaded, which names the version; the name asked for where it is hidden. */
    String file() {
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

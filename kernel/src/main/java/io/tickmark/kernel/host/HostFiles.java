package io.tickmark.kernel.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the kernel publishes in {@code /proc} and {@code /sys}, as text. Everything may be absent:
 * what cannot be read is empty.
 *
 * @param root {@code /}, or a folder that holds made-up files in tests
 */
record HostFiles(Path root) {
    /** A limit, far above what is ever read; a memory map of a large JVM is the longest. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final int MAX_ENTRIES = 4096;

    static HostFiles ofThisHost() {
        return new HostFiles(Path.of("/"));
    }

    /** Whether these files describe the machine that system calls would describe. */
    boolean isThisHost() {
        return root.equals(Path.of("/"));
    }

    Path at(final String path) {
        return root.resolve(path.substring(1));
    }

    /** The whole text without blanks at its ends; absent where it is blank. */
    Optional<String> text(final String path) {
        try (InputStream in = Files.newInputStream(at(path))) {
            final String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            return Optional.of(text.strip()).filter(stripped -> !stripped.isEmpty());
        } catch (final IOException | InvalidPathException | SecurityException e) {
            return Optional.empty();
        }
    }

    Optional<Long> number(final String path) {
        return text(path).flatMap(HostFiles::leadingNumber);
    }

    /** The word that the kernel puts in brackets: {@code always [madvise] never}. */
    Optional<String> chosen(final String path) {
        return text(path)
                .filter(text -> text.indexOf('[') >= 0 && text.indexOf(']') > text.indexOf('['))
                .map(text -> text.substring(text.indexOf('[') + 1, text.indexOf(']')));
    }

    /** Lines of {@code key separator value}; the first of equal keys counts. */
    Optional<Map<String, String>> keyed(final String path, final String separator) {
        return text(path).map(text -> parse(text, separator));
    }

    /** Names in a folder, sorted. */
    List<String> names(final String folder) {
        try (Stream<Path> entries = Files.list(at(folder))) {
            return entries.limit(MAX_ENTRIES)
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (final IOException | UncheckedIOException | SecurityException e) {
            return List.of();
        }
    }

    boolean exists(final String path) {
        return Files.exists(at(path));
    }

    /** Name of the file that a link points to. */
    Optional<String> linkName(final String path) {
        try {
            return Optional.of(Files.readSymbolicLink(at(path)).getFileName().toString());
        } catch (final IOException | UnsupportedOperationException | SecurityException e) {
            return Optional.empty();
        }
    }

    /** The number that a text starts with: {@code 1024 kB} is 1024. */
    static Optional<Long> leadingNumber(final String text) {
        try {
            return Optional.of(Long.parseLong(text.strip().split("\\s+", 2)[0]));
        } catch (final NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> parse(final String text, final String separator) {
        final Map<String, String> values = new LinkedHashMap<>();
        for (final String line : text.split("\n")) {
            final int at = line.indexOf(separator);
            if (at > 0) {
                values.putIfAbsent(
                        line.substring(0, at).strip(),
                        line.substring(at + separator.length()).strip());
            }
        }
        return values;
    }
}

package io.tickmark.system.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The project's folder and the pages in it. */
final class Repository {
    static final Path ROOT = Path.of(System.getProperty("tickmark.root")).toAbsolutePath();
    static final Path DOCS = ROOT.resolve("docs");
    static final Path SAMPLES = ROOT.resolve("samples");

    /** Folders that hold what is built or measured, and no pages. */
    private static final Set<String> NOT_SOURCES = Set.of("target", "results", "node_modules");

    private Repository() {}

    /** Every Markdown page of the project. */
    static List<Path> pages() {
        return pagesBelow(ROOT);
    }

    /** Every Markdown page of the documentation. */
    static List<Path> docs() {
        return pagesBelow(DOCS);
    }

    private static List<Path> pagesBelow(final Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().flatMap(Repository::pagesAt).toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> pagesAt(final Path file) {
        final String name = file.getFileName().toString();
        if (Files.isDirectory(file)) {
            return name.startsWith(".") || NOT_SOURCES.contains(name)
                    ? Stream.of()
                    : pagesBelow(file).stream();
        }
        return name.endsWith(".md") ? Stream.of(file) : Stream.of();
    }

    static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(final Path file, final String text) {
        try {
            Files.writeString(file, text);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a page is called in failures. */
    static String name(final Path file) {
        return ROOT.relativize(file).toString();
    }
}

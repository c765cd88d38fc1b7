package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of CONTRIBUTING.md that says which test of a module brings which fault about. */
class FaultTablesTest {
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern NAME =
            Pattern.compile("`(should[A-Za-z0-9]+)`|`([A-Z][A-Za-z0-9]+Tests?)`");

    /** They measure, or test all others together. */
    private static final List<String> WITHOUT = List.of("bench", "system-tests");

    private static List<String> rows() throws IOException {
        final String text = Files.readString(Launch.ROOT.resolve("CONTRIBUTING.md"));
        final int begin = text.indexOf("## Faults that modules are tested with");
        assertThat(begin).isNotNegative();
        return text.substring(begin, text.indexOf("\n## ", begin))
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .toList();
    }

    @Test
    void shouldHaveALineForEachModule() throws IOException {
        final List<String> modules =
                MODULE.matcher(Files.readString(Launch.ROOT.resolve("pom.xml")))
                        .results()
                        .map(found -> found.group(1))
                        .filter(module -> !module.startsWith("engines/"))
                        .filter(module -> !WITHOUT.contains(module))
                        .toList();

        assertThat(rows())
                .extracting(row -> row.split("`")[1])
                .containsExactlyInAnyOrderElementsOf(modules);
    }

    @Test
    void shouldNameTestsOfTheModule() throws IOException {
        for (final String row : rows()) {
            final String module = row.split("`")[1];
            final List<String> names = names(row);
            assertThat(names).as(module).isNotEmpty();
            assertThat(missing(names, sources(module + "/src/test"))).as(module).isEmpty();
        }
    }

    private static List<String> names(final String row) {
        return NAME.matcher(row)
                .results()
                .map((final MatchResult found) ->
                        found.group(1) == null ? found.group(2) : found.group(1))
                .toList();
    }

    private static List<String> missing(final List<String> names, final List<String> sources) {
        return names.stream()
                .filter(name ->
                        sources.stream()
                                .noneMatch(source ->
                                        source.contains("void " + name)
                                                || source.contains("class " + name + " ")))
                .toList();
    }

    private static List<String> sources(final String folder) throws IOException {
        try (Stream<Path> files = Files.walk(Launch.ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("src/test/"))
                    .map(FaultTablesTest::text)
                    .toList();
        }
    }

    private static String text(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

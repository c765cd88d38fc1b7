package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Everything of one engine is in its folder: an engine's name appears nowhere else in the build,
 * except in a few files that say why.
 */
class EngineFoldersTest {
    /** What is built and run; prose and tests may speak of engines. */
    private static final List<String> LOOKED_AT =
            List.of("config", "deploy", "tickmark", "pom.xml", "ARCHITECTURE.md");

    private static final Set<String> ALLOWED =
            Set.of(
                    // the one line of each engine, and libraries' versions that two modules share
                    "pom.xml",
                    "cli/pom.xml",
                    // holes of libraries, which name the library
                    "config/known-holes.json",
                    // prose for people
                    "config/test-packages.txt",
                    "ARCHITECTURE.md",
                    "deploy/archive-readme.md",
                    "deploy/package",
                    // figures of another tool, which were measured with these engines
                    "report/src/main/java/io/tickmark/report/rows/ReferenceFigures.java",
                    // the words of other tools, and keys that plans had for them
                    "cli/src/main/java/io/tickmark/cli/option/DdsLatencyDialect.java",
                    "cli/src/main/java/io/tickmark/cli/option/OpenMessagingDialect.java",
                    "cli/src/main/java/io/tickmark/cli/option/UmPerfDialect.java",
                    "lab/src/main/java/io/tickmark/lab/plan/FormerKeys.java");

    private static List<String> engines() throws IOException {
        try (Stream<Path> folders = Files.list(Launch.ROOT.resolve("engines"))) {
            return folders.filter(engine -> Files.exists(engine.resolve("pom.xml")))
                    .map(engine -> engine.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /**
     * Main sources and poms of all modules, and {@link #LOOKED_AT}; but for the engines, and for
     * bench, which measures some of them side by side with programs without us.
     */
    private static List<Path> files() throws IOException {
        final Pattern module = Pattern.compile("<module>(.+?)</module>");
        final List<Path> roots =
                Stream.concat(
                                LOOKED_AT.stream(),
                                module.matcher(Files.readString(Launch.ROOT.resolve("pom.xml")))
                                        .results()
                                        .map(found -> found.group(1))
                                        .filter(each -> !each.startsWith("engines/"))
                                        .filter(each -> !each.equals("bench"))
                                        .flatMap(each ->
                                                Stream.of(
                                                        each + "/pom.xml",
                                                        each + "/src/main/java")))
                        .map(Launch.ROOT::resolve)
                        .filter(Files::exists)
                        .toList();
        final Set<Path> found = new TreeSet<>();
        for (final Path root : roots) {
            try (Stream<Path> below = Files.walk(root)) {
                below.filter(Files::isRegularFile).forEach(found::add);
            }
        }
        return List.copyOf(found);
    }

    /** Comments may compare one with another. */
    private static String withoutComments(final Path file) throws IOException {
        final String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        return file.toString().endsWith(".java")
                ? text.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//.*", "")
                : text;
    }

    @Test
    void shouldNameEnginesInTheirOwnFoldersAlone() throws IOException {
        final Pattern names =
                Pattern.compile(
                        "\\b(" + String.join("|", engines()) + ")\\b", Pattern.CASE_INSENSITIVE);
        final Set<String> naming = new TreeSet<>();
        for (final Path file : files()) {
            if (names.matcher(withoutComments(file)).find()) {
                naming.add(Launch.ROOT.relativize(file).toString());
            }
        }

        assertThat(naming).isNotEmpty().allMatch(ALLOWED::contains);
        assertThat(naming).as("no exception that is not needed").containsAll(ALLOWED);
    }

    @Test
    void shouldNameEachEngineInOneLineOfTheParentAndInOneOfTheFrontDoor() throws IOException {
        final String parent = Files.readString(Launch.ROOT.resolve("pom.xml"));
        final String frontDoor = Files.readString(Launch.ROOT.resolve("cli/pom.xml"));
        for (final String engine : engines()) {
            assertThat(lines(parent, "<module>engines/" + engine + "</module>")).hasSize(1);
            assertThat(lines(parent, "tickmark-engine-" + engine + "<")).isEmpty();
            assertThat(lines(frontDoor, "<artifactId>tickmark-engine-" + engine + "</artifactId>"))
                    .hasSize(1);
        }
    }

    @Test
    void shouldNameTheChannelsOfEachEngineInTheReadme() throws IOException {
        final String readme = Files.readString(Launch.ROOT.resolve("README.md"));
        final List<Transport> engines =
                new Transports()
                        .all().values().stream()
                                .filter(each ->
                                        each.getClass()
                                                .getPackageName()
                                                .startsWith("io.tickmark.engines."))
                                .filter(each -> !each.kinds().isEmpty())
                                .toList();

        assertThat(engines).isNotEmpty();
        for (final Transport engine : engines) {
            assertThat(readme.contains(engine.scheme() + ":"))
                    .as(
                            "README.md names %s:; DocsTablesTest with -Dtickmark.docs.write=true writes it",
                            engine.scheme())
                    .isTrue();
        }
    }

    /** They are rounded to hundreds, and renewed when they are off by more. */
    @ParameterizedTest
    @CsvSource({"nats, 1", "kafka, 2"})
    void shouldHaveAsManyLinesAsTheArchitectureSays(final String engine, final int group)
            throws IOException {
        final Matcher row =
                Pattern.compile(
                                "(?m)^\\| read an engine with its store \\(NATS; Kafka\\): lines of code \\|"
                                        + ".*\\| about ([0-9,]+); ([0-9,]+) \\|$")
                        .matcher(Files.readString(Launch.ROOT.resolve("ARCHITECTURE.md")));

        assertThat(row.find()).isTrue();
        assertThat(Long.parseLong(row.group(group).replace(",", "")))
                .isCloseTo(linesOfMainCode(engine), within(100L));
    }

    private static long linesOfMainCode(final String engine) throws IOException {
        final Path code = Launch.ROOT.resolve("engines").resolve(engine).resolve("src/main/java");
        long lines = 0;
        try (Stream<Path> below = Files.walk(code)) {
            for (final Path file : below.filter(Files::isRegularFile).toList()) {
                lines += Files.readAllLines(file).size();
            }
        }
        return lines;
    }

    private static List<String> lines(final String text, final String part) {
        return text.lines().filter(line -> line.contains(part)).collect(Collectors.toList());
    }
}

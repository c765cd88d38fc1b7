package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every catch that drops something is on a list, with its counter or the reason why nothing is
 * lost: an engine's in the engine's folder, all others among the resources of these tests. With
 * {@code -Dtickmark.docs.write=true} missing lines are added, without a reason, and outdated ones
 * are removed.
 */
class SilentCatchesTest {
    private static final String TODO = "TODO reason";
    private static final String FILE = "silent-catches.txt";
    private static final String OF_ALL_OTHERS = "system-tests/src/test/resources/" + FILE;
    private static final Pattern ENGINE = Pattern.compile("engines/[^/]+/");

    private static final List<String> ENGINE_HEAD =
            List.of(
                    "# Catches of this engine with a path on which nothing is thrown or reported: what ends there, and",
                    "# the counter that has it or the reason why nothing is lost. A line: file | class and method |",
                    "# caught | reason. SilentCatchesTest compares it with the sources; -Dtickmark.docs.write=true adds",
                    "# missing lines and removes outdated ones.");

    @TempDir private Path folder;

    @Test
    void shouldBeOnTheListWithAReason() throws IOException {
        final SortedSet<String> found = SilentCatches.in(Launch.ROOT);
        if (Boolean.getBoolean("tickmark.docs.write")) {
            write(Launch.ROOT, found);
        }
        final Map<String, String> listed = listed(Launch.ROOT);

        assertThat(listed.keySet())
                .as(
                        "silent catches, in %s of an engine's folder or in %s;"
                                + " run this test with -Dtickmark.docs.write=true",
                        FILE, OF_ALL_OTHERS)
                .containsExactlyElementsOf(found);
        assertThat(listed.entrySet())
                .filteredOn(line -> !line.getValue().matches("(?!TODO).*[a-z].*\\."))
                .as("say what ends there, and its counter or why nothing is lost")
                .isEmpty();
    }

    /** The list in which a line belongs, below the root. */
    private static String listOf(final String line) {
        final Matcher engine = ENGINE.matcher(line);
        return engine.lookingAt() ? engine.group() + FILE : OF_ALL_OTHERS;
    }

    /** The lists that exist below a root. */
    private static List<String> lists(final Path root) throws IOException {
        final List<String> lists = new ArrayList<>(List.of(OF_ALL_OTHERS));
        try (Stream<Path> engines = Files.list(root.resolve("engines"))) {
            engines.map(engine -> engine.resolve(FILE))
                    .filter(Files::exists)
                    .map(list -> root.relativize(list).toString())
                    .sorted()
                    .forEach(lists::add);
        }
        return lists;
    }

    /** The lines of all lists, with their reasons; each in the list in which it belongs. */
    private static Map<String, String> listed(final Path root) throws IOException {
        final Map<String, String> listed = new TreeMap<>();
        for (final String list : lists(root)) {
            for (final String line : Files.readAllLines(root.resolve(list))) {
                if (!line.startsWith("#")) {
                    assertThat(listOf(line)).as("the list of: %s", line).isEqualTo(list);
                    final int reason = line.lastIndexOf(" | ");
                    listed.put(line.substring(0, reason), line.substring(reason + 3));
                }
            }
        }
        return listed;
    }

    /** An engine's list appears with its first line, and goes with its last. */
    private static void write(final Path root, final SortedSet<String> found) throws IOException {
        final Map<String, String> listed = listed(root);
        final Map<String, List<String>> renewed = new TreeMap<>();
        for (final String list : lists(root)) {
            renewed.put(list, new ArrayList<>());
        }
        found.forEach(place ->
                renewed.computeIfAbsent(listOf(place), list -> new ArrayList<>())
                        .add(place + " | " + listed.getOrDefault(place, TODO)));
        for (final Map.Entry<String, List<String>> each : renewed.entrySet()) {
            final Path list = root.resolve(each.getKey());
            if (each.getValue().isEmpty() && !each.getKey().equals(OF_ALL_OTHERS)) {
                Files.delete(list);
            } else {
                final List<String> lines = new ArrayList<>(head(list));
                lines.addAll(each.getValue());
                Files.write(list, lines);
            }
        }
    }

    private static List<String> head(final Path list) throws IOException {
        return Files.exists(list)
                ? Files.readAllLines(list).stream().filter(line -> line.startsWith("#")).toList()
                : ENGINE_HEAD;
    }

    /** So that a new engine adds nothing to files outside its folder. */
    @Test
    void shouldListTheCatchesOfAnEngineInItsFolder() throws IOException {
        final Path others = folder.resolve(OF_ALL_OTHERS);
        Files.createDirectories(others.getParent());
        Files.createDirectories(folder.resolve("engines/new"));
        Files.write(others, List.of("# Head.", "cli/A.java | a | E | A reason."));
        final Path list = folder.resolve("engines/new").resolve(FILE);

        write(folder, new TreeSet<>(Set.of("cli/A.java | a | E", "engines/new/B.java | b | E")));

        assertThat(Files.readAllLines(others))
                .containsExactly("# Head.", "cli/A.java | a | E | A reason.");
        assertThat(Files.readAllLines(list))
                .startsWith(ENGINE_HEAD.getFirst())
                .endsWith("engines/new/B.java | b | E | " + TODO);
        assertThat(listed(folder))
                .containsOnlyKeys("cli/A.java | a | E", "engines/new/B.java | b | E");

        write(folder, new TreeSet<>(Set.of("cli/A.java | a | E")));

        assertThat(list).doesNotExist();
    }

    @Test
    void shouldRefuseTheLineOfAnEngineInTheListOfAllOthers() throws IOException {
        final Path others = folder.resolve(OF_ALL_OTHERS);
        Files.createDirectories(others.getParent());
        Files.createDirectories(folder.resolve("engines"));
        Files.write(others, List.of("engines/new/B.java | b | E | A reason."));

        assertThatThrownBy(() -> listed(folder))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("engines/new/" + FILE);
    }

    @Test
    void shouldBeFoundWhereNothingIsDoneWithWhatWasCaught() throws IOException {
        final Path source =
                Files.writeString(
                        folder.resolve("A.java"),
                        """
                        class A {
                            void silent() {
                                try { work(); } catch (final IllegalStateException e) { return; }
                                try { work(); } catch (final IllegalStateException e) { /* why */ }
                            }
                            void thrown() {
                                try { work(); } catch (final RuntimeException e) { throw new Error(); }
                            }
                            void used() {
                                try { work(); } catch (final RuntimeException e) { note(e.getMessage()); }
                            }
                            void restored() {
                                try { work(); } catch (final InterruptedException e) { Thread.currentThread().interrupt(); }
                            }
                            class B {
                                Runnable run = () -> { try { work(); } catch (final A | B _) { count++; } };
                            }
                        }
                        """);

        assertThat(SilentCatches.in(folder, List.of(source)))
                .containsExactly(
                        "A.java | B | A|B",
                        "A.java | silent #2 | IllegalStateException",
                        "A.java | silent | IllegalStateException");
    }

    /** A throw or a use elsewhere in the block says nothing of the paths without. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (e.isFatal()) { throw e; }",
                "if (e.isFatal()) { throw e; } return;",
                "if (!isOver()) { return; } throw e;",
                "if (e instanceof UserError) { count++; }",
                "if (e instanceof final UserError other && isOver()) { note(other); }",
                "final boolean isFatal = e.isFatal(); if (isFatal) { throw e; }",
                "final Throwable cause = e.getCause(); if (cause == null) { count++; }",
                "if (isOver()) { Thread.currentThread().interrupt(); }",
                "switch (e.kind()) { case 1 -> note(e); case 2 -> { throw e; } }",
                "switch (e.kind()) { case 1: return; default: throw e; }",
                "for (final String each : all) { if (each.isEmpty()) { return; } } note(e);",
                "for (final String each : all) { note(e); }",
                "try { close(); } catch (final IOException second) { note(e); }",
                "why = e.isFatal() ? e.getMessage() : \"\";",
                "return e.code() == 404;"
            })
    void shouldBeFoundWhereOnePathDoesNothingWithIt(final String block) throws IOException {
        assertThat(caughtBy(block)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (e.isFatal()) { throw e; } note(e);",
                "if (e.isFatal()) { throw e; } else { note(e); }",
                "if (e instanceof final UserError other) { note(other); } else { throw e; }",
                "final Throwable cause = e.getCause(); note(cause);",
                "switch (e.kind()) { case 1 -> note(e); default -> { throw e; } }",
                "switch (e.kind()) { case 1: count++; case 2: note(e); break; default: throw e; }",
                "for (final String each : all) { if (each.isEmpty()) { break; } } note(e);",
                "try { close(); } finally { note(e); }",
                "why = e.isFatal() ? e.getMessage() : e.toString();",
                "return \"it failed: \" + e;",
                "run(() -> note(e));"
            })
    void shouldNotBeFoundWhereEveryPathPassesItOn(final String block) throws IOException {
        assertThat(caughtBy(block)).isEmpty();
    }

    private SortedSet<String> caughtBy(final String block) throws IOException {
        final Path source =
                Files.writeString(
                        folder.resolve("A.java"),
                        "class A { Object a() { try { work(); } catch (final E e) { %s } } }"
                                .formatted(block));
        return SilentCatches.in(folder, List.of(source));
    }
}

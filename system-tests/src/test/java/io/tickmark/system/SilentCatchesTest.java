package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every catch that drops something is on a list, with its counter or the reason why nothing is
 * lost. With {@code -Dtickmark.docs.write=true} missing lines are added, without a reason, and
 * outdated ones are removed.
 */
class SilentCatchesTest {
    private static final String TODO = "TODO reason";

    private static final Path LIST =
            Launch.ROOT.resolve("system-tests/src/test/resources/silent-catches.txt");

    @TempDir private Path folder;

    @Test
    void shouldBeOnTheListWithAReason() throws IOException {
        final SortedSet<String> found = SilentCatches.in(Launch.ROOT);
        if (Boolean.getBoolean("tickmark.docs.write")) {
            write(found);
        }
        final Map<String, String> listed = listed();

        assertThat(listed.keySet())
                .as("silent catches in %s; run this test with -Dtickmark.docs.write=true", LIST)
                .containsExactlyElementsOf(found);
        assertThat(listed)
                .as("say what ends there, and its counter or why nothing is lost")
                .allSatisfy((place, reason) -> assertThat(reason).matches("(?!TODO).*[a-z].*\\."));
    }

    private static Map<String, String> listed() throws IOException {
        final Map<String, String> listed = new TreeMap<>();
        for (final String line : Files.readAllLines(LIST)) {
            if (!line.startsWith("#")) {
                final int reason = line.lastIndexOf(" | ");
                listed.put(line.substring(0, reason), line.substring(reason + 3));
            }
        }
        return listed;
    }

    private static void write(final SortedSet<String> found) throws IOException {
        final List<String> lines = new ArrayList<>();
        Files.readAllLines(LIST).stream().filter(line -> line.startsWith("#")).forEach(lines::add);
        final Map<String, String> listed = listed();
        found.forEach(place -> lines.add(place + " | " + listed.getOrDefault(place, TODO)));
        Files.write(LIST, lines);
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

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
}

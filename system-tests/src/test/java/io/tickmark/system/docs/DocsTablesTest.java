package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What pages say about options, keys and figures is what the code says. */
class DocsTablesTest {
    private static final boolean WRITE = Boolean.getBoolean("tickmark.docs.write");

    /**
     * Repeats commands whose output pages show: those in which this expression is found, {@code
     * all} for all. Takes minutes and needs an idle machine.
     */
    private static final String RUN = System.getProperty("tickmark.docs.run", "");

    @TempDir private static Path folder;

    @TestFactory
    Stream<DynamicTest> shouldBeUpToDate() {
        final GeneratedBlocks blocks = new GeneratedBlocks(new DocsGenerators().makers());
        return Repository.pages().stream()
                .map(page ->
                        DynamicTest.dynamicTest(
                                Repository.name(page), () -> compare(blocks, page)));
    }

    private static void compare(final GeneratedBlocks blocks, final Path page) {
        if (!RUN.isEmpty()) {
            final DocumentedRuns runs = new DocumentedRuns(folder, RUN.equals("all") ? "" : RUN);
            Repository.write(page, runs.renew(Repository.read(page)));
        }
        final String text = Repository.read(page);
        final String renewed = blocks.renew(text, Repository.name(page));
        if (WRITE && !text.equals(renewed)) {
            Repository.write(page, renewed);
            return;
        }
        assertThat(linesOnlyIn(renewed, text))
                .as(
                        "lines that %s lacks; run this test with -Dtickmark.docs.write=true",
                        Repository.name(page))
                .isEmpty();
        assertThat(text.equals(renewed)).as("%s is up to date", Repository.name(page)).isTrue();
    }

    private static List<String> linesOnlyIn(final String one, final String other) {
        final Set<String> known = other.lines().collect(Collectors.toSet());
        return one.lines().filter(line -> !known.contains(line)).toList();
    }

    @Test
    void shouldRenewOnlyWhatStandsBetweenTheMarks() {
        final GeneratedBlocks blocks = new GeneratedBlocks(Map.of("x", () -> "new\n"));

        assertThat(blocks.renew("a\n<!-- generated: x -->\nold\n<!-- end -->\nb", "page"))
                .isEqualTo("a\n<!-- generated: x -->\nnew\n<!-- end -->\nb");
    }

    @Test
    void shouldRefuseABlockThatNothingMakes() {
        final GeneratedBlocks blocks = new GeneratedBlocks(Map.of());

        assertThatThrownBy(() -> blocks.renew("<!-- generated: y -->\n<!-- end -->\n", "page"))
                .hasMessage("page: nothing makes the block 'y'");
    }

    @Test
    void shouldRefuseABlockWithoutAnEnd() {
        final GeneratedBlocks blocks = new GeneratedBlocks(Map.of("x", () -> ""));

        assertThatThrownBy(() -> blocks.renew("<!-- generated: x -->\ntext", "page"))
                .hasMessage("page: the block 'x' has no <!-- end -->");
    }
}

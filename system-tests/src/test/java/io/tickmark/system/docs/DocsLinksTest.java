package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links within the project lead somewhere. */
class DocsLinksTest {
    @Test
    void shouldLeadToFilesAndHeadingsThatAreThere() {
        final List<String> broken =
                Repository.pages().stream().flatMap(page -> Links.broken(page).stream()).toList();

        assertThat(Repository.pages()).isNotEmpty();
        assertThat(broken).isEmpty();
    }

    @Test
    void shouldBeFoundBroken(@TempDir final Path folder) throws Exception {
        final Path page = Repository.ROOT.relativize(folder).resolve("page.md").normalize();
        final Path file = Files.writeString(folder.resolve("page.md"), "[a](gone.md) [b](#gone)\n");

        assertThat(Links.broken(file))
                .containsExactly(page + " links to gone.md", page + " links to #gone");
    }

    @Test
    void shouldNameHeadingsAsTheyAreShown() {
        assertThat(Links.anchors("# One `two`: three\n```\n# code\n```\n## A\n## A\n"))
                .containsExactly("one-two-three", "a", "a-1");
    }
}

package io.tickmark.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.hosts.AgentLink.FetchedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FetchedFilesTest {
    private static final byte[] TEXT = "text".getBytes();

    @TempDir Path folder;

    private final FetchedFiles fetched = new FetchedFiles();

    @Test
    void shouldWriteIntoTheFolderAskedForAlone() {
        fetched.begin(folder.resolve("a"));
        fetched.open("one.txt");
        fetched.write(TEXT);
        fetched.open("../beside.txt");
        fetched.write(TEXT);
        fetched.open("below/two.txt");
        fetched.write(TEXT);
        fetched.write(TEXT);
        assertThat(fetched.end()).isEqualTo("1 of them have names that are not known here");

        assertThat(folder.resolve("a/one.txt")).hasContent("text");
        assertThat(folder.resolve("a/below/two.txt")).hasContent("texttext");
        assertThat(folder.resolve("beside.txt")).doesNotExist();
    }

    @Test
    void shouldDropWhatComesWhenNobodyAsks() {
        fetched.begin(folder);
        fetched.open("one.txt");
        fetched.end();
        fetched.write(TEXT);
        fetched.open("two.txt");

        assertThat(folder.resolve("one.txt")).isEmptyFile();
        assertThat(folder.resolve("two.txt")).doesNotExist();
    }

    @Test
    void shouldGoOnWithTheNextFileAfterOneThatCannotBeWritten() throws IOException {
        Files.createDirectory(folder.resolve("taken"));
        fetched.begin(folder);
        fetched.open("taken");
        fetched.write(TEXT);
        fetched.open("two.txt");
        fetched.write(TEXT);

        assertThat(fetched.end()).isNotEmpty();
        assertThat(folder.resolve("two.txt")).hasContent("text");
        fetched.begin(folder);
        assertThat(fetched.end()).as("of the next time").isEmpty();
    }

    /** A client that waits for files sees by this that they still arrive. */
    @Test
    void shouldCountThePartsThatCome() {
        fetched.begin(folder);
        fetched.open("one.txt");
        fetched.write(TEXT);
        fetched.write(TEXT);

        assertThat(fetched.parts()).isEqualTo(2);
    }
}
